// What people do with it: downloading, following, collecting, talking, reporting.
import type { Locale } from "#words/languages.js";
import { bytes, defaulted, flag, integer, json, nullable, serial, type TableShapes, text, time } from "./columns.js";

export const communityTables = {
  // The ledger. A counted download is one row; rows older than the de-duplication window are folded into download_days.
  downloads: {
    seq: serial,
    project_id: text(),
    version_id: text(),
    client: bytes,
    day: integer,
    date_created: time,
    // Two letters, or empty where the operator names no header for it.
    country: defaulted(text()),
  },
  download_days: { version_id: text(), project_id: text(), day: integer, country: text(), count: integer },
  follows: { user_id: text(), project_id: text(), preferences: json<unknown>(), date_created: time },
  collections: {
    id: text(),
    user_id: text(),
    name: text(),
    description: text(),
    visibility: text<"public" | "private" | "unlisted">(),
    icon_id: nullable(text()),
    date_created: time,
    date_updated: time,
  },
  collection_projects: { collection_id: text(), project_id: text(), date_added: time },
  notifications: {
    id: text(),
    user_id: text(),
    type: text(),
    group_key: nullable(text()),
    body: json<unknown>(),
    date_created: time,
    date_read: nullable(time),
  },
  notification_settings: {
    user_id: text(),
    digest: text<"off" | "daily" | "weekly">(),
    // The types that are not wanted.
    muted: json<string[]>(),
    // What follows without a choice of their own are told of; null: of everything.
    follow_defaults: nullable(json<unknown>()),
    date_last_digest: nullable(time),
  },
  // New versions that followers are being told of.
  announcements: {
    id: text(),
    project_id: text(),
    version_ids: json<string[]>(),
    // The last follower, in the order of their ids; null while versions are still gathered.
    told_up_to: nullable(text()),
    date_created: time,
  },
  // In the mails that tell of notifications; each ends them, and opens nothing.
  unsubscribe_tokens: { digest: bytes, user_id: text(), date_expires: time },
  threads: { id: text(), type: text<"project" | "report" | "direct_message">(), entity_id: text(), date_created: time },
  thread_messages: {
    id: text(),
    thread_id: text(),
    author_id: nullable(text()),
    type: text(),
    body: json<unknown>(),
    is_private: flag,
    // Written as a moderator, whatever its author is today: his name stays among moderators.
    by_moderator: defaulted(flag),
    date_created: time,
  },
  reports: {
    id: text(),
    type: text(),
    item_type: text<"project" | "version" | "user">(),
    item_id: text(),
    body: text(),
    reporter_id: nullable(text()),
    thread_id: text(),
    closed: flag,
    date_created: time,
    case_id: nullable(text()),
    // What became of it, once it is closed; may stay empty.
    outcome: defaulted(text()),
    // Of somebody without an account; the address goes some time after the case is closed.
    guest_email: nullable(text()),
    guest_locale: nullable(text<Locale>()),
  },
  // Not confirmed yet by whoever has the address: nobody has heard of them.
  guest_reports: {
    id: text(),
    email: text(),
    locale: text<Locale>(),
    type: text(),
    item_type: text<"project" | "version" | "user">(),
    item_id: text(),
    body: text(),
    code_digest: nullable(bytes),
    date_created: time,
    date_expires: time,
  },
} satisfies TableShapes;
