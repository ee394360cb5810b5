// Finds the projects that match a text, and how well: a project must contain every word. If there are few results,
// words with typing errors count as well. Filters have no influence on this, so that a filter only narrows the results.

import { Bits } from "./bits.js";
import { allowedEdits } from "./edits.js";
import type { QueryScores } from "./query-scores.js";
import type { SearchIndex } from "./search-index.js";
import type { SlotSet } from "./slot-set.js";
import type { Run } from "./term-run.js";
import { fieldsOf, slotOf } from "./terms.js";
import { stemOf, type Word } from "./words.js";

/** The score of a word, by field and kind of match. Name, slug, author, summary; then the description. */
const worth = {
  exact: byFields(100, 80, 60, 40),
  beginning: byFields(75, 55, 42, 26),
  stem: byFields(60, 45, 30, 18),
  oneSlip: byFields(50, 38, 24, 12),
  twoSlips: byFields(36, 28, 16, 8),
};
const worthInDescription = 5;
/** The text is the whole name or slug, or the beginning of the name: the highest scores. */
const worthAsName = { exact: byFields(255, 220, 0, 0), beginning: byFields(180, 0, 0, 0) };
/** All words are in the name, at least as beginnings of words. */
export const worthInName = 75;

/** The best worth for each combination of fields. */
function byFields(name: number, slug: number, author: number, summary: number): Uint8Array {
  const of = [name, slug, author, summary];
  return Uint8Array.from({ length: 16 }, (_, mask) => Math.max(0, ...of.filter((_, bit) => mask & (1 << bit))));
}

/** Fewer results than this are few. */
const enough = 4;
/** A word with more results than this is not a typing error. */
const seldom = 20;

export interface Match {
  found: Bits;
  /** The projects that have a word in their name, slug, author or summary. All others have the same score. */
  rated: Bits;
  /** From 1 to 100 by the words, and more for the name as a whole. */
  worthOf(slot: number): number;
  /** The text with the most similar words instead of those that no project has. */
  meant?: string | undefined;
}

interface WordMatch {
  word: Word;
  /** In any field. */
  found: Bits;
  /** In another field than the description. */
  rated: Bits;
  worths: QueryScores;
  /** The most similar word, if it was looked for. */
  near?: { text: string; slips: number; most: number } | undefined;
}

interface MatchedText {
  words: readonly Word[];
  /** The text as one word. */
  key: string;
  /** The projects with each word in their description. */
  described: ReadonlyMap<string, SlotSet>;
  /** The projects whose loader or category has the word in its name. */
  tagged: ReadonlyMap<string, readonly SlotSet[]>;
}

export function match(searchIndex: SearchIndex, { words, key, described, tagged }: MatchedText): Match {
  // A text of punctuation only: no project matches.
  if (words.length === 0) return { found: new Bits(0), rated: new Bits(0), worthOf: () => 0 };
  // A single letter is the beginning of too many words; matchName handles it for names.
  const isLetter = words.length === 1 && words[0]!.text.length === 1;
  const matches = words.map((word, index) =>
    matchWord(searchIndex, word, {
      described: [described.get(word.text) ?? [], tagged.get(word.text) ?? []].flat(),
      isWhole: word.isPiece || isLetter,
      index,
    }),
  );
  const named = matchName(searchIndex, key, words.length);
  const strict = combine(searchIndex, matches, named);
  const count = strict.found.count();
  if (!named.isEmpty || count >= enough) return strict;
  if (matches.map((each) => addStem(searchIndex, each)).includes(true)) {
    const wider = combine(searchIndex, matches, named);
    if (wider.found.count() > count) return wider;
  }
  // An unknown word is the mistyped one; if it has no similar words, a rare word may be mistyped.
  const unknown = matches.filter(({ found }) => found.isEmpty());
  if (unknown.length > 0) {
    if (!unknown.every((each) => addNear(searchIndex, each))) return strict;
    const mended = combine(searchIndex, matches, named);
    if (!mended.found.isEmpty())
      return { ...mended, meant: matches.map(({ word, near }) => near?.text ?? word.text).join(" ") };
  }
  const rare = matches.filter((each) => !unknown.includes(each) && each.found.count() <= seldom);
  const isWider = rare.map((each) => addNear(searchIndex, each)).includes(true);
  return isWider ? combine(searchIndex, matches, named) : strict;
}

