// The service itself speaks English, whoever asks (errors.ts, contracts, checks). On a page the same sentences stand in the
// language of the page: each is found by its English words, with the parts that change in their places.
import { AsyncLocalStorage } from "node:async_hooks";
import { type SentencePair, sentenceBook } from "#lib/sentence-book.js";
import { refusalSentences } from "#platform/errors.js";
import type { Locale } from "#words/languages.js";
import { checkupDe } from "./checkup-de.js";
import { filesDe } from "./files-de.js";
import { refusalsDe } from "./refusals-de.js";
import { serviceDe } from "./service-de.js";
import { settingGroupsDe, settingsDe } from "./settings-de.js";

/** English words of refusals, with {0}, {1} for their parts. */
export const refusalTemplates: readonly (readonly [code: string, english: string])[] = Object.entries(
  refusalSentences,
).map(([code, sentence]) => [code, (sentence as (...parts: string[]) => string)("{0}", "{1}", "{2}")]);

const pairs: readonly SentencePair[] = [
  ...refusalTemplates.flatMap(([code, english]): SentencePair[] => {
    const german = refusalsDe[code];
    return german === undefined ? [] : [[english, german]];
  }),
  ...serviceDe,
  ...filesDe,
  ...checkupDe,
  ...settingGroupsDe,
];

const german = sentenceBook(pairs);

/** The sentence in this language; as it is where nothing else is known. */
export const sentenceIn = (locale: Locale, text: string): string => (locale === "en" ? text : (german(text) ?? text));

/** What a setting does. */
export const settingIn = (locale: Locale, { name, description }: { name: string; description: string }): string =>
  (locale === "en" ? undefined : settingsDe[name]) ?? description;

const speaking = new AsyncLocalStorage<Locale>();

/** While a form is dealt with, what is wrong with it is said in this language (form.ts). */
export const speakingIn = <T>(locale: Locale, work: () => T): T => speaking.run(locale, work);
export const spoken = (text: string): string => sentenceIn(speaking.getStore() ?? "en", text);
