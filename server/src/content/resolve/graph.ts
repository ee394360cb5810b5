// The candidates: the versions of each project that can be chosen, best first. Pure. A version fits if it matches the
// game version, the loader and the channel. A version that does not fit is still a candidate if a candidate depends on
// exactly that version, because its author has tested the combination.
import type { VersionEntry } from "#content/versions/entries.js";
import type { Channel } from "#platform/db/tables.js";
import type { Candidate, Graph, Need } from "./solve.js";

export interface Setup {
  gameVersion?: string | undefined;
  loader?: string | undefined;
  /** Further loaders of the installation: one of all is enough. */
  otherLoaders?: readonly string[] | undefined;
  /** Undefined: all channels. */
  channels?: ReadonlySet<Channel> | undefined;
}

export interface InstalledProject {
  versionIds: ReadonlySet<string>;
  /** Keep the installed version if possible, or take the newest as for other projects. */
  mode: "keep" | "renew";
}

export interface Choices {
  setup: Setup;
  /** The versions of every project that the caller may see, newest first. */
  versions: ReadonlyMap<string, readonly VersionEntry[]>;
  /** Versions that the caller explicitly names; they need not fit. */
  named: ReadonlySet<string>;
  installed: ReadonlyMap<string, InstalledProject>;
}

export interface BuiltGraph {
  graph: Graph;
  entries: ReadonlyMap<string, VersionEntry>;
  /** Dependencies of installed versions that cannot be met; the versions are kept anyway. */
  unmet: { entry: VersionEntry; need: Need }[];
}

/** Older versions are not considered. */
const mostPerProject = 100;
export const mostEdges = 300_000;

/** A version without loaders (a resource pack, a world) works with every loader. */
export const fitsPlace = (
  { gameVersions, loaders }: Pick<VersionEntry, "gameVersions" | "loaders">,
  { gameVersion, loader, otherLoaders = [] }: Setup,
): boolean =>
  (!gameVersion || gameVersions.has(gameVersion)) &&
  (!loader || loaders.size === 0 || loaders.has(loader) || otherLoaders.some((other) => loaders.has(other)));

export const fits = (version: VersionEntry, setup: Setup): boolean =>
  !version.yanked && (setup.channels?.has(version.channel) ?? true) && fitsPlace(version, setup);

const needsOf = (version: VersionEntry, type: "required" | "incompatible"): Need[] =>
  version.dependencies
    .filter((dependency) => dependency.type === type)
    .map((dependency) => ({ projectId: dependency.on_project_id, versionId: dependency.on_version_id }))
    .sort((a, b) => (a.projectId < b.projectId ? -1 : 1));

/** Undefined if the graph would become too large. */
export function* buildGraph(choices: Choices, roots: Iterable<string>): Generator<number, BuiltGraph | undefined> {
  const admitted = new Map<string, Set<VersionEntry>>();
  const entries = new Map<string, VersionEntry>();
  const byId = new Map<string, VersionEntry>();
  const waiting: VersionEntry[] = [];
  let edges = 0;
  /** Steps since the last yield. */
  let steps = 0;
  const admit = (version: VersionEntry) => {
    const known = admitted.get(version.projectId)!;
    if (known.has(version)) return;
    known.add(version);
    entries.set(version.id, version);
    waiting.push(version);
  };
  const open = (projectId: string) => {
    const versions = choices.versions.get(projectId);
    if (!versions || admitted.has(projectId)) return;
    admitted.set(projectId, new Set());
    steps += 2 * versions.length;
    for (const version of versions) byId.set(version.id, version);
    for (const version of choosable(choices, projectId, versions)) admit(version);
  };
  for (const projectId of roots) {
    open(projectId);
    yield steps;
    steps = 0;
  }
  for (let version = waiting.pop(); version; version = waiting.pop()) {
    yield steps;
    steps = 1 + 2 * version.dependencies.length;
    edges += version.dependencies.length;
    if (edges > mostEdges) return undefined;
    for (const { projectId, versionId } of needsOf(version, "required")) {
      open(projectId);
      const pinned = versionId ? byId.get(versionId) : undefined;
      if (pinned?.projectId === projectId && !pinned.yanked) admit(pinned);
    }
  }
  return yield* finish(choices, admitted, entries);
}

function choosable(choices: Choices, projectId: string, versions: readonly VersionEntry[]): VersionEntry[] {
  const { setup, named } = choices;
  const installed = choices.installed.get(projectId);
  const fitting = versions.filter((version) => fits(version, setup)).slice(0, mostPerProject);
  const others = versions.filter(
    (version) =>
      named.has(version.id) || (installed?.versionIds.has(version.id) && isKeepable(installed, version, setup)),
  );
  return [...fitting, ...others];
}

/** An installed version may have any channel. It is replaced only if necessary, or if a newer one is requested. */
const isKeepable = ({ mode }: InstalledProject, version: VersionEntry, setup: Setup): boolean =>
  mode === "keep" || (!version.yanked && fitsPlace(version, setup));

function* finish(
  choices: Choices,
  admitted: ReadonlyMap<string, ReadonlySet<VersionEntry>>,
  entries: ReadonlyMap<string, VersionEntry>,
): Generator<number, BuiltGraph> {
  const isThere = ({ projectId, versionId }: Need): boolean =>
    versionId === null ? (admitted.get(projectId)?.size ?? 0) > 0 : entries.get(versionId)?.projectId === projectId;
  const unmet: BuiltGraph["unmet"] = [];
  const toCandidate = (version: VersionEntry): Candidate => {
    const requires = needsOf(version, "required");
    const conflicts = needsOf(version, "incompatible");
    const installed = choices.installed.get(version.projectId);
    if (installed?.mode !== "keep" || !installed.versionIds.has(version.id))
      return { id: version.id, requires, conflicts };
    for (const need of requires) if (!isThere(need)) unmet.push({ entry: version, need });
    return { id: version.id, requires: requires.filter(isThere), conflicts };
  };
  const graph = new Map<string, Candidate[]>();
  for (const [projectId, set] of admitted) {
    const candidates = inOrder(choices, projectId, set).map(toCandidate);
    graph.set(projectId, candidates);
    yield candidates.reduce((sum, { requires, conflicts }) => sum + 2 * (requires.length + conflicts.length), 10);
  }
  return { graph, entries, unmet };
}

/**
 * Best first: kept versions, versions that fit, versions that another version pins, and installed versions that do not
 * fit.
 */
function inOrder(choices: Choices, projectId: string, set: ReadonlySet<VersionEntry>): VersionEntry[] {
  const { setup } = choices;
  const installed = choices.installed.get(projectId);
  const rank = (version: VersionEntry): number => {
    const isInstalled = installed?.versionIds.has(version.id) ?? false;
    const isPlaced = fitsPlace(version, setup);
    if (isInstalled && installed?.mode === "keep") return isPlaced ? 0 : 3;
    return fits(version, setup) || (isInstalled && isPlaced && !version.yanked) ? 1 : 2;
  };
  const age = new Map((choices.versions.get(projectId) ?? []).map((version, at) => [version, at]));
  return [...set].sort((a, b) => rank(a) - rank(b) || age.get(a)! - age.get(b)!);
}
