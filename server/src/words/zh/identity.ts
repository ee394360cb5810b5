// Chinese words of why the identity token of a build is rejected. They follow a colon.
import type { Words } from "#words/en/catalogue.js";

export const identity: Words["identity"] = {
  noTimes: "没有说明过期时间",
  expired: "已过期",
  tooLong: "有效期超过 31 天",
  notYet: "尚未生效",
  audience: (audience) => `不是为本站签发的。请申请受众 ${audience}`,
  event: (event) => `由 ${event} 触发的构建不能发布`,
  workflow: "工作流不是其仓库中的文件",
  claim: (name) => `声明 ${name} 缺失或无效`,
  notSigned: "不是用 RS256 签名的令牌",
  issuer: "本站不信任其签发者",
  signature: "签名无效",
  used: "已被使用",
  noPublisher: (repository, workflow) => `项目不信任 ${repository} 中工作流为 ${workflow} 且没有环境的构建`,
  noPublisherIn: (repository, workflow, environment) =>
    `项目不信任 ${repository} 中工作流为 ${workflow}、环境为 ${environment} 的构建`,
  otherOwner: (repository) => `${repository} 现在的所有者与首次使用时不同。请移除该可信发布者后重新添加`,
  mayNotPublish: "添加该可信发布者的用户已无权发布此项目的版本",
};
