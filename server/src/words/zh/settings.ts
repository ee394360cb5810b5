// Chinese words about the settings.
import type { Words } from "#words/en/catalogue.js";

export const settings: Words["settings"] = {
  groups: {
    http: "网址",
    data: "数据文件夹",
    database: "数据库",
    storage: "文件存储",
    backup: "备份",
    look: "外观和语言",
    site: "站点",
    staff: "审核员和管理员",
    admin: "第一位管理员",
    mail: "邮件",
    oauth: "通过其他服务登录",
    limits: "限制",
    scanner: "恶意软件扫描",
    log: "日志",
    metrics: "指标",
    file: "配置文件",
  },
  descriptions: {
    MODSHELF_SITE_NAME: "站点名称，显示在页眉、页面标题、订阅源和链接预览中。",
    MODSHELF_SITE_DESCRIPTION: "关于站点的一句话，用于首页和搜索引擎。留空：使用通用描述。",
    MODSHELF_LANGUAGE: "用于浏览器首选语言不受本站支持的访客的语言。",
    MODSHELF_FOOTER_LINKS:
      "每个页面底部的链接，例如版权信息或论坛。最多 8 个，每个写作 `名称 <https://…>`，以逗号分隔。",
    MODSHELF_THEME: "用于未选择主题的访客：`auto`（跟随其系统设置）、`light` 或 `dark`。",
    MODSHELF_ACCENT:
      "按钮和链接的颜色，写作 `#rrggbb`。颜色必须足够深，以便在浅色页面上阅读（对比度 4.5:1）。深色主题会使用较浅的色调。留空：青色。",
    MODSHELF_HOST: "监听地址。默认值只能从本机访问。`0.0.0.0` 或 `::` 会对网络开放。",
    MODSHELF_PORT: "监听端口。`0`：任意空闲端口，并写入日志，此时必须设置 `MODSHELF_URL`。",
    MODSHELF_URL: "访客访问站点的网址。所有链接、Cookie 和来源检查都使用它，从不取自请求。",
    MODSHELF_CDN_URL: "提供上传文件的文件主机的网址。独立主机可以让上传的文件远离访客的会话。两者由同一进程提供服务。",
    MODSHELF_MODRINTH_API: "为 Modrinth API v2 编写的程序能否通过 `/v2` 使用此服务器（docs/modrinth.md）。",
    MODSHELF_MODRINTH_URL:
      "除站点的 `/v2` 外，仅提供该接口的网址，供需要独立主机名的程序使用。它指向此服务器，且必须不同于 MODSHELF_URL 和 MODSHELF_CDN_URL。",
    MODSHELF_TRUSTED_PROXIES:
      "信任其转发请求头的代理：IP 地址、网段，或 `loopback`、`linklocal`、`uniquelocal`，以逗号分隔。留空：使用连接的地址。",
    MODSHELF_CONNECTIONS_PER_ADDRESS: "每个 IP 地址的最大连接数。64 位的 IPv6 网络算作一个地址。可信代理不受限制。",
    MODSHELF_WORKERS:
      "共享端口和数据库的工作进程数。`auto`：每个可用核心一个，每 GiB 内存最多一个，最多 16 个。1：服务器在单个进程中运行。",
    MODSHELF_MEMORY:
      "服务器的一个进程在负载下应使用的内存。程序和索引占用之外的部分由各缓存分享。有多个工作进程时，每个进程都可使用这么多。",
    MODSHELF_COUNTRY_HEADER:
      "可信代理用来发送访客国家或地区（两个字母）的请求头，作者据此可按国家或地区查看浏览量和下载量。代理必须在每个请求中设置或移除该请求头。未设置：不记录国家或地区。",
    MODSHELF_CORS_ORIGINS: "其脚本可以使用访客会话的其他网站的来源，以逗号分隔。公开数据和带令牌的请求不需要设置。",
    MODSHELF_SENDFILE:
      "让代理发送存储的文件：nginx 使用 `x-accel-redirect`（需要为 `<MODSHELF_DATA_DIR>/files/` 设置内部位置 `/modshelf-files/`），Apache 使用 `x-sendfile`。速度可提高数倍。",
    MODSHELF_S3_REDIRECTS: "`on`：下载会重定向到 5 分钟内有效的 S3 存储网址。访客必须能访问其端点。",
    MODSHELF_SHUTDOWN_SECONDS:
      "收到信号后关闭的最长秒数。运行中的请求可以在最后五秒（时间较短时为最后六分之一）之前完成，最后这段时间用于关闭所有内容。",
    MODSHELF_DATA_DIR: "服务器在本机存储所有内容的文件夹。不存在时会创建。",
    MODSHELF_SECRET_KEY:
      "加密数据库中机密内容（身份验证器应用、Webhook）的密钥：32 个随机字节，写作 64 位十六进制数字或 base64，例如用 `openssl rand -base64 32` 生成。可以列出多个，以逗号分隔：第一个用于加密，所有的都可解密。共用数据库的服务器需要相同的密钥。未设置：首次启动时在 `<MODSHELF_DATA_DIR>/secret.key` 中创建。",
    MODSHELF_DATABASE_URL: "数据库：`sqlite:<path>` 或 `postgres://user:password@host:port/database`。",
    MODSHELF_DATABASE_POOL_SIZE:
      "一台服务器到 PostgreSQL 的最大连接数，由各工作进程分配，每个至少两个。SQLite 不使用。",
    MODSHELF_STORAGE_URL:
      "上传文件的存储位置：`file:<path>` 或 `s3://bucket/prefix?endpoint=https://…&region=…`。前缀可选。没有选项时使用 us-east-1 的 Amazon S3。",
    MODSHELF_BACKUP_DIR:
      "管理员在网站上启动或安排的备份所在的文件夹。放在另一块磁盘上，可在本磁盘损坏时幸免。多台服务器必须共享此文件夹。",
    MODSHELF_BACKUP_SCHEDULE: "`daily`（每天）或 `weekly`（每周日）：服务器自动备份。`off`：不自动备份。",
    MODSHELF_BACKUP_HOUR: "计划备份开始的小时（UTC）。",
    MODSHELF_BACKUP_KEEP: "在 `MODSHELF_BACKUP_DIR` 中保留的备份数量。每次从网站备份后会删除更早的备份。",
    MODSHELF_S3_ACCESS_KEY_ID: "S3 存储的访问密钥。",
    MODSHELF_S3_SECRET_ACCESS_KEY: "访问密钥对应的机密。",
    MODSHELF_LOG_LEVEL: "记录日志的最低级别：`trace`、`debug`、`info`、`warn`、`error`、`fatal` 或 `silent`。",
    MODSHELF_METRICS_PORT:
      "`/metrics` 的独立端口，对所有能访问它的人开放。`0`：任意空闲端口，并写入日志。未设置：没有独立端口。",
    MODSHELF_METRICS_HOST: "指标端口的监听地址。",
    MODSHELF_METRICS_TOKEN: "为将其作为 bearer 令牌发送的请求开放主端口上的 `/metrics`。至少 16 个字符。",
    MODSHELF_CONFIG_FILE: "配置文件的路径，默认是工作目录中的 `modshelf.env`。只能在环境变量中设置。",
    MODSHELF_REGISTRATION:
      "`open`：所有人都可以注册。`closed`：仅限持有邀请码的人，邀请码由管理员在 `/admin/invites` 创建。现有账号可继续使用。",
    MODSHELF_REVIEW:
      "`on`：每个项目须经审核员通过后才公开。`first`：仅限没有已通过项目的作者的项目。`off`：提交后立即公开。",
    MODSHELF_REPORT_REASONS_OFF:
      "停用的举报理由，以逗号分隔：`spam`、`reuploaded_work`、`inappropriate`、`malicious`、`name_squatting`、`poor_description`、`invalid_metadata`。",
    MODSHELF_GUEST_REPORTS: "`on`：访客验证邮箱后可以在网站上举报，并通过邮件得知处理结果。需要邮件服务器。",
    MODSHELF_REMOTE_PICTURES:
      "描述和更新日志中来自其他网站的图片。`on`：全部显示。`off`：显示为链接。也可以列出允许显示图片的主机，以逗号分隔；`*.example.org` 表示该名称下的所有主机。访客不会连接这些主机：服务器会获取、重新编码并缓存每张图片。只有以 IP 地址列出的主机才可以位于专用网络。",
    MODSHELF_LAUNCHER_LINKS:
      "在已安装的启动器中打开文件的链接，以逗号分隔；它们显示在项目和版本的下载旁边。每个链接由名称、可选的方括号（其中为加载器、项目类型和游戏版本或其开头）和模板组成：`Comet Launcher [quilt 0.5] <comet://install?file={url}>`。模板可用的词：{project} {projectId} {name} {version} {versionId} {file} {url} {sha1} {sha512} {gameVersion} {loader} {host}；值会进行百分号编码。会运行代码或打开系统组件的协议以及 http 都会被拒绝。",
    MODSHELF_LAUNCHER_COMMAND:
      "在下载旁边为终端程序显示的命令，可用的词与 `MODSHELF_LAUNCHER_LINKS` 相同，但不包括 `{name}` 和 `{file}`。留空：只显示 curl。",
    MODSHELF_RATE_LIMITS: "`off`：停用所有速率限制。仅用于测试和专用网络。",
    MODSHELF_MAVEN_GROUP: "`/maven` 的 Maven 仓库中所有构件的组 ID。更改会破坏现有构建。",
    MODSHELF_WEBHOOK_ALLOW_PRIVATE:
      "`on`：Webhook 和分类体系的导入可以使用专用地址、任意端口和 http。仅用于测试和专用网络：任何能编辑项目的人都能向你的网络发送请求。",
    MODSHELF_TRUSTED_ISSUERS:
      "作者无需令牌即可从中发布的构建服务，以逗号分隔：每个以 `github:` 或 `gitlab:` 开头，表示其使用的声明，后接其 OpenID Connect 令牌的签发者网址。`none`：不信任任何构建服务。",
    MODSHELF_SECURITY_CONTACT:
      "报告本站安全问题的联系方式：邮箱或 https:// 网址，以逗号分隔。公布在 `/.well-known/security.txt`。留空：没有该文件。",
    MODSHELF_UPDATE_URL:
      '每天请求一次以查询最新版本的地址，管理员可在 `/admin` 看到结果。它返回 JSON，例如 `{"version": "1.2.3", "url": "https://…"}`。请求只在 User-Agent 中包含本服务器的版本。未设置：不查询。',
    MODSHELF_TAXONOMY_FILE: "包含项目类型、加载器、类别和游戏版本的文件，取代默认的分类体系。",
    MODSHELF_ADMIN_USER: "第一位管理员的用户名，启动时如果还没有管理员则会创建。",
    MODSHELF_ADMIN_EMAIL: "第一位管理员的邮箱。",
    MODSHELF_ADMIN_PASSWORD: "第一位管理员的密码，8 到 128 个字符。账号创建后可以移除此设置。",
    MODSHELF_SMTP_URL:
      "邮件服务器：`smtp://user:password@host:587`，或使用隐式 TLS 的 `smtps://…`。未设置：邮件写入日志。",
    MODSHELF_MAIL_FROM: "所有邮件的发件人。",
    MODSHELF_OAUTH_GITHUB_CLIENT_ID: "GitHub 上 OAuth 应用的客户端 ID。与其机密一起设置后，会出现“使用 GitHub 登录”。",
    MODSHELF_OAUTH_GITLAB_CLIENT_ID: "GitLab 上 OAuth 应用的客户端 ID。与其机密一起设置后，会出现“使用 GitLab 登录”。",
    MODSHELF_OAUTH_DISCORD_CLIENT_ID:
      "Discord 上 OAuth 应用的客户端 ID。与其机密一起设置后，会出现“使用 Discord 登录”。",
    MODSHELF_OAUTH_GOOGLE_CLIENT_ID: "Google 上 OAuth 应用的客户端 ID。与其机密一起设置后，会出现“使用 Google 登录”。",
    MODSHELF_OAUTH_GITHUB_CLIENT_SECRET: "GitHub 上 OAuth 应用的客户端机密。",
    MODSHELF_OAUTH_GITLAB_CLIENT_SECRET: "GitLab 上 OAuth 应用的客户端机密。",
    MODSHELF_OAUTH_DISCORD_CLIENT_SECRET: "Discord 上 OAuth 应用的客户端机密。",
    MODSHELF_OAUTH_GOOGLE_CLIENT_SECRET: "Google 上 OAuth 应用的客户端机密。",
    MODSHELF_OAUTH_GITLAB_URL: "GitLab 实例的网址。",
    MODSHELF_OAUTH_OFF: "已设置但停用的登录服务，用逗号分隔：`github`、`gitlab`、`discord`、`google`。",
    MODSHELF_ACCOUNT_QUOTA:
      "每个账号的存储上限：其发布的版本的所有文件，以及其项目、组织、收藏夹、举报和个人资料的图片。`off`：没有上限。",
    MODSHELF_MIN_FREE_DISK:
      "服务器写入的磁盘的最小可用空间。低于此值时会拒绝上传（507），其他功能正常。`off`：仅在磁盘已满时拒绝上传。",
    MODSHELF_MAX_PRIMARY_FILE_SIZE: "版本主文件的大小上限。",
    MODSHELF_MAX_ADDITIONAL_FILE_SIZE: "版本附加文件的大小上限。",
    MODSHELF_MAX_ADDITIONAL_FILES: "版本附加文件的数量上限。",
    MODSHELF_MAX_ICON_SIZE: "上传的图标或头像的大小上限。",
    MODSHELF_MAX_GALLERY_IMAGE_SIZE: "上传的图库图片的大小上限。",
    MODSHELF_MAX_GALLERY_IMAGES: "项目图库图片的数量上限。",
    MODSHELF_REMOTE_PICTURE_CACHE_SIZE:
      "每台服务器的缓存文件夹中用于其他网站图片的磁盘空间。最久未显示的图片最先删除。",
    MODSHELF_MAX_DEPENDENCIES: "版本依赖的数量上限。",
    MODSHELF_PACK_HOSTS:
      "允许下载整合包（`.mrpack` 或 packwiz）中文件的主机，以逗号分隔。本站始终允许。指定其他主机的整合包会被拒绝。",
    MODSHELF_SCANNER:
      "恶意软件扫描程序（ClamAV 的 `clamd`）的地址：`主机:端口`，或 Unix 套接字的路径。新文件在其他人能够下载之前会先被扫描。未设置：不扫描文件。",
    MODSHELF_SCANNER_UNAVAILABLE:
      "当扫描程序无法连接、未能及时给出结果，或文件对它来说过大时，如何处理新版本。`hold`：在扫描完成或审核员放行之前保持隐藏。`publish`：立即发布，稍后扫描。",
    MODSHELF_SCANNER_MAX_SIZE: "发送给扫描程序的最大文件。clamd 的 `StreamMaxLength` 不得小于此值。",
    MODSHELF_MAX_PROJECTS_PER_USER: "一位用户可以拥有的项目数量上限。组织的项目不计入。",
    MODSHELF_RETIRED_NAME_DAYS:
      "已删除的项目或组织的短名称以及已删除版本的版本号保留的天数，以免与其他内容混淆。`0`：立即可用。",
    MODSHELF_STAFF_SECOND_FACTOR:
      "审核员和管理员行使权力之前是否必须用第二重验证（身份验证器应用或通行密钥）确认身份。`auto`：已设置的人必须。`always`：所有人必须，设置之前没有任何权力。`off`：密码即可。",
    MODSHELF_STAFF_HOURS: "审核员和管理员登录或确认身份后保有权力的小时数。会话 2 小时未使用时会提前失效。",
    MODSHELF_STAFF_ADMIN_MINUTES: "管理员登录或确认身份后保有权力的分钟数，之后只有审核员的权力。",
  },
};
