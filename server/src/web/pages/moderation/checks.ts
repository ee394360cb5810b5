// The checks of a review, in the order of the page. Each check stands for a reason of a decision and has a prepared
// sentence for the author.
import type { ReasonId } from "#moderation/desk/reasons.js";

export type CheckId = Exclude<ReasonId, "fits" | "legal" | "second_look" | "other">;

/** Each with the section of the page that it is about. */
export const checks: readonly { id: CheckId; section: string }[] = [
  { id: "name", section: "see-head" },
  { id: "metadata", section: "see-head" },
  { id: "description", section: "see-description" },
  { id: "spam", section: "see-description" },
  { id: "licence", section: "see-licence" },
  { id: "links", section: "see-links" },
  { id: "media", section: "see-pictures" },
  { id: "inappropriate", section: "see-pictures" },
  { id: "others_work", section: "see-files" },
  { id: "malicious", section: "see-files" },
];

export const isCheck = (id: string): id is CheckId => checks.some((check) => check.id === id);
