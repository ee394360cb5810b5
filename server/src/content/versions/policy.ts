// Which versions exist for callers of ordinary routes, and which pass a filter (decisions §6): channels, game versions and
// loaders, all on the same version.
import { type RawBuilder, sql } from "kysely";
import type { Channel } from "#platform/db/tables.js";

/** Part of every query over versions. Those in quarantine exist for moderators alone, on routes of their own. */
export const isNotQuarantined: RawBuilder<boolean> = sql<boolean>`versions.date_quarantined is null`;

export interface VersionFilter {
  channels?: ReadonlySet<Channel> | undefined;
  /** At least one of them. */
  gameVersions?: readonly string[] | undefined;
  loader?: string | undefined;
}

/** What filters look at (entries.ts). */
interface Offered {
  channel: Channel;
  gameVersions: ReadonlySet<string>;
  loaders: ReadonlySet<string>;
  yanked: boolean;
}

export function matches(version: Offered, { channels: wanted, gameVersions, loader }: VersionFilter): boolean {
  if (wanted && !wanted.has(version.channel)) return false;
  if (loader !== undefined && loader !== "" && !version.loaders.has(loader)) return false;
  return !gameVersions || gameVersions.length === 0 || gameVersions.some((value) => version.gameVersions.has(value));
}

/** The newest that passes. What its author has withdrawn is never offered. */
export const findLatest = <V extends Offered>(versions: readonly V[], filter: VersionFilter): V | undefined =>
  versions.find((version) => !version.yanked && matches(version, filter));

/** By id or slug; "latest" is not one of them. */
export const findVersion = <V extends { id: string; slug: string }>(
  versions: readonly V[],
  ref: string,
): V | undefined => {
  const slug = ref.toLowerCase();
  return versions.find((version) => version.id === ref) ?? versions.find((version) => version.slug === slug);
};

/** By name, exactly, or by the file's id. */
export const findFile = <F extends { id: string; name: string }>(
  { files }: { files: readonly F[] },
  name: string,
): F | undefined => files.find((file) => file.name === name) ?? files.find((file) => file.id === name);
