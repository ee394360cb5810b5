// What a visitor gets who presses Download: which version fits what he plays with, everything that it needs, and what
// stands in the way.

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
import type { ProjectView } from "#web/shared/project-view.js";
import { channelsUpTo, type Query, readChoice, textOf } from "#web/shared/version-filter.js";

export interface Wish {
  gameVersion: string;
  loader: string;
  /** This one and all more stable ones. */
  channel: Channel;
  /** Asked for by name. */
  pinned: VersionEntry | undefined;
  /** The version that fits; undefined where none does. */
  match: VersionEntry | undefined;
}

/** From the address, then from the visitor's set-up; what neither says is taken from the version that fits best. */
export function readWish({ versions }: ProjectView, query: Query, setup: Setup): Wish {
  const asked = readChoice(query);
  const pinned = findPinned(versions, textOf(query, "version"));
  if (pinned) return fromPinned(pinned, asked, setup);
  const gameVersion = asked.gameVersion || setup.gameVersion;
  const loader = asked.loader || setup.loader;
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

const first = (values: ReadonlySet<string> | undefined): string => values?.values().next().value ?? "";

const findPinned = (versions: readonly VersionEntry[], ref: string): VersionEntry | undefined =>
  ref === "" ? undefined : findVersion(versions, ref);

function fromPinned(pinned: VersionEntry, asked: ReturnType<typeof readChoice>, setup: Setup): Wish {
  const gameVersion = [asked.gameVersion, setup.gameVersion].find((value) => pinned.gameVersions.has(value));
  const loader = [asked.loader, setup.loader].find((name) => pinned.loaders.has(name));
  return {
    gameVersion: gameVersion ?? first(pinned.gameVersions),
    // A file that goes with every loader needs others for the one that the visitor has.
    loader: loader ?? (pinned.loaders.size === 0 ? asked.loader || setup.loader : first(pinned.loaders)),
    channel: asked.channel || pinned.channel,
    pinned,
    match: pinned,
  };
}

const mostStable = (versions: readonly VersionEntry[]): Channel =>
  channels.find((channel) => versions.some((version) => version.channel === channel)) ?? "release";

/** Undefined where no version fits, or where working it out would take too long. */
export async function findPlan(
  resources: Resources,
  viewer: Viewer,
  { entry }: ProjectView,
  { gameVersion, loader, channel, pinned, match }: Wish,
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

/** Versions that come close: for the same loader first, then for the same game version, the newest of each place once. */
export function nearest(versions: readonly VersionEntry[], { gameVersion, loader }: Wish): VersionEntry[] {
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
