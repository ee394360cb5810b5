// Finds a smallest clash by hitting-set duality. A cut is a set of wishes without which all others can be met; every
// clash has a wish in every cut. So a smallest set with a wish in every known cut is tried: if it can be met, that
// leads to another cut; if not, it is a smallest clash.
import type { Budget } from "./solve.js";

/** Undefined if the wishes can be met; otherwise some of them that clash. */
export type FindClash = (wishes: readonly number[]) => Generator<number, readonly number[] | undefined>;

/** Returns the known clash if none is smaller. Undefined if the budget is spent before that is proved. */
export function* findSmallest(
  wishes: readonly number[],
  known: readonly number[],
  findClash: FindClash,
  budget: Budget,
): Generator<number, readonly number[] | undefined> {
  const cuts: (readonly number[])[] = [];
  // More cuts never need fewer wishes, so the size only grows.
  for (let size = 1; size < known.length; ) {
    const few = hitAll(cuts, size, budget);
    if (budget.steps < 0) return undefined;
    if (!few) size++;
    else if (yield* findClash(few)) return few.toSorted((a, b) => a - b);
    else cuts.push(yield* cutBeside(wishes, few, findClash));
    if (budget.steps < 0) return undefined;
  }
  return known;
}

/** A minimal set of wishes that must be given up so that all others, including `few`, can be met. */
function* cutBeside(
  wishes: readonly number[],
  few: readonly number[],
  findClash: FindClash,
): Generator<number, readonly number[]> {
  const kept = new Set(wishes);
  const cut: number[] = [];
  for (let clash = yield* findClash(wishes); clash; clash = yield* findClash([...kept])) {
    const wish = clash.findLast((each) => !few.includes(each));
    // Such a wish exists because `few` can be met, unless the budget has just been spent.
    if (wish === undefined) break;
    kept.delete(wish);
    cut.push(wish);
  }
  // Some of these may be unnecessary because of wishes that were given up later.
  const needed: number[] = [];
  for (const wish of cut)
    if (yield* findClash([...kept, wish].sort((a, b) => a - b))) needed.push(wish);
    else kept.add(wish);
  return needed;
}

/** At most `most` wishes with one in every cut; undefined if there are none or the budget is spent. */
function hitAll(cuts: readonly (readonly number[])[], most: number, budget: Budget): number[] | undefined {
  budget.steps -= cuts.reduce((sum, cut) => sum + cut.length, 1);
  const [shortest, ...others] = cuts.toSorted((a, b) => a.length - b.length);
  if (!shortest) return [];
  if (most < countApart([shortest, ...others]) || budget.steps < 0) return undefined;
  for (const [at, wish] of shortest.entries()) {
    // Sets with a wish that was tried before have been examined already.
    const tried = new Set(shortest.slice(0, at));
    const left = others.filter((cut) => !cut.includes(wish)).map((cut) => cut.filter((each) => !tried.has(each)));
    const rest = hitAll(left, most - 1, budget);
    if (rest) return [wish, ...rest];
  }
  return undefined;
}

/** A lower bound: cuts without a common wish need one wish each. */
function countApart(cuts: readonly (readonly number[])[]): number {
  const seen = new Set<number>();
  let count = 0;
  for (const cut of cuts) {
    if (cut.some((wish) => seen.has(wish))) continue;
    for (const wish of cut) seen.add(wish);
    count++;
  }
  return count;
}
