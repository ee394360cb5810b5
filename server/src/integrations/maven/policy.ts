// Selects the file for a name, and the version of a dependency in a POM.

import { channels } from "#content/shapes/version.js";
import type { FileEntry, VersionEntry } from "#content/versions/entries.js";

/** "tar.gz" is one extension for build tools, and two elsewhere. */
export const extensionOf = (fileName: string): string => /\.(tar\.gz|[^.]+)$/i.exec(fileName)?.[1]?.toLowerCase() ?? "";

/**
 * `{artifact}-{version}.{extension}` is the primary file, `{artifact}-{version}-{classifier}.{extension}` the only
 * additional file whose name ends like that, and every file has its own name. No other name is valid.
 */
export function findNamedFile(
  version: VersionEntry,
  name: string,
  asked: { artifact: string; version: string },
): FileEntry | undefined {
  const stem = `${asked.artifact}-${asked.version}`;
  const [primary, ...others] = version.files;
  if (primary && name === `${stem}.${extensionOf(primary.name)}`) return primary;
  const own = version.files.find((file) => file.name === name);
  if (own || !name.startsWith(`${stem}-`)) return own;
  const ending = name.slice(stem.length);
  const [classified, ...more] = others.filter((file) => file.name.endsWith(ending));
  return more.length === 0 ? classified : undefined;
}

/**
 * A build must get the same answer every time: without a pin it is the newest matching version that existed when the
 * dependent was published, or the first one after that.
 */
export function chooseDependencyVersion(
  dependent: VersionEntry,
  pin: string | null,
  versions: readonly VersionEntry[],
): VersionEntry | undefined {
  const pinned = pin === null ? undefined : versions.find(({ id }) => id === pin);
  if (pinned) return pinned;
  const offered = versions.filter((version) => !version.yanked);
  const fitting = offered.filter((version) => goesWith(version, dependent));
  const choice = fitting.length > 0 ? fitting : offered;
  return choice.find((version) => version.datePublished <= dependent.datePublished) ?? choice.at(-1);
}

const goesWith = (version: VersionEntry, dependent: VersionEntry): boolean =>
  channels.indexOf(version.channel) <= channels.indexOf(dependent.channel) &&
  sharesOne(version.gameVersions, dependent.gameVersions) &&
  (version.loaders.size === 0 || dependent.loaders.size === 0 || sharesOne(version.loaders, dependent.loaders));

const sharesOne = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean => [...a].some((each) => b.has(each));
