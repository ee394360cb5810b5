// Words in every language of the site. Each area keeps its own, English and the others side by side; a language that
// lacks one does not compile. Words with parts that change are functions.
import type { ComponentChildren } from "preact";
import { useFrame } from "./frame.js";
import type { Locale } from "./locale.js";

type Words = { readonly [key: string]: string | ((...parts: never[]) => ComponentChildren) | Words };
type Same<T> = {
  readonly [K in keyof T]: T[K] extends string
    ? string
    : T[K] extends (...parts: infer P) => infer R
      ? (...parts: P) => R extends string ? string : ComponentChildren
      : Same<T[K]>;
};

export type Texts<T> = { readonly en: T } & { readonly [L in Exclude<Locale, "en">]: Same<T> };

/** Of the whole site; the tests hold the languages against each other and against the pages. */
export const catalogues: Record<Locale, Words>[] = [];

/** English first: it says which words there are. */
export const defineTexts = <const T extends Words>(texts: Texts<T>): Texts<T> => {
  catalogues.push(texts as unknown as Record<Locale, Words>);
  return texts;
};

export const textsIn = <T>(texts: Texts<T>, locale: Locale): Same<T> => texts[locale] as Same<T>;

/** The words in the language of the page that is being rendered. */
export const useTexts = <T>(texts: Texts<T>): Same<T> => textsIn(texts, useFrame().locale);
