// Chinese names of the checks of the machine and the site, by the names that `modshelf doctor` prints.
import type { Words } from "#words/en/catalogue.js";

export const checks: Words["checks"] = {
  "data folder": "数据文件夹",
  "free disk": "磁盘可用空间",
  "open files": "打开文件数",
  address: "站点网址",
  "content host": "文件主机",
  taxonomy: "分类体系",
  mail: "邮件",
  storage: "存储",
  scanner: "恶意软件扫描",
  backup: "备份",
  forecast: "磁盘预测",
  version: "版本",
};
