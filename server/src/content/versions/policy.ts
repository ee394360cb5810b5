// Which versions pass a filter (decisions §6): channels, game versions and loaders, all on the same version.
import type { FileEntry, VersionEntry } from "#content/catalog/version-entries.js";
import type { Channel } from "#platform/db/tables.js";

export interface VersionFilter {
  channels?: ReadonlySet<Channel> | undefined;
  /** At least one of them. */
  gameVersions?: readonly string[] | undefined;
  loader?: string | undefined;
}

export function matches(version: VersionEntry, { channels: wanted, gameVersions, loader }: VersionFilter): boolean {
  if (wanted && !wanted.has(version.channel)) return false;
  if (loader !== undefined && loader !== "" && !version.loaders.has(loader)) return false;
  return !gameVersions || gameVersions.length === 0 || gameVersions.some((value) => version.gameVersions.has(value));
}

/** The newest that passes. What its author has withdrawn is never offered. */
export const findLatest = (versions: readonly VersionEntry[], filter: VersionFilter): VersionEntry | undefined =>
  versions.find((version) => !version.yanked && matches(version, filter));

/** By id or slug; "latest" is not one of them. */
export const findVersion = (versions: readonly VersionEntry[], ref: string): VersionEntry | undefined => {
  const slug = ref.toLowerCase();
  return versions.find((version) => version.id === ref) ?? versions.find((version) => version.slug === slug);
};

/** By name, exactly, or by the file's id. */
export const findFile = (version: VersionEntry, name: string): FileEntry | undefined =>
  version.files.find((file) => file.name === name) ?? version.files.find((file) => file.id === name);
