// A request with everything that is needed to answer it: wanted and installed projects, and the candidates.

import { catalogOf } from "#content/catalog/catalog.js";
import type { HashAlgorithm } from "#content/hashes/file-projects.js";
import { findProjectIds } from "#content/projects/read.js";
import { findProjectsByFile, isNewer, versionsWithFile } from "#content/version-files/file-owners.js";
import type { VersionEntry } from "#content/versions/entries.js";
import { findVersion } from "#content/versions/policy.js";
import { inSlices } from "#lib/slices.js";
import { looksLikeRange, parseRange } from "#lib/version-ranges.js";
import { Failure, fail, type Issue, invalid } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import type { Viewer } from "#platform/http/viewer.js";
import { say } from "#words/said.js";
import { type Budgets, type SolverInput, toSolverInput } from "./clash.js";
import { type BuiltGraph, buildGraph, type InstalledProject, mostEdges, type Setup } from "./graph.js";
import { type Loaded, loadReachable } from "./load.js";
import type { Root } from "./solve.js";

export interface Wanted {
  project: string;
  version?: string | undefined;
}

export interface ResolveQuery {
  wanted: readonly Wanted[];
  hashes: readonly string[];
  algorithm: HashAlgorithm;
  setup: Setup;
  /** How installed projects are treated that the caller does not request. */
  mode: InstalledProject["mode"];
}

/** An installed file, if it is known. */
export interface InstalledFile {
  hash: string;
  projectId: string | undefined;
  /** Several versions of the project may have the same bytes; newest first. */
  versions: readonly VersionEntry[];
}

export interface LoadedRequest extends Loaded, BuiltGraph {
  /** The edition of the catalogue before anything was read from it. */
  edition: number;
  solverInput: SolverInput;
  setup: Setup;
  algorithm: HashAlgorithm;
  roots: ReadonlyMap<number, Root & { kind: "wanted" | "installed" }>;
  installed: readonly InstalledFile[];
}

/** The steps of one request: about 150 ms of a slow core, in slices. */
const mostSteps = 150_000;
/** Steps for proving that a clash is the smallest. */
const mostProofSteps = 50_000;

export const newBudgets = (): Budgets => ({ search: { steps: mostSteps }, proof: { steps: mostProofSteps } });

export async function loadRequest(resources: Resources, viewer: Viewer, query: ResolveQuery): Promise<LoadedRequest> {
  const { wanted, setup, algorithm, mode } = query;
  const { edition } = catalogOf(resources);
  const ids = await findProjectIds(resources, [...new Set(wanted.map(({ project }) => project))]);
  const owners = await findProjectsByFile(resources, algorithm, query.hashes);
  const loaded = await loadReachable(resources, viewer, [
    ...new Set([...ids.values(), ...[...owners.values()].flat()]),
  ]);
  const { roots, named } = readWanted(wanted, ids, loaded);
  const installed = query.hashes.map((hash) => identify(hash, owners.get(hash) ?? [], loaded));
  const isWanted = new Set(roots.map(({ projectId }) => projectId));
  const there = toInstalledProjects(installed, (projectId) => (isWanted.has(projectId) ? "renew" : mode));
  const all = [
    ...roots.map((root) => ({ ...root, kind: "wanted" as const })),
    ...[...there.keys()]
      .filter((projectId) => !isWanted.has(projectId))
      .map((projectId) => ({ projectId, kind: "installed" as const })),
  ];
  const built = await inSlices(
    buildGraph(
      { setup, versions: loaded.versions, named, installed: there },
      all.map(({ projectId }) => projectId),
    ),
  );
  if (!built) throw fail.planTooLarge(say.limits.dependencies(mostEdges));
  const solverInput = await inSlices(toSolverInput(built.graph));
  return { ...loaded, ...built, edition, solverInput, setup, algorithm, roots: new Map(all.entries()), installed };
}

/** Without duplicates. Projects that the caller may not see are reported like missing ones, with their position. */
function readWanted(wanted: readonly Wanted[], ids: ReadonlyMap<string, string>, { projects, versions }: Loaded) {
  const roots = new Map<string, Root>();
  const named = new Set<string>();
  const absent: Issue[] = [];
  const versionless: Issue[] = [];
  for (const [at, { project: ref, version }] of wanted.entries()) {
    const projectId = ids.get(ref);
    if (projectId === undefined || !projects.has(projectId)) {
      absent.push({ path: `projects.${at}.project`, message: say.problems.noProject });
      continue;
    }
    const wish = version === undefined || version === "latest" ? "" : version;
    const path = `projects.${at}.version`;
    const versionIds = wish === "" ? undefined : readVersion(wish, versions.get(projectId) ?? [], path);
    if (versionIds?.size === 0 && !looksLikeRange(wish)) versionless.push({ path, message: say.problems.noVersion });
    if (versionIds && !looksLikeRange(wish)) for (const id of versionIds) named.add(id);
    roots.set(`${projectId} ${wish}`, { projectId, versionIds });
  }
  if (absent.length > 0) throw notFound("projectNotFound", absent);
  if (versionless.length > 0) throw notFound("versionNotFound", versionless);
  return { roots: [...roots.values()], named };
}

function readVersion(wish: string, versions: readonly VersionEntry[], path: string): Set<string> {
  if (!looksLikeRange(wish)) {
    const version = findVersion(versions, wish);
    return new Set(version ? [version.id] : []);
  }
  const isWithin = parseRange(wish);
  if (!isWithin) throw invalid({ path, message: say.problems.versionOrRange });
  return new Set(versions.filter(({ versionNumber }) => isWithin(versionNumber)).map(({ id }) => id));
}

function notFound(code: "projectNotFound" | "versionNotFound", issues: Issue[]): Failure {
  const { status, said } = fail[code]();
  return new Failure(code, status, said, { issues: issues.slice(0, 20) });
}

/** If several projects have the same bytes, the newest visible version counts, as in all look-ups by hash. */
function identify(hash: string, projectIds: readonly string[], { versions }: Loaded): InstalledFile {
  let found: InstalledFile = { hash, projectId: undefined, versions: [] };
  for (const projectId of projectIds) {
    const mine = versionsWithFile(versions.get(projectId) ?? [], hash.toLowerCase());
    if (mine[0] && (!found.versions[0] || isNewer(mine[0], found.versions[0])))
      found = { hash, projectId, versions: mine };
  }
  return found;
}

function toInstalledProjects(
  files: readonly InstalledFile[],
  modeOf: (projectId: string) => InstalledProject["mode"],
): Map<string, InstalledProject> {
  const byProject = Map.groupBy(files, ({ projectId }) => projectId);
  return new Map(
    [...byProject].flatMap(([projectId, mine]) => {
      if (projectId === undefined) return [];
      const versionIds = new Set(mine.flatMap((file) => file.versions.map(({ id }) => id)));
      return [[projectId, { versionIds, mode: modeOf(projectId) }] as const];
    }),
  );
}
