// The contents of update files, from the versions that the project offers, newest first.
import type { Channel } from "#platform/db/tables.js";

export interface UpdateVersion {
  versionNumber: string;
  channel: Channel;
  gameVersions: ReadonlySet<string>;
  changelog: string;
}

/** Forge lists the changes since the installed version; no one reads more than these. */
const mostChangelogs = 10;
const longestChangelog = 1000;
/** A version repeats its changelog for each of its game versions, so all of them together are limited too. */
const mostText = 128 * 1024;

/** Forge asks for the version after "-recommended", and for the one after "-latest" if that is newer. */
export function toForgeUpdates(homepage: string, versions: readonly UpdateVersion[]): Record<string, unknown> {
  const promos = new Map<string, string>();
  const changelogs = new Map<string, [string, string][]>();
  let length = 0;
  for (const { versionNumber, channel, gameVersions, changelog } of versions)
    for (const gameVersion of gameVersions) {
      const promote = (kind: string) => {
        const name = `${gameVersion}-${kind}`;
        if (!promos.has(name)) promos.set(name, versionNumber);
      };
      promote("latest");
      if (channel === "release") promote("recommended");
      const known = changelogs.get(gameVersion) ?? [];
      const text = shorten(changelog);
      if (known.length >= mostChangelogs || length + text.length > mostText) continue;
      length += text.length;
      changelogs.set(gameVersion, [...known, [versionNumber, text]]);
    }
  return {
    ...Object.fromEntries([...changelogs].map(([name, list]) => [name, Object.fromEntries(list)])),
    homepage,
    promos: Object.fromEntries(promos),
  };
}

const shorten = (text: string): string =>
  text.length > longestChangelog
    ? `${text
        .slice(0, longestChangelog)
        .toWellFormed()
        .replace(/\ufffd$/, "")
        .trimEnd()}…`
    : text;

/** The newest version for each game version. */
export function newestByGameVersion<V extends Pick<UpdateVersion, "gameVersions">>(
  versions: readonly V[],
): Map<string, V> {
  const newest = new Map<string, V>();
  for (const version of versions)
    for (const gameVersion of version.gameVersions) if (!newest.has(gameVersion)) newest.set(gameVersion, version);
  return newest;
}
