// Events of projects, from which webhooks and notifications are made. An event is written in the transaction that makes
// it true (write.ts), also for projects that are not public; its recipients are decided when it is delivered.

/** The details of each kind of event, besides its project. */
export interface EventDetails {
  "version.published": { versionId: string };
  "version.edited": { versionId: string };
  "version.yanked": { versionId: string; reason: string };
  "version.deleted": { versionId: string; versionNumber: string };
  "project.edited": Record<string, never>;
  "project.status_changed": { from: string; to: string };
  "project.deleted": { slug: string; name: string; orgId: string | null };
}

export type EventType = keyof EventDetails;
