// Finds what the download button should deliver: the version that fits the visitor's set-up, all its dependencies, and
// possible problems.

import { fitsPlace } from "#content/resolve/graph.js";
import { makePlan } from "#content/resolve/plan.js";
import type { Plan } from "#content/resolve/shapes.js";
import { channels } from "#content/shapes/version.js";
import type { VersionEntry } from "#content/versions/entries.js";
import { findVersion } from "#content/versions/policy.js";
import type { Channel } from "#platform/db/tables.js";
import { Failure } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import type { Viewer } from "#platform/http/viewer.js";
import type { Setup } from "#web/context/preferences.js";
import { setupFor } from "#web/shared/fits.js";
import type { PageVersion, PageView, ProjectView } from "#web/shared/project-view.js";
import { channelsUpTo, type Query, readChoice, textOf } from "#web/shared/version-filter.js";

export interface DownloadChoice<V extends PageVersion = VersionEntry> {
  gameVersion: string;
  loader: string;
  /** This channel and all more stable ones. */
  channel: Channel;
  /** The version that the URL names. */
  pinned: V | undefined;
  /** The version that fits; undefined if none does. */
  match: V | undefined;
}

/** From the URL, then from the visitor's set-up; missing values are taken from the version that fits best. */
export function readDownloadChoice<V extends PageVersion>(
  view: Pick<PageView, "taxonomy" | "project"> & { versions: readonly V[] },
  query: Query,
  chosen: Setup,
): DownloadChoice<V> {
  const { versions, taxonomy, project } = view;
  const asked = readChoice(query);
  const setup = setupFor(chosen, taxonomy, project.type);
  // Projects without loaders may have dependencies for the visitor's loader.
  const spare = versions.every(({ loaders }) => loaders.size === 0) ? (chosen.loaders[0] ?? "") : "";
  const pinned = findPinned(versions, textOf(query, "version"));
  if (pinned) return fromPinned(pinned, asked, setup, spare);
  const gameVersion = asked.gameVersion || setup.gameVersion;
  const loader = asked.loader || loaderWithVersion(versions, { ...setup, gameVersion }) || spare;
  const fitting = versions.filter((version) => !version.yanked && fitsPlace(version, { gameVersion, loader }));
  const channel = asked.channel || mostStable(fitting);
  const match = fitting.find((version) => channelsUpTo(channel).has(version.channel));
  return {
    gameVersion: gameVersion || first(match?.gameVersions),
    loader: loader || first(match?.loaders),
    channel,
    pinned: undefined,
    match,
  };
}

/** The loader of the set-up that has a version; otherwise the first one. */
const loaderWithVersion = (versions: readonly PageVersion[], { gameVersion, loaders }: Setup): string =>
  loaders.find((loader) => versions.some((each) => !each.yanked && fitsPlace(each, { gameVersion, loader }))) ??
  loaders[0] ??
  "";

const first = (values: ReadonlySet<string> | undefined): string => values?.values().next().value ?? "";

const findPinned = <V extends PageVersion>(versions: readonly V[], ref: string): V | undefined =>
  ref === "" ? undefined : findVersion(versions, ref);

function fromPinned<V extends PageVersion>(
  pinned: V,
  asked: ReturnType<typeof readChoice>,
  setup: Setup,
  spare: string,
): DownloadChoice<V> {
  const gameVersion = [asked.gameVersion, setup.gameVersion].find((value) => pinned.gameVersions.has(value));
  const loader = [asked.loader, ...setup.loaders].find((name) => pinned.loaders.has(name));
  return {
    gameVersion: gameVersion ?? first(pinned.gameVersions),
    loader: loader ?? (pinned.loaders.size === 0 ? asked.loader || setup.loaders[0] || spare : first(pinned.loaders)),
    channel: asked.channel || pinned.channel,
    pinned,
    match: pinned,
  };
}

const mostStable = (versions: readonly PageVersion[]): Channel =>
  channels.find((channel) => versions.some((version) => version.channel === channel)) ?? "release";

/** Undefined if no version fits, or if resolving would take too long. */
export async function findPlan(
  resources: Resources,
  viewer: Viewer,
  { entry }: ProjectView,
  { gameVersion, loader, channel, pinned, match }: DownloadChoice,
): Promise<Plan | undefined> {
  if (!match) return undefined;
  const setup = {
    gameVersion: gameVersion || undefined,
    loader: loader || undefined,
    channels: channelsUpTo(channel),
  };
  const wanted = [{ project: entry.id, ...(pinned && { version: pinned.id }) }];
  try {
    return await makePlan(resources, viewer, { wanted, hashes: [], algorithm: "sha512", setup });
  } catch (error) {
    if (error instanceof Failure && (error.code === "planTooHard" || error.code === "planTooLarge")) return undefined;
    throw error;
  }
}

const mostNear = 6;

/** Versions that nearly fit: those that match loader or game version first, and one for each combination. */
export function nearest(versions: readonly VersionEntry[], { gameVersion, loader }: DownloadChoice): VersionEntry[] {
  const offered = versions.filter(({ yanked }) => !yanked);
  const near = (version: VersionEntry): number =>
    Number(fitsPlace(version, { gameVersion })) + Number(fitsPlace(version, { loader }));
  const seen = new Set<string>();
  return offered
    .toSorted((a, b) => near(b) - near(a) || channels.indexOf(a.channel) - channels.indexOf(b.channel))
    .filter((version) => {
      const place = `${[...version.gameVersions]} ${[...version.loaders]}`;
      return !seen.has(place) && seen.add(place);
    })
    .slice(0, mostNear);
}
