// Which downloads count (decisions §6): once per client and version in six hours, at most three per client and project.

export const windowMs = 6 * 60 * 60 * 1000;
export const maxPerProject = 3;

export interface DownloadEvent {
  /** A digest of the account, or of the address for anonymous callers. */
  client: string;
  projectId: string;
  versionId: string;
  /** Two letters; empty if unknown. */
  country: string;
  time: number;
}

/** The events that count, given those that were counted before. Both must be sorted by time. */
export function chooseCounted(counted: readonly DownloadEvent[], events: readonly DownloadEvent[]): DownloadEvent[] {
  const known = new Map<string, DownloadEvent[]>();
  const keyOf = (event: DownloadEvent) => `${event.client} ${event.projectId}`;
  const remember = (event: DownloadEvent) => {
    const list = known.get(keyOf(event));
    if (list) list.push(event);
    else known.set(keyOf(event), [event]);
  };
  for (const event of counted) remember(event);
  return events.filter((event) => {
    const recent = (known.get(keyOf(event)) ?? []).filter((earlier) => event.time - earlier.time < windowMs);
    const counts = recent.length < maxPerProject && !recent.some((earlier) => earlier.versionId === event.versionId);
    if (counts) remember(event);
    return counts;
  });
}
