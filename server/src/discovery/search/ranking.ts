// Orders the results and selects the page. All ranking happens here, so that it is the same on both databases. Exact
// names come first, then names that begin with the text, then the highest score.

import type { Bits } from "./bits.js";
import { type Match, worthInName } from "./matching.js";
import type { FigureSort } from "./orders.js";
import type { SearchIndex } from "./search-index.js";

/** The steps between two scores leave room for lesser criteria. Popularity (orders.ts) never outweighs 25 of them. */
const perWorth = 4;
/** For a name that equals the text; less if the text is only a part of it. */
const wholeName = 40;
/** Sorting a result costs as much as so many steps through all projects in order. */
const stepsPerResult = 8;
const mostScore = 256 * perWorth + wholeName + 256;

export interface Page {
  offset: number;
  limit: number;
}

/**
 * Sorts by a figure. Few results are sorted by their ranks; for many, the first ones are found quickly by going through
 * all projects in order.
 */
export function pageBy(
  searchIndex: SearchIndex,
  sort: FigureSort,
  { found, total }: { found: Bits; total: number },
  { offset, limit }: Page,
): string[] {
  const { ids, orders } = searchIndex;
  const slots = orders.by(sort);
  if (total === slots.length) return Array.from(slots.subarray(offset, offset + limit), (slot) => ids.at(slot));
  // On average, so many projects come before the end of the page.
  const steps = ((offset + limit) * slots.length) / total;
  if (total * stepsPerResult < steps) {
    const ranks = orders.ranksBy(sort);
    const sorted = found
      .list(total)
      .map((slot) => ranks[slot]!)
      .sort();
    return Array.from(sorted.subarray(offset, offset + limit), (rank) => ids.at(slots[rank]!));
  }
  const page: string[] = [];
  let toSkip = offset;
  for (let at = 0; at < slots.length && page.length < limit; at++)
    if (found.has(slots[at]!) && toSkip-- <= 0) page.push(ids.at(slots[at]!));
  return page;
}

/**
 * Sorts by relevance for a text with so many letters. Projects with matches in their description alone come last, by
 * their downloads: for a common word there are many of them, and nothing else distinguishes them.
 */
export function pageByRelevance(
  searchIndex: SearchIndex,
  match: Match,
  found: Bits,
  letters: number,
  page: Page,
): string[] {
  const rated = searchIndex.bits.copy(found).and(match.rated).list();
  const best = page.offset < rated.length ? pageOfRated(searchIndex, match, rated, letters, page) : [];
  if (best.length === page.limit) return best;
  const rest = {
    offset: Math.max(0, page.offset - rated.length),
    limit: page.limit - best.length,
  };
  const others = searchIndex.bits.copy(found).andNot(match.rated);
  return [...best, ...pageBy(searchIndex, "downloads", { found: others, total: others.count() }, rest)];
}

function pageOfRated(
  searchIndex: SearchIndex,
  match: Match,
  slots: Uint32Array,
  letters: number,
  page: Page,
): string[] {
  const { orders, nameLengths } = searchIndex;
  const { popularity } = orders;
  const scores = new Uint16Array(slots.length);
  const having = new Uint32Array(mostScore);
  for (let at = 0; at < slots.length; at++) {
    const slot = slots[at]!;
    const worth = match.worthOf(slot);
    const share = worth < worthInName ? 0 : Math.min(1, letters / nameLengths[slot]!);
    const score = worth * perWorth + popularity[slot]! + Math.round(share * wholeName);
    scores[at] = score;
    having[score]!++;
  }
  // Only the scores on the page are sorted further: by downloads, then by id.
  const { highest, lowest, before } = scoresOf(page, having);
  const ranks = orders.ranksBy("downloads");
  const sortable: number[] = [];
  for (let at = 0; at < slots.length; at++) {
    const score = scores[at]!;
    if (score <= highest && score >= lowest) sortable.push((mostScore - score) * 2 ** 32 + ranks[slots[at]!]!);
  }
  const sorted = Float64Array.from(sortable).sort();
  const start = page.offset - before;
  const byDownloads = orders.by("downloads");
  return Array.from(sorted.subarray(start, start + page.limit), (each) =>
    searchIndex.ids.at(byDownloads[each % 2 ** 32]!),
  );
}

/** The scores on the page, and how many projects have a higher one. */
function scoresOf({ offset, limit }: Page, having: Uint32Array) {
  let [score, before] = [mostScore - 1, 0];
  while (score > 0 && before + having[score]! <= offset) before += having[score--]!;
  const highest = score;
  let upTo = before + having[score]!;
  while (score > 0 && upTo < offset + limit) upTo += having[--score]!;
  return { highest, lowest: score, before };
}
