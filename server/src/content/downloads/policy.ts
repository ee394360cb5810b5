// Which downloads count (decisions §6): once per client and version in six hours, at most three per client and project.
// The database knows those that were counted before (count.ts); this file decides among the downloads of one batch.

export const windowMs = 6 * 60 * 60 * 1000;
/** The table of recent downloads has a place for each of them. */
export const maxPerProject = 3;

export interface Download {
  /** A digest of the account, or of the address for anonymous callers. */
  client: string;
  projectId: string;
  versionId: string;
  /** Two letters; empty if unknown. */
  country: string;
  time: number;
}

/**
 * The downloads of a batch that can count, whatever was counted before, in rounds of at most one per client and project.
 * However often a client repeats a request within the window, there are at most three.
 */
export function toRounds(batch: readonly Download[]): Download[][] {
  const rounds: Download[][] = [];
  const known = new Map<string, Download[]>();
  for (const download of batch) {
    const key = `${download.client} ${download.projectId}`;
    const earlier = known.get(key) ?? [];
    const recent = earlier.filter(({ time }) => download.time - time < windowMs);
    if (recent.length === maxPerProject || recent.some(({ versionId }) => versionId === download.versionId)) continue;
    known.set(key, [...earlier, download]);
    const round = rounds[earlier.length];
    if (round) round.push(download);
    else rounds.push([download]);
  }
  return rounds;
}
