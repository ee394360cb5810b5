// Runs the search for plans without pauses, for tests of a single search.
import * as clash from "#content/resolve/clash.js";
import * as search from "#content/resolve/solve.js";

/** The result of a computation in slices, without pauses. */
export function atOnce<T>(work: Generator<number, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

export const toSolverInput = (graph: search.Graph): clash.SolverInput => atOnce(clash.toSolverInput(graph));

export const solve = (...args: Parameters<typeof search.solve>): search.Solution => atOnce(search.solve(...args));

export const solveOrExplain = (
  solverInput: clash.SolverInput,
  roots: ReadonlyMap<number, search.Root>,
  steps: search.Budget,
  proof: search.Budget,
): clash.Outcome => atOnce(clash.solveOrExplain(solverInput, roots, { search: steps, proof }));
