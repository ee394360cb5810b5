// Game versions in short form: consecutive ones become a range.
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";

export interface GameVersionRange {
  newest: string;
  oldest: string;
  /** All of them, newest first. */
  values: readonly string[];
}

type Ranks = Pick<Taxonomy, "gameVersions" | "gameVersionRank" | "isGameVersion" | "sortGameVersions">;

/** Newest first. Game versions that are not in the taxonomy stay alone. */
export function toRanges(values: readonly string[], taxonomy: Ranks): GameVersionRange[] {
  const runs: string[][] = [];
  for (const value of taxonomy.sortGameVersions([...new Set(values)])) {
    const run = runs.at(-1);
    if (run && isNext(run.at(-1)!, value, taxonomy)) run.push(value);
    else runs.push([value]);
  }
  return runs.map((run) => ({ newest: run[0]!, oldest: run.at(-1)!, values: run }));
}

/** Authors often leave these out without a reason. */
const beforeRelease: ReadonlySet<string> = new Set(["pre-release", "snapshot"]);

/** Whether only pre-releases and snapshots are between the two. */
export function isNext(newer: string, older: string, taxonomy: Ranks): boolean {
  if (!taxonomy.isGameVersion(newer) || !taxonomy.isGameVersion(older)) return false;
  const [from, to] = [taxonomy.gameVersionRank(newer), taxonomy.gameVersionRank(older)];
  return taxonomy.gameVersions.slice(from + 1, to).every(({ releaseType }) => beforeRelease.has(releaseType));
}

/** "0.3.22–0.3.26" */
export const rangeText = ({ newest, oldest }: GameVersionRange): string =>
  newest === oldest ? newest : `${oldest}–${newest}`;
