// Which downloads count (decisions §6): once per client and version in six hours, at most three per client and project.

export const windowMs = 6 * 60 * 60 * 1000;
export const maxPerProject = 3;

export interface DownloadEvent {
  /** Who: a digest of the account, or of the address where there is none. */
  client: string;
  projectId: string;
  versionId: string;
  /** Two letters; empty where nobody says. */
  country: string;
  time: number;
}

/** Those of the events that count, given what was counted before. Both must be in the order of time. */
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
