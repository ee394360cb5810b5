// Chinese words of why a message to a webhook was not delivered.
import type { Words } from "#words/en/catalogue.js";

export const deliveries: Words["deliveries"] = {
  noAnswerWithin: (seconds) => `${seconds} 秒内没有响应`,
  reservedHost: "该主机名仅供示例使用",
  unknownHost: "找不到该主机名",
  privateHost: "该主机名解析到私有地址",
  refusedUrl: (problem) => `网址${problem}`,
  tlsFailed: (code) => `TLS 证书或连接无效（${code}）`,
  notHttp: "响应不是有效的 HTTP",
  connectionFailed: (code) => `连接失败${code && `（${code}）`}`,
  tooLarge: "响应过大",
  gone: "接收方表示它已永久移除（410）",
  pause: (status) => `接收方要求暂停（${status}）`,
  redirect: (status) => `接收方重定向到别处（${status}），不会跟随`,
  answered: (status) => `接收方的响应为 ${status}`,
  switchedOff: "该 Webhook 已被关闭",
};
