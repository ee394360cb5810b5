// The filter of a project's versions, as its pages have it in their addresses: ?v=0.4.8&l=quilt&ch=beta. A
// game version or loader that is not known here finds nothing (decisions §3); a channel that does not exist is ignored.

import { channels } from "#content/shapes/version.js";
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import type { VersionEntry } from "#content/versions/entries.js";
import { matches } from "#content/versions/policy.js";
import type { Channel } from "#platform/db/tables.js";

export interface Choice {
  gameVersion: string;
  loader: string;
  /** This one and all more stable ones. Empty: the page's own default. */
  channel: Channel | "";
}

/** All that stands in the addresses of these pages. */
export const choiceNames = ["v", "l", "ch", "page"] as const;

export type Query = Record<string, string | string[] | undefined>;

/** The first of a repeated parameter. */
export const textOf = (query: Query, name: string): string => [query[name] ?? ""].flat()[0] ?? "";

const longestName = 64;

export function readChoice(query: Query): Choice {
  const channel = textOf(query, "ch");
  return {
    gameVersion: textOf(query, "v").slice(0, longestName).toWellFormed(),
    loader: textOf(query, "l").slice(0, longestName).toWellFormed(),
    channel: channels.find((name) => name === channel) ?? "",
  };
}

/** "?v=0.4.8&l=quilt", or nothing. */
export function choiceQuery({ gameVersion, loader, channel }: Choice, more: Record<string, string> = {}): string {
  const parts = Object.entries({ v: gameVersion, l: loader, ch: channel, ...more }).filter(([, value]) => value !== "");
  return parts.length === 0 ? "" : `?${new URLSearchParams(parts)}`;
}

export const channelsUpTo = (channel: Channel): ReadonlySet<Channel> =>
  new Set(channels.slice(0, channels.indexOf(channel) + 1));

/** Without a channel everything but development builds, which are for those who ask for them. */
export function filterVersions(
  versions: readonly VersionEntry[],
  { gameVersion, loader, channel }: Choice,
): VersionEntry[] {
  const filter = {
    channels: channelsUpTo(channel || "alpha"),
    gameVersions: gameVersion ? [gameVersion] : undefined,
    loader,
  };
  return versions.filter((version) => matches(version, filter));
}

export interface Offered {
  gameVersions: readonly string[];
  loaders: readonly string[];
  channels: readonly Channel[];
}

/** What there is to choose from among these versions. */
export function offeredBy(versions: readonly VersionEntry[], taxonomy: Taxonomy): Offered {
  const all = <T>(of: (version: VersionEntry) => Iterable<T>) => new Set(versions.flatMap((each) => [...of(each)]));
  const loaders = all(({ loaders }) => loaders);
  const used = all(({ channel }) => [channel]);
  return {
    gameVersions: taxonomy.sortGameVersions([...all(({ gameVersions }) => gameVersions)]),
    loaders: [...new Set([...taxonomy.loaders.map(({ name }) => name), ...loaders])].filter((name) =>
      loaders.has(name),
    ),
    channels: channels.filter((channel) => used.has(channel)),
  };
}

/** From 1; what is no number is the first page, and nobody has more than a million. */
export function readPage(query: Query): number {
  const text = textOf(query, "page");
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1;
}