/** `isWhole`: words that only begin with it do not count. */
function matchWord(
  searchIndex: SearchIndex,
  word: Word,
  { described, isWhole, index }: { described: readonly SlotSet[]; isWhole: boolean; index: number },
): WordMatch {
  const rated = searchIndex.bits.take();
  const worths = searchIndex.scores(index);
  const { terms } = searchIndex;
  for (const run of terms.exactly(word.text)) note(run, worth.exact, rated, worths);
  if (!isWhole) for (const run of terms.beginningWith(word.text)) note(run, worth.beginning, rated, worths);
  const found = searchIndex.bits.copy(rated);
  for (const set of described) set.orInto(found);
  return { word, found, rated, worths };
}

/** Most of the time of a query is spent here, so that occurrences are unpacked as in packed-numbers.ts, but not stored. */
function note(run: Run, worthBy: Uint8Array, found: Bits, scores: QueryScores): void {
  const { values: worths } = scores;
  const { bytes, starts, from, to } = run.packed;
  scores.note(run);
  for (let word = from; word < to; word++) {
    let [place, at] = [0, starts[word]!];
    for (const end = starts[word + 1]!; at < end; ) {
      const byte = bytes[at++]!;
      place += byte & 127;
      if (byte > 127)
        for (let shift = 7; ; shift += 7) {
          const more = bytes[at++]!;
          place += (more & 127) << shift;
          if (more < 128) break;
        }
      const value = worthBy[fieldsOf(place)]!;
      if (value === 0) continue;
      const slot = slotOf(place);
      if (worths[slot]! < value) worths[slot] = value;
      found.add(slot);
    }
  }
}

/** Adds other forms of the word. Returns whether there were any. */
function addStem({ terms }: SearchIndex, { word, found, rated, worths }: WordMatch): boolean {
  const stem = word.isPiece ? undefined : stemOf(word.text);
  if (stem === undefined) return false;
  const runs = [...terms.exactly(stem), ...terms.beginningWith(stem)];
  for (const run of runs) note(run, worth.stem, rated, worths);
  found.or(rated);
  return runs.length > 0;
}

/** Returns whether there were any. */
function addNear({ terms }: SearchIndex, match: WordMatch): boolean {
  const { word, found, rated, worths } = match;
  if (word.isPiece) return false;
  let isFound = false;
  for (const run of terms.near(word.text, allowedEdits([...word.text].length))) {
    note(run, run.slips === 1 ? worth.oneSlip : worth.twoSlips, rated, worths);
    isFound = true;
    const { text, slips, most } = run;
    const { near } = match;
    if (!near || slips < near.slips || (slips === near.slips && most > near.most)) match.near = { text, slips, most };
  }
  found.or(rated);
  return isFound;
}

/** "iron chests" and "ironchests" both find "Ironchests" and "Iron Chests". */
function matchName(searchIndex: SearchIndex, key: string, index: number) {
  const [found, worths] = [searchIndex.bits.take(), searchIndex.scores(index)];
  for (const run of searchIndex.names.exactly(key)) note(run, worthAsName.exact, found, worths);
  // A single letter says too little about a name to rank it above names that have the letter as a word.
  const worthOfBeginning = key.length > 1 ? worthAsName.beginning : worth.beginning;
  for (const run of searchIndex.names.beginningWith(key)) note(run, worthOfBeginning, found, worths);
  if (searchIndex.hasDead) found.and(searchIndex.live);
  return { found, worths, isEmpty: found.isEmpty() };
}

function combine(
  searchIndex: SearchIndex,
  matches: readonly WordMatch[],
  named: { found: Bits; worths: QueryScores; isEmpty: boolean },
): Match {
  const found = searchIndex.bits.copy(matches[0]!.found);
  const rated = searchIndex.bits.copy(named.found);
  for (const [index, each] of matches.entries()) {
    if (index > 0) found.and(each.found);
    rated.or(each.rated);
  }
  if (searchIndex.hasDead) found.and(searchIndex.live);
  if (!named.isEmpty) found.or(named.found);
  rated.and(found);
  const [first, ...others] = matches.map(({ worths }) => worths.values);
  const ofNames = named.worths.values;
  const worthOf = (slot: number): number => {
    let sum = first![slot] || worthInDescription;
    for (let at = 0; at < others.length; at++) sum += others[at]![slot] || worthInDescription;
    return Math.max(ofNames[slot]!, Math.round(sum / matches.length));
  };
  return { found, rated, worthOf };
}
