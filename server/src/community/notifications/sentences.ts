// The sentence of a notification: in English for the API, in the language of its reader on pages and in mails.
import type { NotificationNames } from "#words/en/notifications.js";
import { type Locale, wordsIn } from "#words/languages.js";
import type { Notification } from "./shapes.js";

export const sentenceFor = (type: string, names: NotificationNames, locale: Locale = "en"): string => {
  const { notifications } = wordsIn(locale);
  const isKnown = (name: string): name is keyof typeof notifications => Object.hasOwn(notifications, name);
  return notifications[isKnown(type) ? type : "news"](names);
};

export function sentenceIn(locale: Locale, { type, text, about, body }: Notification): string {
  if (locale === "en") return text;
  const names: NotificationNames = {
    project: about?.name,
    organization: undefined,
    inviter: undefined,
    user: undefined,
    author: typeof body.author === "string" ? body.author : undefined,
    token: String(body.tokenName ?? ""),
    daysLeft: Number(body.daysLeft ?? 0),
    versions: [],
    versionCount: Number(body.versionCount ?? 1),
    role: "",
    status: String(body.new_status ?? ""),
  };
  return sentenceFor(type, names, locale);
}
