// Chinese words of the first-run setup.
import type { Words } from "#words/en/catalogue.js";

export const setup: Words["setup"] = {
  steps: {
    title: "设置本站",
    step: (at, name) => `第\u00a0${at}\u00a0步，共\u00a03\u00a0步：${name}`,
    steps: { admin: "管理员", site: "站点", content: "内容" },
    adminLead: "创建第一位管理员。带你来到这里的链接只能使用一次。",
    make: "创建管理员",
    userName: "用户名",
    userNameHint: "2 到 32 个字母、数字、_ 或 -。所有人可见。",
    email: "邮箱",
    emailHint: "用于重置密码，不会向他人显示。",
    password: "密码",
    newLinkTitle: "如何获取新链接",
    newLink: (run, create) =>
      `在服务器上运行 \`${run}\`，或重启服务器并查看日志。不通过此页面创建管理员：运行 \`${create}\`。`,
    linkNeeded: "创建第一位管理员需要服务器日志中的一次性设置链接。",
    deadTitle: "此设置链接无效",
    deadLead: "可能输入有误、已被使用，或已超过一小时。",
    siteLead: "以后可以在“站点管理”中更改这些内容。",
    address: "站点网址",
    addressFits: (url) => `${url}，与你的浏览器一致。`,
    addressDiffers: (configured, seen) =>
      `配置的网址是 ${configured}，但你访问的是 ${seen}。链接、Cookie 和登录都需要正确的网址。`,
    addressTodo: "请将此添加到配置文件或环境变量，然后重启服务器：",
    next: "继续",
    skip: "跳过",
    contentLead: "选择本站的项目类型、加载器和游戏版本。以后可以随时在“站点管理”中编辑。",
    preset: "起始内容",
    presets: {
      included: "Cosmic Reach（默认）",
      minecraft: "类似 Minecraft 的游戏：加载器、插件、数据包",
      luanti: "类似 Luanti 的游戏：模组、游戏、材质包",
      factory: "工厂类游戏：模组、剧本、模组包、存档",
      blank: "最简：一个类型，一个游戏版本",
      file: "我自己的文件",
    },
    file: "分类体系文件",
    fileHint: "YAML 或 JSON，与“站点管理”的“分类体系”导出的格式相同",
    fileMissing: "请选择文件",
    fileWrong: (line, message) => `第 ${line} 行：${message}`,
    locked: (file) => `分类体系来自文件 ${file}。请编辑该文件并重启服务器`,
    inUse: "项目已在使用当前的分类体系。请在“站点管理”的“分类体系”中编辑。",
    finish: "完成",
  },
};
