// Chinese words of what is wrong with a pack. They follow a colon.
import type { Words } from "#words/en/catalogue.js";

export const packs: Words["packs"] = {
  indexMissing: (file) => `缺少 ${file}。请用启动器或工具重新导出整合包`,
  indexTooLarge: (file, kib) => `${file} 超过 ${kib} KiB。请减少列出的文件`,
  notJson: (file) => `${file} 不是有效的 JSON。请重新导出整合包`,
  notToml: (file) => `${file} 不是有效的 TOML 文件。请运行“packwiz refresh”并重新打包文件夹`,
  wrongFormatVersion: (found) => `formatVersion 为 ${found}。仅支持该格式的版本 1`,
  wrongGame: (found) => `game 为 ${found}。.mrpack 格式仅用于“minecraft”；其他游戏请使用 packwiz`,
  wrongField: (field) => `${field} 缺失或类型错误。请重新导出整合包`,
  empty: "其中没有文件。请添加文件或覆盖文件",
  tooManyFiles: (most) => `列出的文件超过 ${most} 个。请拆分整合包`,
  hashMissing: (path, algorithm) => `${path} 没有 ${algorithm} 哈希值。请重新导出整合包`,
  hashMalformed: (path, algorithm) => `${path} 的 ${algorithm} 哈希值格式错误`,
  sizeMalformed: (path) => `${path} 的 fileSize 必须是字节数`,
  sideMalformed: (path) => `${path} 的运行端未知。请使用该格式规定的值`,
  unsafePath: (path, why) => `路径 ${path} 不安全（${why}）。请使用游戏文件夹内的路径`,
  downloadMissing: (path) => `${path} 没有下载地址`,
  tooManyDownloads: (path, most) => `${path} 的下载地址超过 ${most} 个`,
  urlMalformed: (path) => `${path} 的某个下载地址不是有效的 URL`,
  notHttps: (path, host) => `${path} 从 ${host} 下载时未使用 HTTPS。请使用 https://`,
  hostNotAllowed: (path, host, allowed) =>
    `${path} 从 ${host} 下载，此处不允许该主机。允许的主机：本站、${allowed}。如果许可证允许，请将该文件放入覆盖文件夹`,
  fileMissing: (path) => `index.toml 列出了 ${path}，但压缩包中没有该文件。请打包整个文件夹`,
  metafileField: (path, field) => `${path} 没有有效的“${field}”`,
  packwizHashMissing: (path) => `${path} 没有可用的哈希值。请运行“packwiz refresh --build”并重新打包文件夹`,
  packwizHashWrong: (path) => `${path} 与其哈希值不符。请运行“packwiz refresh”并重新打包文件夹`,
};
