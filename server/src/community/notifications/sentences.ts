// The sentence of a notification: in English for the API, in the language of its reader on pages and in mails.
import type { NotificationNames } from "#words/en/notifications.js";
import { type Locale, wordsIn } from "#words/languages.js";

export const sentenceFor = (type: string, names: NotificationNames, locale: Locale = "en"): string => {
  const { notifications } = wordsIn(locale);
  const isKnown = (name: string): name is keyof typeof notifications => Object.hasOwn(notifications, name);
  return notifications[isKnown(type) ? type : "news"](names);
};
