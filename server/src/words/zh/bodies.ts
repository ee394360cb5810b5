// Chinese words of why the body of a request cannot be read. They follow a colon, except for the last ones.
import type { Words } from "#words/en/catalogue.js";

export const bodies: Words["bodies"] = {
  notUtf8: "编码不是 UTF-8",
  nul: "不允许 NUL 字符",
  nulIn: (part) => `部分 ${part} 含有 NUL 字符`,
  tooMuch: "超过 10,000 个值或 32 层。请减少单次发送的内容",
  halfCharacter: "含有不完整的字符",
  syntax: "请检查引号、逗号和括号",
  wrongLength: "长度与 Content-Length 不符",
  boundary: "分隔符过长",
  afterEnd: "结尾之后还有数据",
  noEnd: "缺少结尾",
  closedEarly: "连接提前关闭",
  tooManyFields: (most) => `超过 ${most} 个字段。请减少单次发送的内容`,
  tooManyParts: "部分过多",
  tooManyTexts: "文本字段过多",
  tooManyFiles: "文件过多",
  noPartName: "有一个部分没有名称",
  twice: (part) => `部分 ${part} 重复出现`,
  tooOften: (part, most) => `部分 ${part} 出现超过 ${most} 次`,
  textLimit: (size) => `${size}（文本和部分标头）`,
  brokenOff: "请求尚未完成，连接就已关闭。",
};
