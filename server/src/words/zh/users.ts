// Chinese words of the profiles of users.
import type { Words } from "#words/en/catalogue.js";

const defaultRoles = new Map([
  ["Owner", "所有者"],
  ["Member", "成员"],
]);

export const users: Words["users"] = {
  shared: {
    all: "全部",
    byType: "按类型查看项目",
    projects: "项目",
    projectCount: (count) => `${count} 个项目`,
    downloadCount: (count) => `${count} 次下载`,
    memberCount: (count) => `${count} 名成员`,
    joined: "加入于",
    feed: "版本订阅源",
    more: "更多",
    report: "举报",
    copyId: "复制 ID",
    members: "成员",
    owner: "所有者",
    role: (role) => defaultRoles.get(role) ?? role,
    pending: "已邀请",
    facts: "详情",
  },
  user: {
    description: (name, count) => `${name}：${count} 个项目。`,
    noProjects: (name) => `${name} 还没有项目`,
    ownNoProjects: "你还没有项目",
    nothingOfType: "没有此类型的项目",
    seeAll: "查看所有项目",
    publish: "发布项目",
    edit: "编辑资料",
    organizations: "组织",
    collections: "收藏夹",
    newCollection: "新建收藏夹",
    moderator: "审核员",
    admin: "管理员",
    deletedName: "已删除的用户",
    deletedTitle: "此主页代表已删除的账号",
    deletedText: "他们的项目会保留，以免影响依赖它们的内容。用户的名字不会保留。",
    visibility: { public: "公开", unlisted: "不公开列出", private: "私密" },
  },
};
