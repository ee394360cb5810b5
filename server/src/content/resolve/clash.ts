// What to tell somebody whose wishes cannot all be met: the fewest wishes that clash, and the dead ends that they lead into.
import { withoutDeadEnds } from "./dead-ends.js";
import { findSmallest } from "./smallest.js";
import { type Budget, type Graph, type Obstacle, type Root, type Solution, solve } from "./solve.js";

/** A graph, and what of it is worth trying. */
export interface Puzzle {
  graph: Graph;
  live: Graph;
}

export function* toPuzzle(graph: Graph): Generator<number, Puzzle> {
  return { graph, live: yield* withoutDeadEnds(graph) };
}

/** All tries of a request share both. */
export interface Budgets {
  search: Budget;
  /** For finding out whether fewer clash; without it, a clash is told that may not be the smallest. */
  proof: Budget;
}

export interface Clash {
  /** Numbers of the roots, in order. */
  roots: number[];
  /** Whether it is certain that no fewer clash; none of these can be left out in any case. */
  isSmallest: boolean;
  obstacles: Obstacle[];
}

export type Outcome = Exclude<Solution, { kind: "clash" }> | { kind: "clash"; clash: Clash };

const mostObstacles = 20;
/** What a user reads is found soon; the rest of the budget is for solving. */
const mostObstacleSteps = 20_000;

export function* solveOrExplain(
  puzzle: Puzzle,
  roots: ReadonlyMap<number, Root>,
  { search, proof }: Budgets,
): Generator<number, Outcome> {
  const solution = yield* solve(puzzle.live, roots, search);
  if (solution.kind !== "clash") return solution;
  const few = yield* narrow(puzzle, roots, solution.roots, search);
  if (!few) return { kind: "tooHard" };
  const smallest = few.length === 1 ? few : yield* prove(puzzle, roots, few, proof);
  const told = [...(smallest ?? few)];
  const obstacles = yield* listObstacles(puzzle, pick(roots, told), search);
  return { kind: "clash", clash: { roots: told, isSmallest: smallest !== undefined, obstacles } };
}

function prove(
  { live }: Puzzle,
  roots: ReadonlyMap<number, Root>,
  few: readonly number[],
  proof: Budget,
): Generator<number, readonly number[] | undefined> {
  return findSmallest(
    [...roots.keys()],
    few,
    function* (some) {
      const solution = yield* solve(live, pick(roots, some), proof);
      return solution.kind === "clash" ? solution.roots : undefined;
    },
    proof,
  );
}

/** Whether nothing of what it asks for can ever be had, whatever else is wanted. */
export const isHopeless = ({ live }: Puzzle, { projectId, versionIds }: Root): boolean =>
  !live.get(projectId)?.some(({ id }) => versionIds?.has(id) ?? true);

/** Fewer and fewer of the suspects that still clash; undefined when the budget ran out. */
function* narrow(
  puzzle: Puzzle,
  roots: ReadonlyMap<number, Root>,
  suspects: readonly number[],
  budget: Budget,
): Generator<number, number[] | undefined> {
  // One that is impossible all by itself is the plainest answer, whoever else is to blame.
  for (const [number, root] of roots) if (isHopeless(puzzle, root)) return [number];
  let left = [...suspects];
  for (const root of suspects) {
    const others = left.filter((each) => each !== root);
    const { kind } = yield* solve(puzzle.live, pick(roots, others), budget);
    if (kind === "tooHard") return undefined;
    if (kind === "clash") left = others;
  }
  return left;
}

const pick = (roots: ReadonlyMap<number, Root>, some: readonly number[]): Map<number, Root> =>
  new Map(some.map((number) => [number, roots.get(number)!]));

/** Each dead end once, in the order in which they are met; for all versions of a project that lead there, the best. */
function* listObstacles(
  { graph }: Puzzle,
  roots: ReadonlyMap<number, Root>,
  budget: Budget,
): Generator<number, Obstacle[]> {
  const obstacles = new Map<string, Obstacle>();
  const most = Math.min(Math.max(budget.steps, 0), mostObstacleSteps);
  const own = { steps: most };
  let left: number | undefined;
  yield* solve(graph, roots, own, (obstacle) => {
    const demands = obstacle.demands.map(({ candidateId: _, ...demand }) => demand);
    const key = JSON.stringify([obstacle.projectId, demands]);
    if (!obstacles.has(key)) obstacles.set(key, obstacle);
    if (obstacles.size < mostObstacles) return;
    // Enough is known: the search ends here.
    left = own.steps;
    own.steps = 0;
  });
  budget.steps -= most - Math.max(left ?? own.steps, 0);
  return [...obstacles.values()];
}
