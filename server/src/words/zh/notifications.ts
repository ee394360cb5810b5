// Chinese words of the notifications: one sentence for each type.
import type { Words } from "#words/en/catalogue.js";
import type { NotificationNames } from "#words/en/notifications.js";
import { users } from "./users.js";

type Names = NotificationNames;

const states: Record<string, string> = {
  draft: "需要修改。审核页面列出了具体要求",
  processing: "正在审核",
  approved: "已通过审核",
  withheld: "已被下架，原因见审核页面",
  rejected: "未通过审核，原因见审核页面",
};

const invited = ({ inviter }: Names): string => (inviter ? `${inviter} 邀请你` : "你被邀请");
const as = ({ role }: Names): string => (role === "" ? "" : `，角色为“${users.shared.role(role)}”`);
const ofTeam = ({ project, organization }: Names): string => project ?? organization ?? "一个团队";
const shownNumbers = 3;

function newVersions(numbers: readonly string[], count: number): string {
  const shown = numbers.slice(0, shownNumbers);
  const list = shown.length === 0 ? "" : `：${shown.join("、")}${count > shown.length ? " 等" : ""}`;
  return `发布了 ${count} 个新版本${list}`;
}

export const notifications: Words["notifications"] = {
  team_invite: (names) => `${invited(names)}加入 ${names.project ?? "一个项目"} 的团队${as(names)}`,
  organization_invite: (names) => `${invited(names)}加入 ${names.organization ?? "一个组织"}${as(names)}`,
  ownership_offer: (names) => `${names.inviter ?? "所有者"} 想把 ${ofTeam(names)} 转让给你`,
  ownership_taken: (names) => `${names.user ?? "新所有者"} 现在是 ${ofTeam(names)} 的所有者`,
  ownership_declined: (names) => `${names.user ?? "对方"} 拒绝了 ${ofTeam(names)} 的所有权`,
  token_expiring: ({ token, daysLeft }) =>
    `你的令牌 ${token} ${daysLeft === 0 ? "已过期" : `将在 ${daysLeft} 天后过期`}`,
  version_withdrawn: ({ project, versions }) =>
    `${project ?? "你关注的项目"} 的${versions.length > 0 ? `版本 ${versions.join("、")}` : "一个版本"} 因安全问题被撤回，原因见其页面`,
  status_change: ({ project, status }) =>
    `${project === undefined ? "你的项目" : `${project} `}${states[status] ?? "的状态已更改"}`,
  version_published: ({ project, versions, versionCount }) =>
    `${project === undefined ? "你关注的项目" : `${project} `}${newVersions(versions, versionCount)}`,
  project_published: ({ project, author }) =>
    `${author ? `${author} ` : "你关注的作者"}发布了新项目${project ? `：${project}` : ""}`,
  thread_message: ({ project }) => `关于 ${project ?? "你的举报"} 的对话有新消息`,
  report_closed: () => "你的举报已关闭",
  report_reopened: () => "你的举报已重新打开",
  webhook_disabled: ({ project, organization }) => `${project ?? organization ?? "你"} 的一个 Webhook 因投递失败被停用`,
  version_quarantined: ({ project }) => `${project ?? "你的项目"} 的一个版本被隔离，原因见审核页面`,
  version_released: ({ project }) => `${project ?? "你的项目"} 的一个版本已解除隔离`,
  news: ({ project, organization }) => `${project ?? organization ?? "你的账号"} 有新消息`,
};
