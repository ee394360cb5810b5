// The data of the compatibility matrix: the recommended version for each game version and loader. Pure.

import { channels } from "#content/shapes/version.js";
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import type { Channel } from "#platform/db/tables.js";
import type { PageVersion } from "#web/shared/project-view.js";
import { type GameVersionRange, isNext } from "./game-version-ranges.js";

/** The column of versions without a loader. */
export const anyLoader = "";

export interface CompatRow {
  range: GameVersionRange;
  /** In the order of the loaders. */
  cells: readonly (PageVersion | undefined)[];
}

export interface Compat {
  loaders: readonly string[];
  /** Newest game versions first; adjacent rows with the same cells are joined. */
  rows: readonly CompatRow[];
}

/** Expects the newest version first. Withdrawn versions are left out. */
export function toCompat(versions: readonly PageVersion[], taxonomy: Taxonomy): Compat {
  const best = new Map<string, Map<string, PageVersion>>();
  const used = new Set<string>();
  for (const version of bestFirst(versions)) {
    const loaders = version.loaders.size === 0 ? [anyLoader] : version.loaders;
    for (const gameVersion of version.gameVersions) {
      const row = best.get(gameVersion) ?? new Map<string, PageVersion>();
      best.set(gameVersion, row);
      for (const loader of loaders) {
        if (row.has(loader)) continue;
        row.set(loader, version);
        used.add(loader);
      }
    }
  }
  const known = taxonomy.loaders.map(({ name }) => name).filter((name) => used.has(name));
  // Loaders that were removed from the taxonomy, and files without a loader, come last.
  const loaders = [...new Set([...known, ...[...used].sort((a, b) => (a > b ? -1 : 1))])];
  return { loaders, rows: toRows(best, loaders, taxonomy) };
}

type Seen = Map<ReadonlySet<string>, { loaders: ReadonlySet<string>; channels: Set<Channel> }>;

/** Whether a newer version of the same channel has the very same sets, as many versions of a prepared project have. */
function isSeen(seen: Seen, { gameVersions, loaders, channel }: PageVersion): boolean {
  const known = seen.get(gameVersions);
  if (known?.loaders !== loaders) seen.set(gameVersions, { loaders, channels: new Set([channel]) });
  else if (known.channels.has(channel)) return true;
  else known.channels.add(channel);
  return false;
}

/** The more stable versions come first, and among equals the newest. Versions that cannot be the best are left out. */
function bestFirst(versions: readonly PageVersion[]): PageVersion[] {
  const seen: Seen = new Map();
  const byChannel = new Map<Channel, PageVersion[]>(channels.map((channel) => [channel, []]));
  for (const version of versions)
    if (!version.yanked && !isSeen(seen, version)) byChannel.get(version.channel)!.push(version);
  return [...byChannel.values()].flat();
}

function toRows(
  best: ReadonlyMap<string, ReadonlyMap<string, PageVersion>>,
  loaders: readonly string[],
  taxonomy: Taxonomy,
): CompatRow[] {
  const rows: CompatRow[] = [];
  for (const gameVersion of taxonomy.sortGameVersions([...best.keys()])) {
    const row = best.get(gameVersion)!;
    const cells = loaders.map((loader) => row.get(loader));
    const above = rows.at(-1);
    const isSame = above?.cells.every((cell, at) => cell === cells[at]) ?? false;
    if (above && isSame && isNext(above.range.oldest, gameVersion, taxonomy))
      above.range = { ...above.range, oldest: gameVersion, values: [...above.range.values, gameVersion] };
    else rows.push({ cells, range: { newest: gameVersion, oldest: gameVersion, values: [gameVersion] } });
  }
  return rows;
}
