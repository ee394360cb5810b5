// The mail that tells of unread notifications, in plain text and as a simple page. It links to the site and nowhere else.
import type { MailText } from "./messages.js";

export interface DigestItem {
  /** A sentence; names in it are chosen by users. */
  text: string;
  url: string;
}

export interface DigestInput {
  siteUrl: string;
  userName: string;
  items: readonly DigestItem[];
  /** Unread ones that are not listed. */
  more: number;
  unsubscribeUrl: string;
}

export interface DigestMail extends MailText {
  html: string;
}

export function digestMail({ siteUrl, userName, items, more, unsubscribeUrl }: DigestInput): DigestMail {
  const site = siteUrl.replace(/\/+$/, "");
  const count = items.length + more;
  const subject = count === 1 ? "One new notification" : `${count} new notifications`;
  const everything = `${site}/dashboard/notifications`;
  const rest = more === 0 ? "See them all" : `And ${more} more. See them all`;
  const text = [
    `Hello ${userName},`,
    `there is news for you at ${site}/`,
    ...items.map((item) => `* ${item.text}\n  ${item.url}`),
    `${rest}: ${everything}`,
    `You get this mail because your notification settings ask for it. End these mails:\n${unsubscribeUrl}`,
    `-- \n${site}/`,
  ].join("\n\n");
  const html = [
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escaped(subject)}</title><body>`,
    `<p>Hello ${escaped(userName)},</p><p>there is news for you at ${link(`${site}/`)}</p><ul>`,
    ...items.map((item) => `<li>${link(item.url, item.text)}</li>`),
    `</ul><p>${link(everything, rest)}</p>`,
    `<p>You get this mail because your notification settings ask for it. ${link(unsubscribeUrl, "End these mails")}</p>`,
    "</body></html>",
  ].join("\n");
  return { subject, text: `${text}\n`, html };
}

const link = (url: string, text = url): string => `<a href="${escaped(url)}">${escaped(text)}</a>`;

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character]!);
