// What moderators do: reviews, who has what in hand, and what is held back.
import { bytes, defaulted, flag, integer, json, nullable, type TableShapes, text, time } from "./columns.js";
import type { ProjectStatus } from "./content-tables.js";

export const moderationTables = {
  // Decided reviews: how long the queue takes, and what was said.
  reviews: {
    id: text(),
    project_id: text(),
    moderator_id: nullable(text()),
    status: text<ProjectStatus>(),
    reason: text(),
    message: text(),
    // Null where the project was not in the queue.
    date_queued: nullable(time),
    date_decided: time,
    // The classes of what was wrong, each of which the author mends.
    problems: defaulted(json<string[]>()),
    // Strangers had seen the project before this, or before an earlier decision.
    was_public: defaulted(flag),
  },
  // Decided, but not carried out yet: until then the moderator can take it back and nobody has heard of it.
  held_decisions: {
    id: text(),
    project_id: text(),
    moderator_id: text(),
    from_status: text<ProjectStatus>(),
    status: text<ProjectStatus>(),
    reason: text(),
    message: text(),
    problems: json<string[]>(),
    // Who acted, for the audit log.
    actor: json<unknown>(),
    date_created: time,
    date_due: time,
  },
  // What a project was like when it was handed to the moderators, and what its author says to what was asked for.
  submissions: {
    id: text(),
    project_id: text(),
    snapshot: json<unknown>(),
    answers: json<unknown>(),
    submitted_by: nullable(text()),
    date_created: time,
  },
  // What a reporter shows of it; for him and moderators.
  report_pictures: {
    id: text(),
    report_id: text(),
    sha512: bytes,
    width: integer,
    height: integer,
    date_created: time,
  },
  // Among moderators; the user never sees them.
  user_notes: {
    id: text(),
    user_id: text(),
    author_id: nullable(text()),
    kind: text<"note" | "strike">(),
    body: text(),
    date_created: time,
  },
  review_claims: {
    kind: text<"project" | "report">(),
    object_id: text(),
    user_id: text(),
    date_created: time,
    date_expires: time,
  },
  // Open reports about one thing are one case: moderators see them together.
  report_cases: {
    id: text(),
    item_type: text<"project" | "version" | "user">(),
    item_id: text(),
    // One of the reports says that the thing does harm.
    is_urgent: flag,
    date_created: time,
    date_updated: time,
    date_closed: nullable(time),
  },
  // Of a version, or of every version that has a file with this content.
  quarantines: {
    id: text(),
    version_id: nullable(text()),
    sha512: nullable(bytes),
    reason: text(),
    created_by: nullable(text()),
    date_created: time,
    lifted_by: nullable(text()),
    date_lifted: nullable(time),
  },
  // Contents that may not be published, alone or inside an archive; known by one of the hashes, or both.
  denied_hashes: {
    id: text(),
    sha512: nullable(bytes),
    sha1: nullable(bytes),
    reason: text(),
    created_by: nullable(text()),
    date_created: time,
  },
} satisfies TableShapes;
