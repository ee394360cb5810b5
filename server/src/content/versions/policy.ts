// Which versions are visible on ordinary routes, and which match a filter (decisions §6): channel, game version and
// loader must all match the same version.
import { type RawBuilder, sql } from "kysely";
import { SetFilter } from "#content/records/offered-sets.js";
import { channels } from "#content/shapes/version.js";
import type { Channel } from "#platform/db/tables.js";

/** Part of every query over versions. Only staff see quarantined versions, on separate routes. */
export const isNotQuarantined: RawBuilder<boolean> = sql<boolean>`versions.date_quarantined is null`;

export interface VersionFilter {
  channels?: ReadonlySet<Channel> | undefined;
  /** At least one of them must match. */
  gameVersions?: readonly string[] | undefined;
  loader?: string | undefined;
  /** At least one of them must match. */
  loaders?: ReadonlySet<string> | undefined;
}

/** The fields that filters use (entries.ts). */
interface Offered {
  channel: Channel;
  gameVersions: ReadonlySet<string>;
  loaders: ReadonlySet<string>;
  yanked: boolean;
}

export const matches = (version: Offered, filter: VersionFilter): boolean =>
  (!filter.channels || filter.channels.has(version.channel)) && matchesSet(version, filter);

function matchesSet(
  set: Pick<Offered, "gameVersions" | "loaders">,
  { gameVersions, loader, loaders }: Omit<VersionFilter, "channels">,
): boolean {
  if (loader !== undefined && loader !== "" && !set.loaders.has(loader)) return false;
  if (loaders && loaders.size > 0 && !sharesOne(set.loaders, loaders)) return false;
  return !gameVersions || gameVersions.length === 0 || gameVersions.some((value) => set.gameVersions.has(value));
}

/** Walks the loaders of the version: it has few, and callers may want many. */
function sharesOne(own: ReadonlySet<string>, wanted: ReadonlySet<string>): boolean {
  for (const each of own) if (wanted.has(each)) return true;
  return false;
}

/** The same filter for prepared projects. */
export function toSetFilter({ channels: wanted, gameVersions = [], loader = "", loaders }: VersionFilter): SetFilter {
  const mask = channels.reduce((sum, channel, index) => (!wanted || wanted.has(channel) ? sum | (1 << index) : sum), 0);
  if (gameVersions.length === 0 && loader === "" && !loaders?.size) return new SetFilter(mask);
  return new SetFilter(mask, (set) => matchesSet(set, { gameVersions, loader, loaders }));
}

/** The newest version that matches. Withdrawn versions are never offered. */
export const findLatest = <V extends Offered>(versions: readonly V[], filter: VersionFilter): V | undefined =>
  versions.find((version) => !version.yanked && matches(version, filter));

/** By id or slug, but not "latest". */
export const findVersion = <V extends { id: string; slug: string }>(
  versions: readonly V[],
  ref: string,
): V | undefined => {
  const slug = ref.toLowerCase();
  return versions.find((version) => version.id === ref) ?? versions.find((version) => version.slug === slug);
};

/** By exact name or by id. */
export const findFile = <F extends { id: string; name: string }>(
  { files }: { files: readonly F[] },
  name: string,
): F | undefined => files.find((file) => file.name === name) ?? files.find((file) => file.id === name);
