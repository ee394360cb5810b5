// English words about the settings. The descriptions are also the documentation (docs/configuration.md).

export const settings = {
  groups: {
    http: "Addresses",
    data: "Data folder",
    database: "Database",
    storage: "File storage",
    backup: "Backups",
    look: "Appearance and language",
    site: "Site",
    staff: "Moderators and administrators",
    admin: "First administrator",
    mail: "Mail",
    oauth: "Sign-in with other services",
    limits: "Limits",
    scanner: "Malware scanner",
    log: "Log",
    metrics: "Metrics",
    file: "Config file",
  },
  /** The meaning of each setting. Backticks mark code. */
  descriptions: {
    MODSHELF_SITE_NAME: "Name of the site, shown in the header, page titles, feeds and link previews.",
    MODSHELF_SITE_DESCRIPTION:
      "One sentence about the site, for the home page and search engines. Empty: a general description.",
    MODSHELF_LANGUAGE: "Language for visitors whose browser prefers a language the site does not have.",
    MODSHELF_FOOTER_LINKS:
      "Links at the bottom of every page, for example to an imprint or a forum. Up to 8, each as `Name <https://…>`, separated by commas.",
    MODSHELF_THEME:
      "Theme for visitors who have not chosen one: `auto` (the setting of their system), `light` or `dark`.",
    MODSHELF_ACCENT:
      "Color of buttons and links, as `#rrggbb`. It must be dark enough to read on a light page (contrast 4.5:1). The dark theme uses a lighter shade of it. Empty: teal.",
    MODSHELF_HOST:
      "Address to listen on. The default is only reachable from this machine. `0.0.0.0` or `::` opens it to the network.",
    MODSHELF_PORT:
      "Port to listen on. `0`: any free port, which is written to the log. `MODSHELF_URL` must then be set.",
    MODSHELF_URL:
      "URL at which visitors reach the site. All links, cookies and origin checks use it. It is never taken from a request.",
    MODSHELF_CDN_URL:
      "URL of the content host, which serves uploaded files. A separate host keeps uploaded files away from the sessions of visitors. The same process serves both.",
    MODSHELF_MODRINTH_API:
      "Whether programs that were written for Modrinth's API v2 can use this server, at `/v2` (docs/modrinth.md).",
    MODSHELF_MODRINTH_URL:
      "URL under which only that interface is served, besides `/v2` of the site: for programs that expect a host of its own. It leads to this server, and must differ from MODSHELF_URL and MODSHELF_CDN_URL.",
    MODSHELF_TRUSTED_PROXIES:
      "Proxies whose forwarding headers are trusted: IP addresses, ranges, or `loopback`, `linklocal`, `uniquelocal`, separated by commas. Empty: the address of the connection is used.",
    MODSHELF_CONNECTIONS_PER_ADDRESS:
      "Maximum number of open connections per IP address. An IPv6 network of 64 bits counts as one address. Trusted proxies are not limited.",
    MODSHELF_WORKERS:
      "Number of worker processes that share the port and the database. `auto`: one for each available core, at most one for each GiB of memory and at most 16. 1: the server runs in one process.",
    MODSHELF_MEMORY:
      "Memory that one process of the server should need under load. Its caches share what is left when the code and the indexes have their part. With several workers, each of them may need that much.",
    MODSHELF_COUNTRY_HEADER:
      "Header in which a trusted proxy sends the country of the visitor as two letters. Authors then see their views and downloads by country. The proxy must set or remove the header on every request. Unset: countries are not recorded.",
    MODSHELF_CORS_ORIGINS:
      "Origins of other websites whose scripts can use the session of a visitor, separated by commas. Not needed for public data or requests with a token.",
    MODSHELF_SENDFILE:
      "Lets the proxy send stored files: `x-accel-redirect` for nginx (with an internal location `/modshelf-files/` for `<MODSHELF_DATA_DIR>/files/`), `x-sendfile` for Apache. This is several times faster.",
    MODSHELF_S3_REDIRECTS:
      "`on`: downloads redirect to a URL of the S3 storage that works for 5 minutes. Visitors must be able to reach its endpoint.",
    MODSHELF_SHUTDOWN_SECONDS:
      "Maximum number of seconds for shutting down after the signal. Running requests can finish until the last five seconds (or the last sixth of a shorter time), which are reserved for closing everything.",
    MODSHELF_DATA_DIR: "Folder for everything the server stores on this machine. It is created if it does not exist.",
    MODSHELF_SECRET_KEY:
      "Key that encrypts secrets in the database (authenticator apps, webhooks): 32 random bytes as 64 hexadecimal digits or in base64, for example from `openssl rand -base64 32`. You can list several, separated by commas: the first encrypts, and all of them decrypt. Servers that share a database need the same keys. Unset: a key is created at the first start, in `<MODSHELF_DATA_DIR>/secret.key`.",
    MODSHELF_DATABASE_URL: "The database: `sqlite:<path>` or `postgres://user:password@host:port/database`.",
    MODSHELF_DATABASE_POOL_SIZE:
      "Maximum number of connections of a server to PostgreSQL. Its workers divide them, and each has at least two. Not used with SQLite.",
    MODSHELF_STORAGE_URL:
      "Where uploaded files are stored: `file:<path>` or `s3://bucket/prefix?endpoint=https://…&region=…`. The prefix is optional. Without options, Amazon S3 in us-east-1 is used.",
    MODSHELF_BACKUP_DIR:
      "Folder for backups that administrators start or schedule on the website. A folder on another disk also survives the loss of this one. With several servers it must be shared by all of them.",
    MODSHELF_BACKUP_SCHEDULE:
      "`daily` or `weekly` (on Sundays): the server makes backups by itself. `off`: it does not.",
    MODSHELF_BACKUP_HOUR: "Hour at which scheduled backups start, in UTC.",
    MODSHELF_BACKUP_KEEP:
      "Number of backups to keep in `MODSHELF_BACKUP_DIR`. After each backup from the website older ones are deleted.",
    MODSHELF_S3_ACCESS_KEY_ID: "Access key for S3 storage.",
    MODSHELF_S3_SECRET_ACCESS_KEY: "Secret for the access key.",
    MODSHELF_LOG_LEVEL:
      "Minimum severity of logged messages: `trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`.",
    MODSHELF_METRICS_PORT:
      "Separate port for `/metrics`, open to everyone who can reach it. `0`: any free port, which is written to the log. Unset: no separate port.",
    MODSHELF_METRICS_HOST: "Address to listen on for the metrics port.",
    MODSHELF_METRICS_TOKEN:
      "Opens `/metrics` on the main port for requests that send this as a bearer token. At least 16 characters.",
    MODSHELF_CONFIG_FILE:
      "Path of the config file, if it is not `modshelf.env` in the working directory. Can only be set in the environment.",
    MODSHELF_REGISTRATION:
      "`open`: everyone can sign up. `closed`: only people with an invite code, which administrators create at `/admin/invites`. Existing accounts keep working.",
    MODSHELF_REVIEW:
      "`on`: a moderator must approve each project before it is public. `first`: only projects of authors without an approved project. `off`: submitted projects are public immediately.",
    MODSHELF_REPORT_REASONS_OFF:
      "Report reasons that are disabled, separated by commas: `spam`, `reuploaded_work`, `inappropriate`, `malicious`, `name_squatting`, `poor_description`, `invalid_metadata`.",
    MODSHELF_GUEST_REPORTS:
      "`on`: guests can send reports on the website after they confirm their email address. They get the outcome by email. Requires a mail server.",
    MODSHELF_REMOTE_PICTURES:
      "Pictures from other sites in descriptions and changelogs. `on`: all are shown. `off`: they are links. Or a list of hosts whose pictures are shown, separated by commas, where `*.example.org` means every host below that name. Visitors never contact these hosts: the server fetches, re-encodes and caches each picture. Only a host that is listed by its IP address can be in a private network.",
    MODSHELF_LAUNCHER_LINKS:
      "Links that open a file in an installed launcher, separated by commas; they are shown beside the downloads of projects and versions. Each is a name, optionally loaders, project types and game versions (or their beginnings) in square brackets, and a template: `Comet Launcher [quilt 0.5] <comet://install?file={url}>`. Words of a template: {project} {projectId} {name} {version} {versionId} {file} {url} {sha1} {sha512} {gameVersion} {loader} {host}; values are percent-encoded. Schemes that run code or open parts of the system are refused; http too.",
    MODSHELF_LAUNCHER_COMMAND:
      "The command that is shown beside downloads, for programs of the terminal, with the same words as `MODSHELF_LAUNCHER_LINKS` except `{name}` and `{file}`. Empty: only curl is shown.",
    MODSHELF_RATE_LIMITS: "`off` disables all rate limits. Only for tests and private networks.",
    MODSHELF_MAVEN_GROUP:
      "Group ID of all artifacts in the Maven repository at `/maven`. Changing it breaks existing builds.",
    MODSHELF_WEBHOOK_ALLOW_PRIVATE:
      "`on`: webhooks and imports of a taxonomy can use private addresses, any port and http. Only for tests and private networks: anyone who edits a project can then send requests into your network.",
    MODSHELF_TRUSTED_ISSUERS:
      "Build services from which authors can publish without a token, separated by commas: each is `github:` or `gitlab:`, for the claims that it uses, followed by the issuer URL of its OpenID Connect tokens. `none`: no build service is trusted.",
    MODSHELF_SECURITY_CONTACT:
      "Where to report security issues of this site: email addresses or https:// URLs, separated by commas. Published in `/.well-known/security.txt`. Empty: there is no such file.",
    MODSHELF_UPDATE_URL:
      'Address that is asked once a day for the newest version, which administrators then see at `/admin`. It answers with JSON such as `{"version": "1.2.3", "url": "https://…"}`. The request contains nothing but the version of this server, in its User-Agent. Unset: nothing is asked.',
    MODSHELF_TAXONOMY_FILE:
      "File with the project types, loaders, categories and game versions, which replaces the default taxonomy.",
    MODSHELF_ADMIN_USER: "Username of the first administrator, who is created at startup if there is none yet.",
    MODSHELF_ADMIN_EMAIL: "Email address of the first administrator.",
    MODSHELF_ADMIN_PASSWORD:
      "Password of the first administrator, 8 to 128 characters. You can remove it once the account exists.",
    MODSHELF_SMTP_URL:
      "Mail server: `smtp://user:password@host:587`, or `smtps://…` for implicit TLS. Unset: emails are written to the log.",
    MODSHELF_MAIL_FROM: "Sender of all emails.",
    MODSHELF_OAUTH_GITHUB_CLIENT_ID:
      'Client ID of the OAuth application at GitHub. With its secret, "Sign in with GitHub" appears.',
    MODSHELF_OAUTH_GITLAB_CLIENT_ID:
      'Client ID of the OAuth application at GitLab. With its secret, "Sign in with GitLab" appears.',
    MODSHELF_OAUTH_DISCORD_CLIENT_ID:
      'Client ID of the OAuth application at Discord. With its secret, "Sign in with Discord" appears.',
    MODSHELF_OAUTH_GOOGLE_CLIENT_ID:
      'Client ID of the OAuth application at Google. With its secret, "Sign in with Google" appears.',
    MODSHELF_OAUTH_GITHUB_CLIENT_SECRET: "Client secret of the OAuth application at GitHub.",
    MODSHELF_OAUTH_GITLAB_CLIENT_SECRET: "Client secret of the OAuth application at GitLab.",
    MODSHELF_OAUTH_DISCORD_CLIENT_SECRET: "Client secret of the OAuth application at Discord.",
    MODSHELF_OAUTH_GOOGLE_CLIENT_SECRET: "Client secret of the OAuth application at Google.",
    MODSHELF_OAUTH_GITLAB_URL: "URL of the GitLab instance.",
    MODSHELF_OAUTH_OFF:
      "Sign-in providers that are set up but switched off, separated by commas: `github`, `gitlab`, `discord`, `google`.",
    MODSHELF_ACCOUNT_QUOTA:
      "Storage limit per account: all files of the versions it has published, and the pictures of its projects, organizations, collections, reports and profile. `off`: no limit.",
    MODSHELF_MIN_FREE_DISK:
      "Minimum free space on the disks that the server writes to. Below it, uploads are rejected (507) and everything else keeps working. `off`: uploads are only rejected when a disk is full.",
    MODSHELF_MAX_PRIMARY_FILE_SIZE: "Maximum size of the primary file of a version.",
    MODSHELF_MAX_ADDITIONAL_FILE_SIZE: "Maximum size of an additional file of a version.",
    MODSHELF_MAX_ADDITIONAL_FILES: "Maximum number of additional files of a version.",
    MODSHELF_MAX_ICON_SIZE: "Maximum size of an uploaded icon or avatar.",
    MODSHELF_MAX_GALLERY_IMAGE_SIZE: "Maximum size of an uploaded gallery picture.",
    MODSHELF_MAX_GALLERY_IMAGES: "Maximum number of gallery pictures of a project.",
    MODSHELF_REMOTE_PICTURE_CACHE_SIZE:
      "Disk space for pictures from other sites, in the cache folder of each server. The least recently shown ones are deleted first.",
    MODSHELF_MAX_DEPENDENCIES: "Maximum number of dependencies of a version.",
    MODSHELF_PACK_HOSTS:
      "Hosts from which the files of a pack (`.mrpack` or packwiz) may be downloaded, separated by commas. This site itself is always allowed. Packs that name other hosts are refused.",
    MODSHELF_SCANNER:
      "Address of a malware scanner (ClamAV’s `clamd`), as `host:port` or as the path of a Unix socket. New files are scanned before anyone else can download them. Unset: files are not scanned.",
    MODSHELF_SCANNER_UNAVAILABLE:
      "For new versions if the scanner cannot be reached or gives no verdict in time, or if a file is too large for it. `hold`: the version stays hidden until it is scanned, or until a moderator releases it. `publish`: it is published at once and scanned later.",
    MODSHELF_SCANNER_MAX_SIZE:
      "Largest file that is sent to the scanner. `StreamMaxLength` of clamd must be at least as large.",
    MODSHELF_MAX_PROJECTS_PER_USER:
      "Maximum number of projects that one user can own. Projects of organizations do not count.",
    MODSHELF_RETIRED_NAME_DAYS:
      "Number of days for which the slug of a deleted project or organization and the number of a deleted version stay reserved, so that nothing else can be mistaken for them. `0`: they are free immediately.",
    MODSHELF_STAFF_SECOND_FACTOR:
      "Whether moderators and administrators must confirm their identity with a second factor (an authenticator app or a passkey) before they can use their powers. `auto`: if they have set one up. `always`: everyone, and they have no powers until they set one up. `off`: the password is enough.",
    MODSHELF_STAFF_HOURS:
      "Number of hours for which moderators and administrators keep their powers after they sign in or confirm their identity. The powers end earlier if the session is not used for 2 hours.",
    MODSHELF_STAFF_ADMIN_MINUTES:
      "Number of minutes for which administrators keep their powers after they sign in or confirm their identity. After that, they have the powers of moderators.",
  },
};
