// Chinese words of what is wrong with uploaded files and pictures. They follow a colon.
import type { Words } from "#words/en/catalogue.js";

export const files: Words["files"] = {
  pictureType: "必须是 PNG、JPEG、GIF 或 WebP",
  tooManyPixels: "超过 2500 万像素",
  notDecoded: "无法解码",
  slowPicture: "解码耗时过长。请换一张更简单的图片",
  noName: "没有有效的名称",
  theFile: "文件",
  thisContent: "此文件",
  unknownType: "类型未知，或内容与名称不符",
  primaryType: (types) => `主文件必须是 ${types}`,
  notSeenInto: (type) => `无法检查 ${type} 压缩包的内容。请以 ZIP 文件上传`,
  infected: (signature) => `恶意软件扫描程序在其中发现了 ${signature}`,
  tooLargeToScan: "超过了恶意软件扫描程序接受的大小",
  notScanned: "目前无法连接恶意软件扫描程序。请稍后再试",
  archive: (problem, detail, path) => `${problem}${detail && `（${detail}）`}${path && `：${path}`}`,
};
