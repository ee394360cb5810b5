// Sends a real mail on request and says in one word what became of it. The reply of the other side is shown only if it is a
// mail server's reply to a mail, so that the test tells nothing about other services in the operator's network.
import { reasonOf } from "#lib/reason-of.js";
import { type Mail, type MailConfig, openMailer } from "#platform/mail/mailer.js";

export type MailOutcome =
  | "accepted"
  | "unknownHost"
  | "refused"
  | "silent"
  | "insecure"
  | "noMailServer"
  | "wrongLogin"
  | "wrongAddress"
  | "wrongMessage"
  | "failed";

export interface MailTrial {
  outcome: MailOutcome;
  /** The line that the mail server sent. */
  reply?: string;
}

/** For everything together: each step has its own, shorter limit. */
const wholeMs = 15_000;
const stepMs = 8000;
const replyLength = 200;

export async function tryMail(config: MailConfig, mail: Mail, limitMs = wholeMs): Promise<MailTrial> {
  const mailer = openMailer(config, Math.min(stepMs, limitMs));
  const { promise: tooLong, resolve } = Promise.withResolvers<MailTrial>();
  const timer = setTimeout(() => resolve({ outcome: "silent" }), limitMs);
  const sent = mailer.send(mail).then((): MailTrial => ({ outcome: "accepted" }), toTrial);
  try {
    return await Promise.race([sent, tooLong]);
  } finally {
    clearTimeout(timer);
    mailer.close();
  }
}

const byCode: Record<string, MailOutcome> = {
  EDNS: "unknownHost",
  ENOTFOUND: "unknownHost",
  EAI_AGAIN: "unknownHost",
  ECONNREFUSED: "refused",
  EHOSTUNREACH: "refused",
  ENETUNREACH: "refused",
  ECONNRESET: "refused",
  ETIMEDOUT: "silent",
  ETLS: "insecure",
  EPROTO: "insecure",
  EPROTOCOL: "noMailServer",
  ECONNECTION: "noMailServer",
  EAUTH: "wrongLogin",
  ENOAUTH: "wrongLogin",
  EENVELOPE: "wrongAddress",
  EMESSAGE: "wrongMessage",
};
const withReply: ReadonlySet<MailOutcome> = new Set(["wrongLogin", "wrongAddress", "wrongMessage"]);

function toTrial(error: unknown): MailTrial {
  const {
    code = "",
    originalCode = "",
    response,
  } = error as { code?: string; originalCode?: string; response?: string };
  // Node has dozens of codes for certificates; nodemailer has one for every failure of a socket.
  const isCertificate =
    code === "ESOCKET" && /certificate|_CERT|CERT_|ERR_SSL|ERR_TLS/.test(`${originalCode} ${reasonOf(error)}`);
  const outcome = isCertificate ? "insecure" : (byCode[originalCode] ?? byCode[code] ?? "failed");
  if (!withReply.has(outcome) || typeof response !== "string") return { outcome };
  return { outcome, reply: response.split(/[\r\n]/, 1)[0]!.slice(0, replyLength) };
}
