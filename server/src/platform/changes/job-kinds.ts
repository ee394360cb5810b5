// The kinds of background jobs and their payloads. A payload never contains a secret: codes and tokens are created when
// the job runs.
import type { Locale } from "#words/languages.js";

export interface JobPayloads {
  "mail-password-reset": { email: string };
  "mail-email-change": { userId: string; email: string };
  "mail-action": { userId: string; purpose: "password_add" | "account_deletion" };
  "mail-notice": { to: string; notice: "passwordChanged" | "emailChanged"; userName: string; locale?: Locale | null };
  "mail-invitation": { inviteId: string };
  "mail-guest-report": { guestReportId: string };
  /** With the moderators' message about it. */
  "mail-guest-outcome": { reportId: string; message: string };
  "mail-new-session": { sessionId: string };
  "mail-token-expiry": { tokenId: string; daysLeft: number };
  "tell-of-token-expiry": Record<string, never>;
  /** The next batch of followers of a project, about a version that was withdrawn for security reasons. */
  "warn-followers": { versionId: string; toldUpTo: string };
  "tell-followers": { projectId: string };
  /** The next batch of followers of the author of a new project. */
  "tell-author-followers": { projectId: string };
  "start-digests": Record<string, never>;
  /** Unread notifications created after `since`, up to and including `until`. */
  "mail-digest": { userId: string; since: number; until: number };
  "delete-expired": Record<string, never>;
  "collect-blobs": Record<string, never>;
  "rebuild-search": Record<string, never>;
  /** Scans the files that wait for a verdict. `tries`: how often the scanner could not be reached before. */
  "scan-files": { tries?: number };
  "scan-everything": { tries?: number };
  "carry-out-decision": { decisionId: string };
  "verify-everything": { isDeep: boolean };
  "make-backup": Record<string, never>;
  "sweep-backups": Record<string, never>;
  "start-due-backup": Record<string, never>;
  "check-for-update": Record<string, never>;
  /** The due deliveries of a webhook, or one delivery that a user requested. */
  "deliver-webhook": { webhookId: string; deliveryId?: string };
}

export type JobKind = keyof JobPayloads;
