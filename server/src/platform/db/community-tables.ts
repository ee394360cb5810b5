// The tables for downloads, views, follows, collections, notifications, threads and reports.
import type { Locale } from "#words/languages.js";
import { bytes, defaulted, flag, integer, json, nullable, serial, type TableShapes, text, time } from "./columns.js";

export const communityTables = {
  // For each client and project the last three downloads that were counted, the newest first. A client is the digest of
  // an account or address. Rows are deleted after the window in which they matter (content/downloads/forget.ts).
  recent_downloads: {
    client: bytes,
    project_id: text(),
    version_1: text(),
    time_1: time,
    version_2: nullable(text()),
    time_2: nullable(time),
    version_3: nullable(text()),
    time_3: nullable(time),
  },
  // Sums of downloads. The country is two letters, or empty if the operator has configured no header for it.
  download_days: { version_id: text(), project_id: text(), day: integer, country: text(), count: integer },
  // The sums of all projects, including those that were deleted.
  download_totals: { day: integer, country: text(), count: integer },
  // When a visitor was last counted for a project; the key is the digest of both (content/views/forget.ts deletes them).
  recent_views: { visitor: bytes, time },
  // Sums of views of a project's pages, by the visitor's country and by referring host (content/views).
  view_days: { project_id: text(), day: integer, country: text(), count: integer },
  view_referrers: { project_id: text(), day: integer, host: text(), count: integer, missed: defaulted(integer) },
  // The new totals of the last flushes of download counters (content/records/figures.ts).
  figure_changes: { seq: serial, date_created: time, body: json<unknown>() },
  follows: { user_id: text(), project_id: text(), preferences: json<unknown>(), date_created: time },
  // Follows of users and of organizations.
  user_follows: { follower_id: text(), author_id: text(), date_created: time },
  organization_follows: { follower_id: text(), author_id: text(), date_created: time },
  collections: {
    id: text(),
    user_id: text(),
    name: text(),
    description: text(),
    visibility: text<"public" | "private" | "unlisted">(),
    icon_id: nullable(text()),
    date_created: time,
    date_updated: time,
    // When its owner last saved a project to it with one click; null: never.
    date_saved_to: nullable(time),
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
    // The muted types.
    muted: json<string[]>(),
    // The default settings of follows without their own; null: all events.
    follow_defaults: nullable(json<unknown>()),
    date_last_digest: nullable(time),
  },
  // New versions about which followers are being notified.
  announcements: {
    id: text(),
    project_id: text(),
    version_ids: json<string[]>(),
    // The last notified follower, in the order of ids; null while versions are still collected.
    told_up_to: nullable(text()),
    date_created: time,
  },
  // Every project whose publication the followers of its author were notified of, so that this happens once.
  project_announcements: {
    project_id: text(),
    // The last notified follower, in the order of ids; null: all of them are notified.
    told_up_to: nullable(text()),
    date_created: time,
  },
  // The tokens in digest mails; each turns these mails off and gives no other access.
  unsubscribe_tokens: { digest: bytes, user_id: text(), date_expires: time },
  threads: { id: text(), type: text<"project" | "report" | "direct_message">(), entity_id: text(), date_created: time },
  thread_messages: {
    id: text(),
    thread_id: text(),
    author_id: nullable(text()),
    type: text(),
    body: json<unknown>(),
    is_private: flag,
    // Written as a moderator, independent of the author's role today: the author's name is shown only to moderators.
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
    // The outcome, once it is closed; may stay empty.
    outcome: defaulted(text()),
    // For reports without an account; the address is deleted some time after the case is closed.
    guest_email: nullable(text()),
    guest_locale: nullable(text<Locale>()),
  },
  // Reports that the owner of the address has not confirmed yet; they are not shown to moderators.
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
