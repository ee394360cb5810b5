// The mail about unread notifications, as plain text and as simple HTML. It links only to the site.
import { type Locale, tagOf, wordsIn } from "#words/languages.js";
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
  /** The number of unread ones that are not listed. */
  more: number;
  unsubscribeUrl: string;
  locale?: Locale;
}

export interface DigestMail extends MailText {
  html: string;
}

export function digestMail(input: DigestInput): DigestMail {
  const { siteUrl, userName, items, more, unsubscribeUrl, locale = "en" } = input;
  const { digest: t, frame } = wordsIn(locale).mails;
  const site = siteUrl.replace(/\/+$/, "");
  const subject = t.subject(items.length + more);
  const everything = `${site}/dashboard/notifications`;
  const text = [
    frame.helloName(userName),
    `${t.news} ${site}/`,
    ...items.map((item) => `* ${item.text}\n  ${item.url}`),
    `${t.all(more)}: ${everything}`,
    `${t.why} ${t.end}:\n${unsubscribeUrl}`,
    `-- \n${site}/`,
  ].join("\n\n");
  const html = [
    `<!doctype html><html lang="${tagOf(locale)}"><meta charset="utf-8"><title>${escaped(subject)}</title><body>`,
    `<p>${escaped(frame.helloName(userName))}</p><p>${t.news} ${link(`${site}/`)}</p><ul>`,
    ...items.map((item) => `<li>${link(item.url, item.text)}</li>`),
    `</ul><p>${link(everything, t.all(more))}</p>`,
    `<p>${t.why} ${link(unsubscribeUrl, t.end)}</p>`,
    "</body></html>",
  ].join("\n");
  return { subject, text: `${text}\n`, html };
}

const link = (url: string, text = url): string => `<a href="${escaped(url)}">${escaped(text)}</a>`;

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character]!);
