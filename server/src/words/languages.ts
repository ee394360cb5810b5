// The languages of the site and its mails. A new language needs its folder of words and its entry here
// (docs/translating.md).
import { catalogue as de } from "./de/catalogue.js";
import { catalogue as en, type Words } from "./en/catalogue.js";
import { catalogue as zh } from "./zh/catalogue.js";

/** The key is the language in URLs, cookies and settings; the tag (BCP 47) is for browsers; the name is its own. */
export const languages = {
  en: { tag: "en", name: "English", words: en },
  de: { tag: "de", name: "Deutsch", words: de },
  zh: { tag: "zh-Hans", name: "简体中文", words: zh },
} as const satisfies Record<string, { tag: string; name: string; words: Words }>;

export type Locale = keyof typeof languages;

export const locales = Object.keys(languages) as readonly Locale[];

export const isLocale = (text: string | null | undefined): text is Locale =>
  text !== null && text !== undefined && Object.hasOwn(languages, text);

/** A row may hold a language that the site no longer has. */
const languageOf = (locale: Locale) => (isLocale(locale) ? languages[locale] : languages.en);

export const wordsIn = (locale: Locale): Words => languageOf(locale).words;

export const tagOf = (locale: Locale): string => languageOf(locale).tag;

/** The language of the site for a tag that a browser sends, such as `de-AT`. */
export function localeForTag(tag: string): Locale | undefined {
  const language = tag.split("-", 1)[0]!.toLowerCase();
  return isLocale(language) && isSameScript(tag, tagOf(language)) ? language : undefined;
}

/** `zh-TW` means Traditional Chinese: its readers may prefer their next language to Simplified Chinese. */
function isSameScript(wanted: string, offered: string): boolean {
  if (!offered.includes("-")) return true;
  try {
    return new Intl.Locale(wanted).maximize().script === new Intl.Locale(offered).script;
  } catch {
    return false;
  }
}
