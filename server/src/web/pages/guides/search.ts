// Finds sections of the guides by words: all words must occur in the section or its titles, at the beginning of a word.
// The texts are small enough to read all of them for each search (some 200 KB); the question is limited instead.
import type { Guide, Section } from "./guide.js";

/** Further letters and words are ignored. */
export const longestQuestion = 100;
const mostWords = 8;
const mostFound = 20;
const lettersBefore = 60;
const lettersAfter = 140;

export interface Found {
  guide: Guide;
  section: Section;
  /** The text around the first match. */
  excerpt: Piece[];
}

interface Piece {
  text: string;
  isMatch: boolean;
}

interface Place {
  guide: Guide;
  section: Section;
  page: string;
  heading: string;
  text: string;
}

const places = new WeakMap<Guide, Place[]>();

/** Words in small letters between spaces. */
const toWords = (text: string): string => ` ${text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ")} `;

function placesOf(guide: Guide): Place[] {
  const known = places.get(guide);
  if (known) return known;
  const made = guide.sections.map((section) => ({
    ...{ guide, section, page: toWords(guide.title), heading: toWords(section.title), text: toWords(section.text) },
  }));
  places.set(guide, made);
  return made;
}

export function searchGuides(guides: Iterable<Guide>, question: string): Found[] {
  const words = [...new Set(toWords(question.slice(0, longestQuestion)).trim().split(" "))].slice(0, mostWords);
  if (words[0] === "") return [];
  return [...guides]
    .flatMap((guide) => placesOf(guide))
    .map((place) => ({ place, rank: rankOf(place, words) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank)
    .slice(0, mostFound)
    .map(({ place: { guide, section } }) => ({ guide, section, excerpt: excerptOf(section.text, words) }));
}

/** 0 if a word is missing. */
function rankOf({ page, heading, text }: Place, words: readonly string[]): number {
  let rank = 0;
  for (const word of words) {
    const own = rankIn(heading, word, 12, 8) + rankIn(page, word, 6, 4) + countIn(text, word);
    if (own === 0) return 0;
    rank += own;
  }
  const phrase = words.join(" ");
  return rank + (words.length > 1 ? rankIn(heading, phrase, 12, 10) + rankIn(text, phrase, 4, 4) : 0);
}

const rankIn = (text: string, word: string, whole: number, beginning: number): number =>
  text.includes(` ${word} `) ? whole : text.includes(` ${word}`) ? beginning : 0;

/** Occurrences up to a limit: a long section is not better because it is long. */
function countIn(text: string, word: string): number {
  let count = 0;
  for (let at = text.indexOf(` ${word}`); at >= 0 && count < 5; at = text.indexOf(` ${word}`, at + 1)) count++;
  return count;
}

function excerptOf(text: string, words: readonly string[]): Piece[] {
  const pieces = text.split(/([\p{L}\p{N}]+)/u).map((piece, at) => ({
    text: piece,
    isMatch: at % 2 === 1 && words.some((word) => piece.toLowerCase().startsWith(word)),
  }));
  let from = Math.max(
    pieces.findIndex(({ isMatch }) => isMatch),
    0,
  );
  let to = from;
  for (let letters = 0; from > 0 && letters < lettersBefore; ) letters += pieces[--from]!.text.length;
  for (let letters = 0; to < pieces.length && letters < lettersAfter; ) letters += pieces[to++]!.text.length;
  const cut = { text: "…", isMatch: false };
  return [...(from > 0 ? [cut] : []), ...pieces.slice(from, to), ...(to < pieces.length ? [cut] : [])];
}
