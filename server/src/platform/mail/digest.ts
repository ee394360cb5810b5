// The mail that tells of unread notifications, in plain text and as a simple page. It links to the site and nowhere else.
import type { Locale } from "#words/languages.js";
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
  locale?: Locale;
}

export interface DigestMail extends MailText {
  html: string;
}

const words = {
  en: {
    subject: (count: number) => (count === 1 ? "One new notification" : `${count} new notifications`),
    hello: (name: string) => `Hello ${name},`,
    news: "there is news for you at",
    all: (more: number) => (more === 0 ? "See them all" : `And ${more} more. See them all`),
    why: "You get this mail because your notification settings ask for it.",
    end: "End these mails",
  },
  de: {
    subject: (count: number) => (count === 1 ? "Eine neue Benachrichtigung" : `${count} neue Benachrichtigungen`),
    hello: (name: string) => `Hallo ${name},`,
    news: "es gibt Neues für dich auf",
    all: (more: number) => (more === 0 ? "Alle ansehen" : `Und ${more} weitere. Alle ansehen`),
    why: "Du bekommst diese E-Mail, weil du sie in deinen Einstellungen verlangt hast.",
    end: "Diese E-Mails beenden",
  },
} satisfies Record<Locale, unknown>;

export function digestMail(input: DigestInput): DigestMail {
  const { siteUrl, userName, items, more, unsubscribeUrl, locale = "en" } = input;
  const t = words[locale];
  const site = siteUrl.replace(/\/+$/, "");
  const subject = t.subject(items.length + more);
  const everything = `${site}/dashboard/notifications`;
  const text = [
    t.hello(userName),
    `${t.news} ${site}/`,
    ...items.map((item) => `* ${item.text}\n  ${item.url}`),
    `${t.all(more)}: ${everything}`,
    `${t.why} ${t.end}:\n${unsubscribeUrl}`,
    `-- \n${site}/`,
  ].join("\n\n");
  const html = [
    `<!doctype html><html lang="${locale}"><meta charset="utf-8"><title>${escaped(subject)}</title><body>`,
    `<p>${escaped(t.hello(userName))}</p><p>${t.news} ${link(`${site}/`)}</p><ul>`,
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
