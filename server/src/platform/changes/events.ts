// What happens to projects and is told to others: webhooks and notifications are made from these. An event is written in
// the transaction that makes it true (write.ts), whoever may see the project; who is told is decided when it is told.

/** What each kind of event says, besides the project it happened to. */
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
