// The languages of the site and its mails. A new language needs its folder of words and its entry here
// (docs/translating.md).
import { catalogue as de } from "./de/catalogue.js";
import { catalogue as en, type Words } from "./en/catalogue.js";

/** Each with the name that it has for itself. */
export const languages = {
  en: { name: "English", words: en },
  de: { name: "Deutsch", words: de },
} as const satisfies Record<string, { name: string; words: Words }>;

export type Locale = keyof typeof languages;

export const locales = Object.keys(languages) as readonly Locale[];

export const isLocale = (text: string | null | undefined): text is Locale =>
  text !== null && text !== undefined && Object.hasOwn(languages, text);

export const wordsIn = (locale: Locale): Words => languages[locale].words;
