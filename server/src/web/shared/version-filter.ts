// The filter of a project's versions, as parameters of its pages: ?v=0.4.8&l=quilt&ch=beta. An unknown game version or
// loader matches nothing (decisions §3); an unknown channel is ignored.

import { channels } from "#content/shapes/version.js";
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import { matches } from "#content/versions/policy.js";
import type { Channel } from "#platform/db/tables.js";
import type { PageVersion } from "./project-view.js";

export interface Choice {
  gameVersion: string;
  loader: string;
  /** This channel and all more stable ones. Empty: the page's default. */
  channel: Channel | "";
}

/** All query parameters of these pages. */
export const choiceNames = ["v", "l", "ch", "page"] as const;

export type Query = Record<string, string | string[] | undefined>;

/** The first value, if the parameter is repeated. */
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

/** Values that are the same in a query; a page may have hundreds of these links. */
const plainValue = /^[\w.*-]*$/;

/** "?v=0.4.8&l=quilt", or an empty text. */
export function choiceQuery({ gameVersion, loader, channel }: Choice, more: Record<string, string> = {}): string {
  let query = "";
  const add = (name: string, value: string) => {
    if (value === "") return;
    const text = plainValue.test(value) ? `${name}=${value}` : new URLSearchParams({ [name]: value }).toString();
    query += `${query === "" ? "?" : "&"}${text}`;
  };
  add("v", gameVersion);
  add("l", loader);
  add("ch", channel);
  for (const name in more) add(name, more[name]!);
  return query;
}

export const channelsUpTo = (channel: Channel): ReadonlySet<Channel> =>
  new Set(channels.slice(0, channels.indexOf(channel) + 1));

/** Without a channel, development builds are left out, because they have to be requested. */
export function filterVersions<V extends PageVersion>(
  versions: readonly V[],
  { gameVersion, loader, channel }: Choice,
): V[] {
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

/** Many of the sets are the same object. */
const union = (sets: readonly ReadonlySet<string>[]): ReadonlySet<string> =>
  new Set([...new Set(sets)].flatMap((set) => [...set]));

/** The choices that these versions offer. */
export function offeredBy(versions: readonly PageVersion[], taxonomy: Taxonomy): Offered {
  const loaders = union(versions.map((version) => version.loaders));
  const used = new Set(versions.map(({ channel }) => channel));
  return {
    gameVersions: taxonomy.sortGameVersions([...union(versions.map(({ gameVersions }) => gameVersions))]),
    loaders: [...new Set([...taxonomy.loaders.map(({ name }) => name), ...loaders])].filter((name) =>
      loaders.has(name),
    ),
    channels: channels.filter((channel) => used.has(channel)),
  };
}

/** Starts at 1. An invalid number stands for the first page, and no list has more than a million pages. */
export function readPage(query: Query): number {
  const text = textOf(query, "page");
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1;
}
