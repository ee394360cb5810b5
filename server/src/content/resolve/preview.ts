// Previews what an update of a folder would change and break. Every installed project is wanted in its newest version;
// projects that cannot be updated are reported with the reason, and the rest is planned without them.
import type { VersionEntry } from "#content/versions/entries.js";
import { inSlices } from "#lib/slices.js";
import { fail } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import type { Viewer } from "#platform/http/viewer.js";
import { mergeChangelogs, type TextBudget } from "./changelogs.js";
import { isHopeless, type Outcome } from "./clash.js";
import {
  type InstalledFile,
  type LoadedRequest,
  loadRequest,
  newBudgets,
  type ResolveQuery,
} from "./loaded-request.js";
import { solveCached } from "./outcome-cache.js";
import { downloadSize, toPlannedFiles } from "./plan.js";
import type { Clash, PreviewedFile, UpdatePreview } from "./shapes.js";
import { toClash, toFile, toProjectSummary, toVersionSummary } from "./show.js";
import type { Candidate, Root } from "./solve.js";

const mostLetters = 512 * 1024;
/** The steps of a file, besides looking at the versions of its project. */
const stepsPerFile = 20;

export async function makePreview(
  resources: Resources,
  viewer: Viewer,
  question: Pick<ResolveQuery, "hashes" | "algorithm" | "setup">,
): Promise<UpdatePreview> {
  const request = await loadRequest(resources, viewer, {
    ...question,
    wanted: [],
    mode: "renew",
  });
  const { chosen, clashes } = await inSlices(solveWhatCanBe(resources, request));
  const planned = toPlannedFiles(resources, request, chosen);
  const files = await inSlices(previewAll(resources, request, chosen));
  const additions = planned.filter(({ action }) => action === "add");
  return { files, additions, clashes, downloadSize: downloadSize(planned) };
}

/** Leaves out clashing projects one by one: each time the last one in the request. */
function* solveWhatCanBe(
  resources: Resources,
  request: LoadedRequest,
): Generator<number, { chosen: ReadonlyMap<string, Candidate>; clashes: Clash[] }> {
  const { solverInput } = request;
  const budgets = newBudgets();
  const clashes: Clash[] = [];
  const tell = (outcome: Outcome): number => {
    if (outcome.kind !== "clash") throw fail.planTooHard();
    clashes.push(toClash(request, outcome.clash));
    return outcome.clash.roots.at(-1)!;
  };
  const roots = new Map<number, Root>();
  for (const [number, root] of request.roots) {
    if (!isHopeless(solverInput, root)) roots.set(number, root);
    // If a project has no version at all, its file says so.
    else if ((solverInput.graph.get(root.projectId) ?? []).length > 0)
      tell(yield* solveCached(resources, request, new Map([[number, root]]), budgets));
  }
  for (;;) {
    const outcome = yield* solveCached(resources, request, roots, budgets);
    if (outcome.kind === "solved") return { chosen: outcome.chosen, clashes };
    roots.delete(tell(outcome));
  }
}

/** Changelogs are shown once for each project. */
function* previewAll(
  resources: Resources,
  request: LoadedRequest,
  chosen: ReadonlyMap<string, Candidate>,
): Generator<number, PreviewedFile[]> {
  const budget = { letters: mostLetters };
  const seen = new Set<string>();
  const files: PreviewedFile[] = [];
  for (const file of request.installed) {
    const { projectId } = file;
    const isFirst = projectId !== undefined && !seen.has(projectId);
    if (projectId !== undefined) seen.add(projectId);
    files.push(toPreviewed(resources, request, file, chosen, isFirst ? budget : { letters: 0 }));
    yield stepsPerFile + (request.versions.get(projectId ?? "")?.length ?? 0);
  }
  return files;
}

function toPreviewed(
  { config }: Resources,
  request: LoadedRequest,
  { hash, projectId, versions: owners }: InstalledFile,
  chosen: ReadonlyMap<string, Candidate>,
  budget: TextBudget,
): PreviewedFile {
  const nothing = { next: null, file: null, newest: null, changelogs: [], changelogsTruncated: false };
  if (projectId === undefined) return { hash, change: "unknown", project: null, current: null, ...nothing };
  const all = request.versions.get(projectId) ?? [];
  const next = request.entries.get(chosen.get(projectId)?.id ?? "");
  const current = owners.find((owner) => owner === next) ?? owners[0]!;
  const known = {
    hash,
    project: toProjectSummary(request, projectId),
    current: toVersionSummary(current),
    ...nothing,
  };
  if (!next) {
    const newest = all.find(({ yanked }) => !yanked);
    const hasCandidates = (request.graph.get(projectId) ?? []).length > 0;
    return {
      ...known,
      change: hasCandidates ? "incompatible" : "missing",
      newest: newest ? toVersionSummary(newest) : null,
    };
  }
  const shown = { next: toVersionSummary(next), file: toFile(next, config.http.cdnUrl) };
  if (isSame(next, current, hash)) return { ...known, ...shown, change: "kept" };
  const merged = mergeChangelogs(all, [current, next], request.setup, budget);
  return { ...known, ...shown, ...merged, change: "updated" };
}

/** Another version with the same bytes is not an update. */
const isSame = (next: VersionEntry, current: VersionEntry, hash: string): boolean =>
  next === current || next.files.some(({ sha1, sha512 }) => [sha1, sha512].includes(hash.toLowerCase()));
