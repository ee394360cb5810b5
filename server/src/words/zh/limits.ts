// Chinese words of limits, as refusals name them.
import type { Words } from "#words/en/catalogue.js";

export const limits: Words["limits"] = {
  followedProjects: (most) => `${most} 个关注的项目`,
  followedUsers: (most) => `${most} 个关注的用户`,
  followedOrgs: (most) => `${most} 个关注的组织`,
  mailInvitations: (most) => `${most} 个待处理的邮件邀请`,
  passkeys: (most) => `${most} 个通行密钥`,
  uploads: (most) => `同时 ${most} 个上传`,
  uploadBytes: (most) => `同时上传 ${most}`,
  collections: (most) => `${most} 个收藏夹`,
  collectedProjects: (most) => `每个收藏夹 ${most} 个项目`,
  featuredCollections: (most) => `首页 ${most} 个推荐收藏夹`,
  applications: (most: number) => `${most} 个应用`,
  publishers: (most) => `${most} 个可信发布者`,
  inviteCodes: (most) => `${most} 个邀请码`,
  dependencies: (most) => `${most} 个依赖`,
  projects: (most) => `${most} 个项目`,
};
