// The languages of the site and its mails.

export const locales = ["en", "de"] as const;
export type Locale = (typeof locales)[number];

/** What the languages call themselves. */
export const localeNames: Record<Locale, string> = { en: "English", de: "Deutsch" };

export const isLocale = (text: string | null | undefined): text is Locale =>
  (locales as readonly string[]).includes(text ?? "");
