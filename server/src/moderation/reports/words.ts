// The words that reports are made of, and how many one may have open.
import type { ReportType } from "#lib/report-types.js";

export const itemTypes = ["project", "version", "user"] as const;
export type ItemType = (typeof itemTypes)[number];

/** The outcome that a reporter is told; empty if the moderator gives none. */
export const outcomes = ["action_taken", "no_violation", "other"] as const;
export type Outcome = (typeof outcomes)[number];

/** Malicious content comes first in the moderators' list. */
export const isUrgent = (type: ReportType): boolean => type === "malicious";

/** Beyond that a reporter waits until some are closed. */
export const maxOpenReports = 30;
