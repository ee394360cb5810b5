// The tables of moderators: reviews, claims, reports, quarantines, denied contents.
import { bytes, defaulted, flag, integer, json, nullable, type TableShapes, text, time } from "./columns.js";
import type { ProjectStatus } from "./content-tables.js";

export const moderationTables = {
  // Decided reviews, for the statistics of the queue and the history.
  reviews: {
    id: text(),
    project_id: text(),
    moderator_id: nullable(text()),
    status: text<ProjectStatus>(),
    reason: text(),
    message: text(),
    // Null if the project was not in the queue.
    date_queued: nullable(time),
    date_decided: time,
    // The classes of the problems that the author has to fix.
    problems: defaulted(json<string[]>()),
    // The project was public before this decision or an earlier one.
    was_public: defaulted(flag),
  },
  // Decisions that are not carried out yet: until then the moderator can undo them, and no user is notified.
  held_decisions: {
    id: text(),
    project_id: text(),
    moderator_id: text(),
    from_status: text<ProjectStatus>(),
    status: text<ProjectStatus>(),
    reason: text(),
    message: text(),
    problems: json<string[]>(),
    // The actor, for the audit log.
    actor: json<unknown>(),
    date_created: time,
    date_due: time,
  },
  // A project as it was submitted to the moderators, with the author's replies to earlier requests.
  submissions: {
    id: text(),
    project_id: text(),
    snapshot: json<unknown>(),
    answers: json<unknown>(),
    submitted_by: nullable(text()),
    date_created: time,
  },
  // The reporter's evidence, visible to the reporter and to moderators.
  report_pictures: {
    id: text(),
    report_id: text(),
    sha512: bytes,
    width: integer,
    height: integer,
    date_created: time,
  },
  // Visible to moderators only, never to the user.
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
  // Open reports about one object form one case: moderators see them together.
  report_cases: {
    id: text(),
    item_type: text<"project" | "version" | "user">(),
    item_id: text(),
    // One of the reports says that the object is malicious.
    is_urgent: flag,
    date_created: time,
    date_updated: time,
    date_closed: nullable(time),
  },
  // A quarantine applies to a version, or to every version that has a file with this content.
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
  // Contents that may not be published, alone or inside an archive; identified by one hash or both.
  denied_hashes: {
    id: text(),
    sha512: nullable(bytes),
    sha1: nullable(bytes),
    reason: text(),
    created_by: nullable(text()),
    date_created: time,
  },
} satisfies TableShapes;
