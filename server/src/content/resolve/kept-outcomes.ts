// Outcomes of searches, "too hard" among them, kept until anything in the catalogue changes. They are found by everything that
// there is to choose from, so they hold for every caller; what a caller may see is decided before, for each request.
import { createHash } from "node:crypto";
import { catalogOf } from "#content/catalog/catalog.js";
import type { ChangeLog } from "#platform/changes/change-log.js";
import type { Resources } from "#platform/http/resources.js";
import { type Budgets, type Clash, type Outcome, type Puzzle, solveOrExplain } from "./clash.js";
import type { Situation } from "./situation.js";
import type { Candidate, Graph, Root } from "./solve.js";

const mostBytes = 8 * 1024 * 1024;

interface Kept {
  edition: number;
  bytes: number;
  /** Outcomes as JSON, so that they hold on to nothing else and their size is known. */
  outcomes: Map<string, string>;
}

interface KeptOutcome {
  /** Ids of the chosen versions by project; absent where there is no solution. */
  chosen?: [string, string][];
  clash?: Clash;
  /** What is left of the budgets. */
  steps: [number, number];
}

/** By feed: each server in a process (tests run several) keeps its own. */
const keptBy = new WeakMap<ChangeLog, Kept>();

/** As solveOrExplain. A kept outcome takes as many steps from the budgets as it did when it was found. */
export function* solveKept(
  resources: Resources,
  { edition, puzzle }: Situation,
  roots: ReadonlyMap<number, Root>,
  budgets: Budgets,
): Generator<number, Outcome> {
  if (!resources.changeLog.isFollowing) return yield* solveOrExplain(puzzle, roots, budgets);
  const key = toKey(yield* digestOf(puzzle), roots, budgets);
  const known = findKept(resources, edition)?.outcomes.get(key);
  if (known !== undefined) return restore(JSON.parse(known) as KeptOutcome, puzzle.graph, budgets);
  const outcome = yield* solveOrExplain(puzzle, roots, budgets);
  const kept = findKept(resources, edition);
  if (kept) keep(kept, key, JSON.stringify(toKept(outcome, budgets)));
  return outcome;
}

/** Undefined when the catalogue has changed since the situation was read: it may be half old. */
function findKept(resources: Resources, edition: number): Kept | undefined {
  if (catalogOf(resources).edition !== edition) return undefined;
  let kept = keptBy.get(resources.changeLog);
  if (kept?.edition !== edition) {
    kept = { edition, bytes: 0, outcomes: new Map() };
    keptBy.set(resources.changeLog, kept);
  }
  return kept;
}

function keep(kept: Kept, key: string, outcome: string): void {
  const sizeOf = (text: string) => key.length + 2 * text.length;
  if (sizeOf(outcome) > mostBytes / 4 || kept.outcomes.has(key)) return;
  kept.outcomes.set(key, outcome);
  kept.bytes += sizeOf(outcome);
  for (const [oldest, text] of kept.outcomes) {
    if (kept.bytes <= mostBytes) return;
    kept.outcomes.delete(oldest);
    kept.bytes -= sizeOf(text);
  }
}

const toKept = (outcome: Outcome, { search, proof }: Budgets): KeptOutcome => ({
  ...(outcome.kind === "solved" && { chosen: [...outcome.chosen].map(([projectId, { id }]) => [projectId, id]) }),
  ...(outcome.kind === "clash" && { clash: outcome.clash }),
  steps: [search.steps, proof.steps],
});

function restore({ chosen, clash, steps: [search, proof] }: KeptOutcome, graph: Graph, budgets: Budgets): Outcome {
  budgets.search.steps = search;
  budgets.proof.steps = proof;
  if (clash) return { kind: "clash", clash };
  if (!chosen) return { kind: "tooHard" };
  const find = (projectId: string, id: string): Candidate => graph.get(projectId)!.find((each) => each.id === id)!;
  return { kind: "solved", chosen: new Map(chosen.map(([projectId, id]) => [projectId, find(projectId, id)])) };
}

const digests = new WeakMap<Puzzle, string>();

/** Of everything that the search looks at. */
function* digestOf(puzzle: Puzzle): Generator<number, string> {
  const known = digests.get(puzzle);
  if (known !== undefined) return known;
  const hash = createHash("sha256");
  for (const [projectId, candidates] of puzzle.graph) {
    hash.update(`${projectId} ${candidates.length}\n`);
    for (const candidate of candidates) {
      yield 2 + 2 * (candidate.requires.length + candidate.conflicts.length);
      hash.update(JSON.stringify(candidate));
    }
  }
  const digest = hash.digest("base64");
  digests.set(puzzle, digest);
  return digest;
}

function toKey(digest: string, roots: ReadonlyMap<number, Root>, { search, proof }: Budgets): string {
  const hash = createHash("sha256").update(`${digest} ${search.steps} ${proof.steps}\n`);
  for (const [number, { projectId, versionIds }] of roots)
    hash.update(`${number} ${projectId} ${versionIds ? [...versionIds].join() : "any"}\n`);
  return hash.digest("base64");
}
