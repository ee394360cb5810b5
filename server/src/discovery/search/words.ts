// Splits a text into search words: words without case and accents; and, for scripts without spaces between words, every
// one, two and three letters in a row, so that any part of a text is found. The same for the index and for queries.

import { uniquePlainWords } from "./plain-words.js";

/** Users do not type longer words; a longer word is indexed by its beginning. */
const longestWord = 40;

const unlikeLetters: Record<string, string> = {
  ...{ ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", ı: "i", ς: "σ" },
};

/** In lower case, without accents; marks that form another letter (Japanese, Thai, Indian scripts) stay. */
export const fold = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[\u0300-\u036f]/g, "")
    .replaceAll(/[ßæœøłđðþıς]/g, (letter) => unlikeLetters[letter]!)
    .normalize("NFC");

const runs = /[\p{L}\p{N}\p{M}]+|\p{So}/gu;
const unspaced =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]+/gu;
const apostrophe = /(?<=\p{L})['\u2019](?=\p{L})/gu;

export interface Word {
  text: string;
  /** A piece of a script without spaces: it matches exactly, never by its beginning or with a typing error. */
  isPiece: boolean;
}

/** Runs of letters and digits, those of scripts without spaces separate from the others. */
function* splitRuns(folded: string): Generator<Word> {
  for (const [run] of folded.matchAll(runs)) {
    let end = 0;
    for (const match of run.matchAll(unspaced)) {
      if (match.index > end) yield { text: run.slice(end, match.index), isPiece: false };
      yield { text: match[0], isPiece: true };
      end = match.index + match[0].length;
    }
    if (end < run.length) yield { text: run.slice(end), isPiece: false };
  }
}

const cut = (word: string): string => (word.length > longestWord ? word.slice(0, longestWord) : word);

/** All pieces of this many consecutive letters. */
function* piecesOf(letters: readonly string[], length: number): Generator<string> {
  for (let start = 0; start + length <= letters.length; start++) yield letters.slice(start, start + length).join("");
}

/** The words of a query without duplicates: all of them must be found. */
export function toQueryWords(text: string): Word[] {
  const words = new Map<string, Word>();
  if (plainText.test(text)) {
    for (const word of plainWords(text)) words.set(word, { text: word, isPiece: false });
    return [...words.values()];
  }
  for (const run of splitRuns(fold(text).replaceAll(apostrophe, ""))) {
    const letters = run.isPiece ? [...run.text] : [];
    const texts = run.isPiece ? piecesOf(letters, Math.min(letters.length, 3)) : [cut(run.text)];
    for (const word of texts) words.set(word, { text: word, isPiece: run.isPiece });
  }
  return [...words.values()];
}

const endings = /(?:ings?|ers?|ed|es|s)$/;
const doubled = /([bdglmnprt])\1$/;

/** The beginning that the forms of an English word share: "building" and "builder" have "build". Undefined if there is none. */
export function stemOf(word: string): string | undefined {
  const stem = word.replace(endings, "");
  if (stem === word || stem.length < 3 || !/^[a-z]+$/.test(stem)) return undefined;
  return stem.length > 3 ? stem.replace(doubled, "$1") : stem;
}

/** Most texts need no folding except for capitals. */
const plainText = /^[ -&(-~\s]*$/;
const plainRuns = /[a-z0-9]+/g;

const plainWords = (text: string): string[] => text.toLowerCase().match(plainRuns)?.map(cut) ?? [];

/** All search words of a text. */
export function toIndexedWords(text: string): Iterable<string> {
  if (plainText.test(text)) return plainWords(text);
  const folded = fold(text);
  const words = wordsOfRuns(folded);
  // "l'eau" is found by "eau", and "dont" finds "don't".
  return folded.search(apostrophe) < 0 ? words : [...words, ...wordsOfRuns(folded.replaceAll(apostrophe, ""))];
}

function* wordsOfRuns(folded: string): Generator<string> {
  for (const { text, isPiece } of splitRuns(folded)) {
    if (!isPiece) yield cut(text);
    else {
      const letters = [...text];
      for (const length of [1, 2, 3]) yield* piecesOf(letters, length);
    }
  }
}

/** A name as one word: "Better Grass", "better-grass" and "BetterGrass" are the same. */
export const toKey = (text: string): string =>
  plainText.test(text)
    ? (text.toLowerCase().match(plainRuns)?.join("") ?? "")
    : [...splitRuns(fold(text).replaceAll(apostrophe, ""))].map((run) => run.text).join("");

/** The words of a name, and the parts of a name like "BetterGrass". */
export function* toNameWords(name: string): Generator<string> {
  yield* toIndexedWords(name);
  const parted = name.replaceAll(/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, " ");
  if (parted !== name) yield* toIndexedWords(parted);
}

/** Far below PostgreSQL's limit for one document. */
const mostBytes = 400_000;
/** Plain texts of this length cannot have too many words. */
const shortEnough = mostBytes / 9;
const isShortAndPlain = (text: string): boolean => text.length <= shortEnough && plainText.test(text);

const withoutUrlsAndTags = (markdown: string): string =>
  markdown
    .replaceAll(/<[^<>]{0,500}>/g, " ")
    .replaceAll(/\]\([^()\s]{0,1000}/g, "] ")
    .replaceAll(/\bhttps?:\/\/\S+/g, " ");

/** The words of a Markdown text, each once, without URLs and tags. */
export const toTextWords = (markdown: string): Set<string> => uniqueWords(withoutUrlsAndTags(markdown));

/** The same words in one text, separated by spaces. A few may occur twice. */
export function toWordList(markdown: string): string {
  const plain = withoutUrlsAndTags(markdown);
  return isShortAndPlain(plain) ? uniquePlainWords(plain, longestWord) : [...uniqueWords(plain)].join(" ");
}

function uniqueWords(plain: string): Set<string> {
  if (isShortAndPlain(plain)) return new Set(uniquePlainWords(plain, longestWord).split(" ").filter(Boolean));
  const words = new Set<string>();
  let bytes = 0;
  for (const word of toIndexedWords(plain)) {
    if (words.has(word)) continue;
    bytes += Buffer.byteLength(word) + 8;
    if (bytes > mostBytes) break;
    words.add(word);
  }
  return words;
}

/** Longer than `longestWord`. The look-behind fails at once inside of words, so that every letter is read once. */
const longWords = /(?<![A-Za-z0-9])[A-Za-z0-9]{41,}/g;

/**
 * The same words in one text, for an engine that finds the words of ASCII texts itself, ten times as quickly. They may
 * occur several times and in capitals, with punctuation in between.
 */
export function toWordText(markdown: string): string {
  const plain = withoutUrlsAndTags(markdown);
  return isShortAndPlain(plain) ? plain.replaceAll(longWords, cut) : [...uniqueWords(plain)].join(" ");
}
