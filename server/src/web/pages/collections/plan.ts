// One plan for the projects of a collection that fit a set-up, and their dependencies. Projects without a fitting
// version, or that conflict with the others, are left out and named.

import type { Budgets } from "#content/resolve/clash.js";
import { fits, fitsPlace } from "#content/resolve/graph.js";
import { newBudgets } from "#content/resolve/loaded-request.js";
import { makePlan } from "#content/resolve/plan.js";
import type { ClashReason, Plan } from "#content/resolve/shapes.js";
import type { ProjectListItem } from "#content/shapes/project.js";
import { channels } from "#content/shapes/version.js";
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import { type VersionEntry, versionEntries } from "#content/versions/entries.js";
import type { Channel } from "#platform/db/tables.js";
import { Failure } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import type { Viewer } from "#platform/http/viewer.js";
import type { Setup } from "#web/context/preferences.js";
import { channelsUpTo, offeredBy, type Query, readChoice, textOf } from "#web/shared/version-filter.js";

/** Where the files are to be used; an empty text means that nothing is chosen. */
interface Place {
  gameVersion: string;
  /** Several are separated by commas: one of them is enough. */
  loader: string;
}

export interface CollectionChoice extends Place {
  /** This channel and all more stable ones. */
  channel: Channel;
  /** The choices that the versions of the collection offer. */
  offered: ReturnType<typeof offeredBy>;
}

export interface LeftOut {
  project: ProjectListItem;
  /** No version for the set-up; none that is stable enough; or a conflict with other projects. */
  because: "place" | "channel" | "clash";
  reasons: readonly ClashReason[];
}

export interface CollectionPlan {
  /** Undefined if nothing fits, or if resolving would take too long. */
  plan: Plan | undefined;
  isTooHard: boolean;
  leftOut: readonly LeftOut[];
}

export interface Contents {
  items: readonly ProjectListItem[];
  versions: ReadonlyMap<string, readonly VersionEntry[]>;
}

export async function readContents(resources: Resources, items: readonly ProjectListItem[]): Promise<Contents> {
  return { items, versions: await versionEntries(resources).load(items.map(({ id }) => id)) };
}

/** More than all loaders of the taxonomy need. */
const longestLoaders = 512;

/** From the URL, then from the visitor's set-up. Without a channel, the most stable one that has any version. */
export function readCollectionWish(
  { versions }: Contents,
  query: Query,
  setup: Setup,
  taxonomy: Taxonomy,
): CollectionChoice {
  const asked = readChoice(query);
  const place = {
    gameVersion: "v" in query ? asked.gameVersion : setup.gameVersion,
    loader: "l" in query ? textOf(query, "l").slice(0, longestLoaders).toWellFormed() : setup.loaders.join(","),
  };
  const all = [...versions.values()].flat();
  const fitting = all.filter((version) => !version.yanked && fitsPlace(version, toSetup(place)));
  const stable = channels.find((channel) => fitting.some((version) => version.channel === channel));
  return { ...place, channel: asked.channel || stable || "release", offered: offeredBy(all, taxonomy) };
}

export const loadersOf = ({ loader }: Pick<Place, "loader">): string[] => loader.split(",").filter(Boolean);

function toSetup({ gameVersion, loader }: Place) {
  const [first, ...otherLoaders] = loadersOf({ loader });
  return { gameVersion: gameVersion || undefined, loader: first, otherLoaders };
}

/** Without game version and loader it is unknown which files go together. */
export const isPlaced = ({ gameVersion, loader }: Place): boolean => gameVersion !== "" || loader !== "";

/** Each conflict removes one project and resolves again, up to this number. */
const mostClashes = 8;

export async function planCollection(
  resources: Resources,
  viewer: Viewer,
  { items, versions }: Contents,
  { gameVersion, loader, channel }: CollectionChoice,
  budgets = newBudgets(),
): Promise<CollectionPlan> {
  const place = toSetup({ gameVersion, loader });
  const setup = { ...place, channels: channelsUpTo(channel) };
  const leftOut: LeftOut[] = [];
  let wanted: ProjectListItem[] = [];
  for (const project of items) {
    const own = versions.get(project.id) ?? [];
    if (own.some((version) => fits(version, setup))) wanted.push(project);
    else {
      const isUnstable = own.some((version) => !version.yanked && fitsPlace(version, place));
      leftOut.push({ project, because: isUnstable ? "channel" : "place", reasons: [] });
    }
  }
  for (let clashes = 0; wanted.length > 0 && clashes <= mostClashes; clashes++) {
    const plan = await tryPlan(resources, viewer, { wanted, setup, budgets });
    if (!plan) break;
    if (plan.resolved) return { plan, isTooHard: false, leftOut };
    const project = findConflictingProject(plan, wanted);
    if (!project) break;
    leftOut.push({ project, because: "clash", reasons: plan.clash!.reasons });
    wanted = wanted.filter((each) => each !== project);
  }
  return { plan: undefined, isTooHard: wanted.length > 0, leftOut };
}

/** Leaves out the last of the conflicting projects, because collections usually start with the most important ones. */
function findConflictingProject({ clash }: Plan, wanted: readonly ProjectListItem[]): ProjectListItem | undefined {
  const clashing = new Set(clash?.demands.map(({ onProjectId }) => onProjectId));
  return wanted.findLast(({ id }) => clashing.has(id));
}

interface Asked {
  wanted: readonly ProjectListItem[];
  setup: Parameters<typeof makePlan>[2]["setup"];
  budgets: Budgets;
}

async function tryPlan(
  resources: Resources,
  viewer: Viewer,
  { wanted, setup, budgets }: Asked,
): Promise<Plan | undefined> {
  const question = { wanted: wanted.map(({ id }) => ({ project: id })), hashes: [], algorithm: "sha512" } as const;
  try {
    return await makePlan(resources, viewer, { ...question, setup }, budgets);
  } catch (error) {
    if (error instanceof Failure && (error.code === "planTooHard" || error.code === "planTooLarge")) return undefined;
    throw error;
  }
}
