// Which function does which kind of job, and what runs by the clock.
import { verifyEverything } from "../administration/verification-run.js";
import type { JobKind, JobPayloads } from "../changes/job-kinds.js";
import { foldDownloads } from "../downloads/jobs.js";
import type { Resources } from "../http/resources.js";
import { carryOutDecision } from "../moderation/held.js";
import { mailDigest, startDigests, tellFollowers } from "../notifications/jobs.js";
import { warnFollowers } from "../notifications/warnings.js";
import { mailGuestOutcome, mailGuestReport } from "../reports/jobs.js";
import { rebuildSearch } from "../search/jobs.js";
import { mailNewSession } from "../sessions/jobs.js";
import { mailInvitation } from "../teams/jobs.js";
import { mailTokenExpiry, tellOfTokenExpiry } from "../tokens/jobs.js";
import { mailAction, mailEmailChange, mailNotice, mailPasswordReset } from "../users/jobs.js";
import { deliverWebhook } from "../webhooks/jobs.js";
import { collectBlobs, deleteExpired } from "./housekeeping.js";

export type Handlers = { [K in JobKind]: (resources: Resources, payload: JobPayloads[K]) => Promise<void> };

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
  "tell-of-token-expiry": tellOfTokenExpiry,
  "warn-followers": warnFollowers,
  "tell-followers": tellFollowers,
  "start-digests": startDigests,
  "mail-digest": mailDigest,
  "delete-expired": deleteExpired,
  "collect-blobs": collectBlobs,
  "fold-downloads": foldDownloads,
  "rebuild-search": rebuildSearch,
  "carry-out-decision": carryOutDecision,
  "verify-everything": verifyEverything,
  "deliver-webhook": deliverWebhook,
};

const minute = 60_000;

/** Enqueued under a key of their own, so that several nodes and restarts never pile them up. */
export const schedule: readonly {
  kind: "delete-expired" | "collect-blobs" | "fold-downloads" | "start-digests" | "tell-of-token-expiry";
  everyMs: number;
}[] = [
  { kind: "delete-expired", everyMs: 10 * minute },
  { kind: "collect-blobs", everyMs: 60 * minute },
  { kind: "fold-downloads", everyMs: 60 * minute },
  { kind: "start-digests", everyMs: 60 * minute },
  { kind: "tell-of-token-expiry", everyMs: 60 * minute },
];
