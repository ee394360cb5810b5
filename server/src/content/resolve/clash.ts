// Explains why a request cannot be met: the fewest roots that clash, and the obstacles that they lead to.
import { withoutDeadEnds } from "./dead-ends.js";
import { findSmallest } from "./smallest.js";
import { type Budget, type Graph, type Obstacle, type Root, type Solution, solve } from "./solve.js";

/** A graph, and the same graph without dead ends. */
export interface SolverInput {
  graph: Graph;
  live: Graph;
}

export function* toSolverInput(graph: Graph): Generator<number, SolverInput> {
  return { graph, live: yield* withoutDeadEnds(graph) };
}

/** All searches of a request share both. */
export interface Budgets {
  search: Budget;
  /** For proving that no smaller set clashes; when it is spent, the reported clash may not be the smallest. */
  proof: Budget;
}

export interface Clash {
  /** Numbers of the roots, in order. */
  roots: number[];
  /** Whether this is certainly the smallest clash. In any case no root of it can be left out. */
  isSmallest: boolean;
  obstacles: Obstacle[];
}

export type Outcome = Exclude<Solution, { kind: "clash" }> | { kind: "clash"; clash: Clash };

const mostObstacles = 20;
/** The obstacles that a user reads are found quickly; the rest of the budget is for solving. */
const mostObstacleSteps = 20_000;

export function* solveOrExplain(
  solverInput: SolverInput,
  roots: ReadonlyMap<number, Root>,
  { search, proof }: Budgets,
): Generator<number, Outcome> {
  const solution = yield* solve(solverInput.live, roots, search);
  if (solution.kind !== "clash") return solution;
  const few = yield* narrow(solverInput, roots, solution.roots, search);
  if (!few) return { kind: "tooHard" };
  const smallest = few.length === 1 ? few : yield* prove(solverInput, roots, few, proof);
  const told = [...(smallest ?? few)];
  const obstacles = yield* listObstacles(solverInput, pick(roots, told), search);
  return { kind: "clash", clash: { roots: told, isSmallest: smallest !== undefined, obstacles } };
}

function prove(
  { live }: SolverInput,
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

/** Whether no version that the root accepts can ever be chosen, whatever else is wanted. */
export const isHopeless = ({ live }: SolverInput, { projectId, versionIds }: Root): boolean =>
  !live.get(projectId)?.some(({ id }) => versionIds?.has(id) ?? true);

/** Removes suspects as long as the rest still clash; undefined if the budget is spent. */
function* narrow(
  solverInput: SolverInput,
  roots: ReadonlyMap<number, Root>,
  suspects: readonly number[],
  budget: Budget,
): Generator<number, number[] | undefined> {
  // A root that is impossible by itself is the simplest explanation, even if others clash as well.
  for (const [number, root] of roots) if (isHopeless(solverInput, root)) return [number];
  let left = [...suspects];
  for (const root of suspects) {
    const others = left.filter((each) => each !== root);
    const { kind } = yield* solve(solverInput.live, pick(roots, others), budget);
    if (kind === "tooHard") return undefined;
    if (kind === "clash") left = others;
  }
  return left;
}

const pick = (roots: ReadonlyMap<number, Root>, some: readonly number[]): Map<number, Root> =>
  new Map(some.map((number) => [number, roots.get(number)!]));

/**
 * Each obstacle once, in the order in which they are found. If several versions of a project meet the same obstacle,
 * the best one is shown.
 */
function* listObstacles(
  { graph }: SolverInput,
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
    // Enough are found: end the search.
    left = own.steps;
    own.steps = 0;
  });
  budget.steps -= most - Math.max(left ?? own.steps, 0);
  return [...obstacles.values()];
}
