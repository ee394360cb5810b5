// Chinese words of what waits for an answer of a team member.
import type { Words } from "#words/en/catalogue.js";

export const teams: Words["teams"] = {
  waiting: {
    offered: (name) => `你提议将所有权转让给 ${name}`,
    offeredBy: (owner, name) => `${owner} 提议将所有权转让给 ${name}`,
    offeredUntil: (when) => `对方接受之前不会有任何变化。提议于 ${when} 过期，在此之前可以撤回。`,
    withdraw: "撤回提议",
    offeredToYou: (name) => `有人想将 ${name} 的所有权转让给你`,
    offeredToYouText: (owner, when) =>
      `${owner} 想将所有权转让给你。所有者拥有所有权限，并为其负责。${owner} 仍是没有权限的成员。提议于 ${when} 过期。`,
    take: "接受所有权",
    decline: "拒绝",
    mailed: "通过邮件邀请",
    mailedAt: "邀请于",
    withdrawInvite: "撤回邀请",
    userName: "用户名或邮箱",
    userNameHint: "我们会向邮箱发送链接。对方接受后你才能看到是谁。",
    userNameOnly: "用户名",
    userNameOnlyHint: "即用户主页网址中的名称。",
    noMail: "本站不发送邮件。请改为输入用户名",
    invitation: (name) => `${name} 的邀请`,
    invitationLead: (by) => (by === "" ? "你被邀请加入团队。" : `${by} 邀请你加入团队。`),
    invitationAs: (role) => `你的角色将是：${role}。`,
    accept: "接受",
    gone: "此邀请已失效",
    goneLead: "它已被答复、已撤回，或已超过 30 天。请索取新的邀请。",
    goneLink: "前往控制台",
    undo: "撤销移动",
    moved: (org) => `你已将此项目移入 ${org}`,
    movedName: (project, org) => `你已将 ${project} 移入 ${org}`,
    undoUntil: (when) => `你可以在 ${when} 之前撤销。项目会离开组织，并恢复之前的团队。`,
    undoTitle: "撤销移动？",
    undoLead: (project, org) => `${project} 会离开 ${org}。组织成员会失去在其中的权限，项目会恢复之前的团队。`,
  },
};
