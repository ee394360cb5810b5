// A cache of search outcomes, including "too hard", until anything in the catalogue changes. The key covers all
// candidates, so an outcome is valid for every caller; visibility is decided before, for each request.
import { createHash } from "node:crypto";
import { catalogOf } from "#content/catalog/catalog.js";
import { perServer } from "#platform/changes/server-memory.js";
import type { Resources } from "#platform/http/resources.js";
import { type Budgets, type Clash, type Outcome, type SolverInput, solveOrExplain } from "./clash.js";
import type { LoadedRequest } from "./loaded-request.js";
import type { Candidate, Graph, Root } from "./solve.js";

/** Outcomes as JSON, so that they reference nothing else and their size is known. */
const cacheOf = perServer((resources: Resources) =>
  resources.memory.createCache<string>({
    name: "outcomes",
    bytes: 8 * 1024 * 1024,
    edition: () => catalogOf(resources).edition,
  }),
);

interface CachedOutcome {
  /** Ids of the chosen versions by project; absent if there is no solution. */
  chosen?: [string, string][];
  clash?: Clash;
  /** The remaining budgets. */
  steps: [number, number];
}

/** Like solveOrExplain. A cached outcome costs as many steps as when it was found. */
export function* solveCached(
  resources: Resources,
  { edition, solverInput }: LoadedRequest,
  roots: ReadonlyMap<number, Root>,
  budgets: Budgets,
): Generator<number, Outcome> {
  if (!resources.changeLog.isFollowing) return yield* solveOrExplain(solverInput, roots, budgets);
  const key = toKey(yield* digestOf(solverInput), roots, budgets);
  const cache = cacheOf(resources);
  // If the catalogue has changed since, the request may mix old and new data.
  const isCurrent = () => catalogOf(resources).edition === edition;
  const known = isCurrent() ? cache.get(key) : undefined;
  if (known !== undefined) return restore(JSON.parse(known) as CachedOutcome, solverInput.graph, budgets);
  const outcome = yield* solveOrExplain(solverInput, roots, budgets);
  const text = JSON.stringify(toCached(outcome, budgets));
  if (isCurrent()) cache.set(key, text, 2 * text.length);
  return outcome;
}

const toCached = (outcome: Outcome, { search, proof }: Budgets): CachedOutcome => ({
  ...(outcome.kind === "solved" && { chosen: [...outcome.chosen].map(([projectId, { id }]) => [projectId, id]) }),
  ...(outcome.kind === "clash" && { clash: outcome.clash }),
  steps: [search.steps, proof.steps],
});

function restore({ chosen, clash, steps: [search, proof] }: CachedOutcome, graph: Graph, budgets: Budgets): Outcome {
  budgets.search.steps = search;
  budgets.proof.steps = proof;
  if (clash) return { kind: "clash", clash };
  if (!chosen) return { kind: "tooHard" };
  const find = (projectId: string, id: string): Candidate => graph.get(projectId)!.find((each) => each.id === id)!;
  return { kind: "solved", chosen: new Map(chosen.map(([projectId, id]) => [projectId, find(projectId, id)])) };
}

const digests = new WeakMap<SolverInput, string>();

/** A digest of everything that the search reads. */
function* digestOf(solverInput: SolverInput): Generator<number, string> {
  const known = digests.get(solverInput);
  if (known !== undefined) return known;
  const hash = createHash("sha256");
  for (const [projectId, candidates] of solverInput.graph) {
    hash.update(`${projectId} ${candidates.length}\n`);
    for (const candidate of candidates) {
      yield 2 + 2 * (candidate.requires.length + candidate.conflicts.length);
      hash.update(JSON.stringify(candidate));
    }
  }
  const digest = hash.digest("base64");
  digests.set(solverInput, digest);
  return digest;
}

function toKey(digest: string, roots: ReadonlyMap<number, Root>, { search, proof }: Budgets): string {
  const hash = createHash("sha256").update(`${digest} ${search.steps} ${proof.steps}\n`);
  for (const [number, { projectId, versionIds }] of roots)
    hash.update(`${number} ${projectId} ${versionIds ? [...versionIds].join() : "any"}\n`);
  return hash.digest("base64");
}
