// Chinese words of the API reference.
import type { Words } from "#words/en/catalogue.js";

export const docs: Words["docs"] = {
  reference: {
    title: "API 参考",
    description: "Modshelf API 的所有端点：参数、响应、访问规则和示例（英文）。",
    lead: "面向启动器、构建脚本和其他程序的 API（英文）。机器可读版本：",
    address: "基础网址",
    version: "版本",
    contents: "目录",
    find: "搜索参考文档",
    found: "找到 % 条",
    notFound: "没有同时包含这些词的结果。参考文档为英文。",
  },
};
