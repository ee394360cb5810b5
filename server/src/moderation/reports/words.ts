// The types and outcomes of reports, and the limit of open reports per user.
import type { ReportType } from "#lib/report-types.js";

export const itemTypes = ["project", "version", "user"] as const;
export type ItemType = (typeof itemTypes)[number];

/** The outcome that a reporter is told; empty if the moderator gives none. */
export const outcomes = ["action_taken", "no_violation", "other"] as const;
export type Outcome = (typeof outcomes)[number];

/** Malicious content comes first in the moderators' list. */
export const isUrgent = (type: ReportType): boolean => type === "malicious";

/** Above this a reporter waits until some are closed. */
export const maxOpenReports = 30;
