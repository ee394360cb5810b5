// The handler of each kind of job, and the scheduled jobs.

import { mailNewSession } from "#accounts/sessions/jobs.js";
import { mailTokenExpiries, mailTokenExpiry } from "#accounts/tokens/jobs.js";
import { mailAction, mailEmailChange, mailNotice, mailPasswordReset } from "#accounts/users/jobs.js";
import { mailDigest, notifyAuthorFollowers, notifyFollowers, startDigests } from "#community/notifications/jobs.js";
import { warnFollowers } from "#community/notifications/warnings.js";
import { mailInvitation } from "#content/teams/jobs.js";
import { rebuildSearch } from "#discovery/search/jobs.js";
import { deliverWebhook } from "#integrations/webhooks/jobs.js";
import { carryOutDecision } from "#moderation/desk/held.js";
import { mailGuestOutcome, mailGuestReport } from "#moderation/reports/jobs.js";
import { scanFiles } from "#moderation/scans/jobs.js";
import { scanEverything } from "#moderation/scans/rescan.js";
import { checkForUpdate } from "#operations/administration/update-notice.js";
import { verifyEverything } from "#operations/administration/verification-run.js";
import { backUp, startDueBackup, sweepBackups } from "#operations/backup/run.js";
import type { Handlers, Schedule } from "#platform/jobs/worker.js";
import { collectBlobs, deleteExpired } from "./housekeeping.js";

export const handlers: Handlers = {
  "mail-password-reset": mailPasswordReset,
  "mail-email-change": mailEmailChange,
  "mail-action": mailAction,
  "mail-notice": mailNotice,
  "mail-invitation": mailInvitation,
  "mail-guest-report": mailGuestReport,
  "mail-guest-outcome": mailGuestOutcome,
  "mail-new-session": mailNewSession,
  "mail-token-expiry": mailTokenExpiry,
  "tell-of-token-expiry": mailTokenExpiries,
  "warn-followers": warnFollowers,
  "tell-followers": notifyFollowers,
  "tell-author-followers": notifyAuthorFollowers,
  "start-digests": startDigests,
  "mail-digest": mailDigest,
  "delete-expired": deleteExpired,
  "collect-blobs": collectBlobs,
  "rebuild-search": rebuildSearch,
  "carry-out-decision": carryOutDecision,
  "scan-files": scanFiles,
  "scan-everything": scanEverything,
  "verify-everything": verifyEverything,
  "make-backup": backUp,
  "sweep-backups": sweepBackups,
  "start-due-backup": startDueBackup,
  "check-for-update": checkForUpdate,
  "deliver-webhook": deliverWebhook,
};

const minute = 60_000;

/** Each has its own key, so that several nodes and restarts never enqueue one twice. */
export const schedule: Schedule = [
  { kind: "delete-expired", everyMs: 10 * minute },
  { kind: "collect-blobs", everyMs: 60 * minute },
  { kind: "start-due-backup", everyMs: 10 * minute },
  { kind: "check-for-update", everyMs: 24 * 60 * minute },
  // Also for settings that the operator has changed since.
  { kind: "scan-files", everyMs: 10 * minute },
  { kind: "start-digests", everyMs: 60 * minute },
  { kind: "tell-of-token-expiry", everyMs: 60 * minute },
];
