// Proves which of all clashing sets of wishes is smallest, by turning the question round: whoever clashes must have a
// wish in every set of wishes whose absence would leave a plan. The fewest wishes with one in each such set that is known
// are asked for a plan; where there is one, it shows another such set, and where there is none, they are the answer.
import type { Budget } from "./solve.js";

/** Undefined: they can be met. Else wishes among them that cannot be met together. */
export type FindClash = (wishes: readonly number[]) => Generator<number, readonly number[] | undefined>;

/** The known clash where none is smaller. Undefined: the budget was spent before that was certain. */
export function* findSmallest(
  wishes: readonly number[],
  known: readonly number[],
  findClash: FindClash,
  budget: Budget,
): Generator<number, readonly number[] | undefined> {
  const cuts: (readonly number[])[] = [];
  // The more cuts, the more wishes it takes: what was too few once is too few for ever.
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

/** Wishes that are best given up so that all others, these few among them, can be met. */
function* cutBeside(
  wishes: readonly number[],
  few: readonly number[],
  findClash: FindClash,
): Generator<number, readonly number[]> {
  const kept = new Set(wishes);
  const cut: number[] = [];
  for (let clash = yield* findClash(wishes); clash; clash = yield* findClash([...kept])) {
    const wish = clash.findLast((each) => !few.includes(each));
    // The few alone can be met, so that there is one; unless the budget has just been spent.
    if (wish === undefined) break;
    kept.delete(wish);
    cut.push(wish);
  }
  // Another one that was given up later may have been enough.
  const needed: number[] = [];
  for (const wish of cut)
    if (yield* findClash([...kept, wish].sort((a, b) => a - b))) needed.push(wish);
    else kept.add(wish);
  return needed;
}

/** At most so many wishes with one in every cut; undefined where so few are not enough, or the budget is spent. */
function hitAll(cuts: readonly (readonly number[])[], most: number, budget: Budget): number[] | undefined {
  budget.steps -= cuts.reduce((sum, cut) => sum + cut.length, 1);
  const [shortest, ...others] = cuts.toSorted((a, b) => a.length - b.length);
  if (!shortest) return [];
  if (most < countApart([shortest, ...others]) || budget.steps < 0) return undefined;
  for (const [at, wish] of shortest.entries()) {
    // Whatever holds a wish that was tried before was found then.
    const tried = new Set(shortest.slice(0, at));
    const left = others.filter((cut) => !cut.includes(wish)).map((cut) => cut.filter((each) => !tried.has(each)));
    const rest = hitAll(left, most - 1, budget);
    if (rest) return [wish, ...rest];
  }
  return undefined;
}

/** Cuts that have no wish in common take one each. */
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
