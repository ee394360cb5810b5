// Chinese words of the pages about the site itself: legal pages, feeds, about.
import type { Words } from "#words/en/catalogue.js";

export const site: Words["site"] = {
  about: {
    about: "关于本站",
    aboutLead: "Modshelf 提供游戏扩展内容的下载：模组、光影、资源包以及玩家为游戏添加的一切。",
    version: "软件版本",
    figures: "统计",
    counts: { projects: "项目", versions: "版本", files: "文件", authors: "作者", users: "用户" },
    more: "更多",
    source: "Modshelf 是自由软件。任何人都可以按照其许可证的条款运行和修改它。",
    links: {
      status: "状态",
      docs: "文档",
      feeds: "订阅源",
      rules: "规范",
      privacy: "隐私",
      security: "安全",
    },
    status: "状态",
    allWell: "所有系统运行正常",
    trouble: "部分系统存在问题",
    parts: "组件",
    part: { database: "数据库", storage: "文件存储", server: "此服务器", jobs: "后台任务" },
    states: { ok: "正常", failing: "故障", unknown: "未知", stopping: "正在重启" },
    waits: "队列",
    review: "等待审核的项目",
    median: "审核时间中位数",
    noMedian: "最近没有审核",
    jobs: "后台任务",
    oldest: "最早的任务已等待",
    parked: "尝试十次后失败的任务",
    updated: "上次检查",
    machines: "机器可读：",
  },
  guides: {
    title: "文档",
    lead: "如何使用本站、在本站发布内容、使用其 API，以及搭建自己的站点。",
    readers: {
      players: "面向玩家",
      authors: "面向作者",
      launchers: "面向启动器开发者",
      operators: "面向站点运营者",
    },
    find: "搜索文档",
    search: "搜索",
    found: (words) => `“${words}”的搜索结果`,
    none: "没有章节包含所有这些词。",
    all: "所有页面",
    contents: "本页内容",
    language: "这些页面为英文。",
    programs: "面向程序",
    api: "API 参考",
    apiText: "每个端点的参数、响应、访问规则和可复制的示例。",
    openapi: "OpenAPI 文档",
    openapiText: "API 的机器可读描述，可用于生成客户端或导入工具。",
    tokens: "令牌",
    tokensText: "供脚本和构建服务器使用的个人访问令牌。",
  },
  feeds: {
    title: "订阅源",
    lead: "用阅读器或机器人关注新内容，无需账号。",
    formats: "每个订阅源都有 Atom（.atom）和 JSON Feed（.json）格式，最多 50 条，最新的在前。",
    ofAll: "整个站点",
    releases: "所有项目的新版本",
    projects: "新项目",
    both: "新项目和新版本",
    ofOne: "某个项目、用户、组织或收藏夹",
    ofOneText: "将花括号中的部分替换为名称。这些订阅源也可以在相应的页面找到。",
    project: "某个项目的新版本",
    user: "某位用户的项目的新版本",
    organization: "某个组织的项目的新版本",
    collection: "某个收藏夹中项目的新版本",
    filters: "筛选",
    filtersText: "可以将这些参数添加到任意订阅源网址：",
    v: "游戏版本",
    l: "加载器",
    ch: "发布渠道：release、beta、alpha 或 dev，均包含更稳定的渠道",
    yours: "适合你的配置：",
    copy: (what) => `复制 ${what} 网址`,
  },
  followingFeed: {
    title: "你的个人订阅源",
    lead: "你关注的项目的新版本。阅读器无法登录，因此网址中包含私密密钥，请勿分享。该密钥只能打开此订阅源。",
    signIn: "登录以获取你的订阅源",
    make: "创建订阅源网址",
    renew: "创建新网址",
    remove: "吊销网址",
    made: "你的订阅源网址创建于",
    renewHint: "新网址会取代旧网址，旧网址将失效。",
    once: "这是你的订阅源网址。请立即复制：它只显示一次。",
    back: "所有订阅源",
    copy: "复制网址",
  },
  legal: {
    pages: "法律信息",
    titles: {
      terms: "使用条款",
      rules: "内容规范",
      privacy: "隐私",
      copyright: "版权主张",
      security: "安全",
    },
    notReviewed: "尚未经运营者审阅",
    notReviewedText: "本站的运营者还没有撰写此页面。以下文本由软件提供，不具约束力。",
    updated: "上次更改",
    edit: "编辑页面",
    admin: {
      title: "法律页面",
      lead: "你的文本会取代软件的默认文本，可以使用 Markdown。留空则恢复默认文本。",
      text: "文本",
      save: "保存",
      own: "你的文本",
      standIn: "默认文本",
      seen: "查看页面",
      tooLong: (most) => `最多 ${most} 个字符`,
    },
    defaults: {
      terms: `无需账号即可查看和下载这里的所有内容。作者保留其作品的权利。发布作品即表示作者允许本站存储，并按其选择的许可证向访客分发。

## 我们的要求

- 只发布你自己制作或有权发布的内容。
- 遵守[内容规范](/legal/rules)。
- 不要使服务过载。速率限制参见 [API 参考](/api/docs)。

## 你可以信赖的

- 已发布的文件永远不会改变：同一版本的字节始终相同。
- 你可以删除自己的项目，也可以[导出数据或删除账号](/settings/account)。

一切内容均按原样提供，不作任何保证。`,
      rules: `## 不允许

- 恶意软件、间谍软件以及任何控制其他程序或账号的内容。
- 未经许可发布他人的作品。
- 仇恨言论、威胁、色情内容和他人隐私。
- 抢占名称：仅为阻止他人使用而占用名称。

## 应当做到

- 用描述说明项目做什么、不做什么。
- 提供正确的信息：游戏版本、加载器、依赖和许可证。

审核员会处理[举报](/report)，并为每个决定说明理由。`,
      privacy: `## 存储的内容

- 账号：用户名、邮箱、个人资料和登录方式。
- 会话：设备、IP 地址和上次使用时间。你可以在[会话](/settings/sessions)中查看。
- 下载和页面浏览：IP 地址或账号的带密钥哈希，保存数小时，以便每位访客只计一次。IP 地址本身不会存储。
- 供作者查看：其项目每天的浏览量和下载量，按国家或地区（如已知）以及链接到该页面的网站（仅域名）统计。如果你的浏览器发送“Do Not Track”或“Global Privacy Control”，你的浏览只计入总数。

## 不存储的内容

- 没有广告，也没有第三方跟踪。本站只使用必要的 Cookie：用于登录、表单、主题、语言和你的配置。

你可以[导出或删除](/settings/account)账号的数据。`,
      copyright: `你的作品未经许可在此发布？请联系本站的运营者，并提供：

1. 你的原作，以及可以在哪里看到；
2. 它在本站发布的网址；
3. 你的联系方式；
4. 关于你是权利人或其代理人的声明。

也可以[举报该项目](/report)，理由选择“他人的作品”。`,
      security: `发现了漏洞？请在公开之前告知本站的运营者。联系方式见
[security.txt](/.well-known/security.txt)。

- 只用你自己的账号和项目进行测试。
- 不要读取、更改或删除他人的数据。

恶意文件不是站点的漏洞：请[举报](/report)。`,
    },
  },
};
