// What to tell somebody whose wishes cannot all be met: the fewest wishes that clash, and the dead ends that they lead into.
import { withoutDeadEnds } from "./dead-ends.js";
import { findSmallest } from "./smallest.js";
import { type Budget, type Graph, type Obstacle, type Root, type Solution, solve } from "./solve.js";

/** A graph, and what of it is worth trying. */
export interface Puzzle {
  graph: Graph;
  live: Graph;
}

export const toPuzzle = (graph: Graph): Puzzle => ({ graph, live: withoutDeadEnds(graph) });

export interface Clash {
  /** Numbers of the roots, in order. */
  roots: number[];
  /** Whether it is certain that no fewer clash; none of these can be left out in any case. */
  isSmallest: boolean;
  obstacles: Obstacle[];
}

export type Outcome = Exclude<Solution, { kind: "clash" }> | { kind: "clash"; clash: Clash };

const maxObstacles = 20;

/** `proof` is for finding out whether fewer clash; without it, a clash is told that may not be the smallest. */
export function solveOrExplain(
  puzzle: Puzzle,
  roots: ReadonlyMap<number, Root>,
  budget: Budget,
  proof: Budget,
): Outcome {
  const solution = solve(puzzle.live, roots, budget);
  if (solution.kind !== "clash") return solution;
  const few = narrow(puzzle, roots, solution.roots, budget);
  if (!few) return { kind: "tooHard" };
  const smallest = few.length === 1 ? few : prove(puzzle, roots, few, proof);
  const told = [...(smallest ?? few)];
  const obstacles = listObstacles(puzzle, pick(roots, told), budget);
  return { kind: "clash", clash: { roots: told, isSmallest: smallest !== undefined, obstacles } };
}

function prove(
  { live }: Puzzle,
  roots: ReadonlyMap<number, Root>,
  few: readonly number[],
  proof: Budget,
): readonly number[] | undefined {
  return findSmallest(
    [...roots.keys()],
    few,
    (some) => {
      const solution = solve(live, pick(roots, some), proof);
      return solution.kind === "clash" ? solution.roots : undefined;
    },
    proof,
  );
}

/** Whether nothing of what it asks for can ever be had, whatever else is wanted. */
export const isHopeless = ({ live }: Puzzle, { projectId, versionIds }: Root): boolean =>
  !live.get(projectId)?.some(({ id }) => versionIds?.has(id) ?? true);

/** Fewer and fewer of the suspects that still clash; undefined when the budget ran out. */
function narrow(
  puzzle: Puzzle,
  roots: ReadonlyMap<number, Root>,
  suspects: readonly number[],
  budget: Budget,
): number[] | undefined {
  // One that is impossible all by itself is the plainest answer, whoever else is to blame.
  for (const [number, root] of roots) if (isHopeless(puzzle, root)) return [number];
  const clashes = (some: readonly number[]): boolean | undefined => {
    const { kind } = solve(puzzle.live, pick(roots, some), budget);
    return kind === "tooHard" ? undefined : kind === "clash";
  };
  let left = [...suspects];
  for (const root of suspects) {
    const others = left.filter((each) => each !== root);
    const stillClash = clashes(others);
    if (stillClash === undefined) return undefined;
    if (stillClash) left = others;
  }
  return left;
}

const pick = (roots: ReadonlyMap<number, Root>, some: readonly number[]): Map<number, Root> =>
  new Map(some.map((number) => [number, roots.get(number)!]));

/** Each dead end once, in the order in which they are met; for all versions of a project that lead there, the best. */
function listObstacles({ graph }: Puzzle, roots: ReadonlyMap<number, Root>, budget: Budget): Obstacle[] {
  const obstacles = new Map<string, Obstacle>();
  solve(graph, roots, budget, (obstacle) => {
    const demands = obstacle.demands.map(({ candidateId: _, ...demand }) => demand);
    const key = JSON.stringify([obstacle.projectId, demands]);
    if (obstacles.size < maxObstacles && !obstacles.has(key)) obstacles.set(key, obstacle);
  });
  return [...obstacles.values()];
}
