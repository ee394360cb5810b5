// The kinds of background work and what each is told. A payload never holds a secret: codes and tokens are made when
// the job runs.
import type { Locale } from "#words/languages.js";

export interface JobPayloads {
  "mail-password-reset": { email: string };
  "mail-email-change": { userId: string; email: string };
  "mail-action": { userId: string; purpose: "password_add" | "account_deletion" };
  "mail-notice": { to: string; notice: "passwordChanged" | "emailChanged"; userName: string; locale?: Locale | null };
  "mail-invitation": { inviteId: string };
  "mail-guest-report": { guestReportId: string };
  /** With what moderators say to it. */
  "mail-guest-outcome": { reportId: string; message: string };
  "mail-new-session": { sessionId: string };
  "mail-token-expiry": { tokenId: string; daysLeft: number };
  "tell-of-token-expiry": Record<string, never>;
  /** The next of those who follow the project of a version that was withdrawn for the sake of security. */
  "warn-followers": { versionId: string; toldUpTo: string };
  "tell-followers": { projectId: string };
  "start-digests": Record<string, never>;
  /** Unread notifications from after one moment, up to and with the other. */
  "mail-digest": { userId: string; since: number; until: number };
  "delete-expired": Record<string, never>;
  "collect-blobs": Record<string, never>;
  "fold-downloads": Record<string, never>;
  "rebuild-search": Record<string, never>;
  "carry-out-decision": { decisionId: string };
  "verify-everything": { isDeep: boolean };
  /** What is due of a webhook, or one delivery that somebody asked for. */
  "deliver-webhook": { webhookId: string; deliveryId?: string };
}

export type JobKind = keyof JobPayloads;
