// Chinese words of the emails. Each has a subject and paragraphs; links stand between them.
import type { Words } from "#words/en/catalogue.js";

export const mails: Words["mails"] = {
  frame: {
    hello: "你好：",
    helloName: (name) => `${name}，你好：`,
    minutes: (count) => `${count} 分钟`,
    hours: (count) => `${count} 小时`,
    linkWorks: (duration) => `链接仅可使用一次，${duration}后过期。`,
    ifYou: "如果是你本人操作，则无需处理。",
    ignore: "如果你没有请求过，请忽略此邮件，不会有任何更改。",
  },
  passwordReset: {
    subject: "重置密码",
    asked: "有人（希望是你）请求为你的账号设置新密码。请在此设置：",
    ignore: "如果你没有请求过，请忽略此邮件，你的密码不会更改。",
  },
  passwordAddition: {
    subject: "确认你的新密码",
    asked: "有人（希望是你）想为你的账号添加密码，该账号目前没有密码。请在此确认：",
  },
  accountDeletion: {
    subject: "确认删除账号",
    asked: "有人（希望是你）请求删除你的账号。此操作无法撤销。请在此确认：",
    ignore: "如果你没有请求过，说明有人登录了你的账号。请忽略此链接，并更改密码。",
  },
  emailChange: {
    subject: "验证你的新邮箱",
    asked: "请确认这是你账号的新邮箱：",
    linkWorks: (duration) => `链接仅可使用一次，${duration}后过期。验证之前仍使用旧邮箱。`,
  },
  addressConfirmation: {
    subject: "验证你的邮箱",
    asked: "有人（希望是你）用你的邮箱创建了此账号。请确认这是你的账号：",
    linkWorks: (duration) => `链接仅可使用一次，${duration}后过期。验证之前该账号无法发布内容。`,
    ignore: "如果你没有创建此账号，请忽略此邮件。你仍可用自己的邮箱注册账号。",
  },
  addressTaken: {
    subject: "你已有账号",
    asked: (other, own) =>
      `有人（希望是你）为账号 ${other} 填写了你的邮箱。该邮箱属于你的账号 ${own}，因此不能用于那个账号。`,
    signIn: (name, link) => `请改用 ${name} 登录。如果忘记密码，请设置新密码：${link}`,
    both: (name) => `如需同时使用两个账号，请在 ${name} 的设置中填写其他邮箱。`,
    ignore: "如果不是你本人操作，请忽略此邮件。你的账号没有任何更改。",
  },
  emailChanged: {
    subject: "你的邮箱已更改",
    changed: "你的账号有了新邮箱。这是发往旧邮箱的最后一封邮件。",
    ifNot: "如果不是你本人操作，说明有人能访问你的账号。请立即联系站点运营者。",
  },
  passwordChanged: {
    subject: "你的密码已更改",
    changed: "你的账号密码已更改。所有其他会话均已结束，未保留的访问令牌均已吊销。",
    ifNot: (link) => `如果不是你本人操作，请立即重置密码：${link}`,
  },
  invitation: {
    subject: "邀请你加入团队",
    invites: (inviter, name) => `${inviter} 邀请你参与 ${name}。请在此查看、接受或拒绝邀请：`,
    account: "这需要一个账号，你可以在该页面注册。邀请在 30 天后过期。",
    ignore: "如果你不清楚这是什么，请忽略此邮件，不会发生任何事。",
  },
  guestReport: {
    subject: "确认你的举报",
    asked: "有人（希望是你）想在本站举报内容。请在此检查并发送举报：",
    ignore: "如果你没有请求过，请忽略此邮件，不会发送任何内容。",
  },
  reportClosed: {
    subject: "你的举报已处理",
    closed: (name) => `审核员已关闭你对 ${name} 的举报。`,
    closedGone: "审核员已关闭你的举报。你举报的内容已不存在。",
    outcomes: {
      action_taken: "审核员已采取措施。",
      no_violation: "审核员没有发现违反规范的内容。",
      other: "审核员以其他方式进行了处理。",
    },
    say: "审核员的消息：",
    thanks: "感谢你的举报。此邮件无法回复。",
  },
  newSession: {
    subject: "你的账号有新的登录",
    signedIn: (when, device, address) => `有人于 ${when} 使用 ${device} 从 ${address} 登录了你的账号。`,
    device: (browser, system) => `${system} 上的 ${browser}`,
    unknownProgram: "未知程序",
    unknownAddress: "未知地址",
    ifNot: "如果不是你本人操作，请在此结束该会话，然后更改密码：",
    all: (link) => `你的所有会话：${link}`,
  },
  tokenExpiry: {
    subject: "你的访问令牌即将过期",
    subjectPast: "你的访问令牌已过期",
    stops: (name, date) => `你的令牌“${name}”将于 ${date} 过期。`,
    stopped: (name, date) => `你的令牌“${name}”已于 ${date} 过期。`,
    more: (link) => `请延长有效期或创建新令牌：${link}`,
    nothing: "如果不再需要，则无需处理。",
  },
  digest: {
    subject: (count) => `${count} 条新通知`,
    news: "你在以下站点有新消息：",
    all: (more) => (more === 0 ? "查看全部" : `还有 ${more} 条。查看全部`),
    why: "你收到此邮件是因为你的通知设置。",
    end: "退订",
  },
};
