// What moderators do: reviews, who has what in hand, and what is held back.
import { bytes, flag, nullable, type TableShapes, text, time } from "./columns.js";
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
