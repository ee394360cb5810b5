// Events and consumers of the change log, public changes, counters, webhooks, notification settings, reviews and
// quarantines.
import type { ColumnWords } from "#platform/db/dialect.js";
import { columnParts, digest, flag, length, oneOf } from "./column-parts.js";
import { deskParts } from "./desk-parts.js";
import { offerParts } from "./offer-parts.js";
import { publishingParts } from "./publishing-parts.js";
import { searchParts } from "./search-parts.js";
import { signInParts } from "./sign-in-parts.js";

export const eventsReviewsWebhooks = (words: ColumnWords): string[] => {
  const { bytes, bigint, serial } = words;
  const { table, time, maybeTime, partOf } = columnParts(words);
  // The record stays when the account of its author is deleted.
  const staff = "text REFERENCES users (id) ON DELETE SET NULL";
  const publicKind = `kind text NOT NULL ${oneOf("kind", "project", "version", "organization", "user")}`;

  return [
    // The change log and its consumers
    table(
      "events",
      "id text PRIMARY KEY",
      "type text NOT NULL",
      // Not a reference: events outlive their objects.
      "project_id text NOT NULL",
      "detail text NOT NULL",
      time("date_created"),
    ),
    "CREATE INDEX events_date_created ON events (date_created)",
    table("feed_cursors", "name text PRIMARY KEY", `seq ${bigint} NOT NULL`),
    table(
      "public_changes",
      `seq ${serial}`,
      publicKind,
      "object_id text NOT NULL",
      "project_id text",
      `act text NOT NULL ${oneOf("act", "created", "updated", "deleted")}`,
      time("date_created"),
      maybeTime("date_obsolete"),
    ),
    "CREATE INDEX public_changes_object_id ON public_changes (object_id) WHERE date_obsolete IS NULL",
    "CREATE INDEX public_changes_deleted ON public_changes (object_id) WHERE act = 'deleted'",
    "CREATE INDEX public_changes_date_obsolete ON public_changes (date_obsolete) WHERE date_obsolete IS NOT NULL",
    table(
      "public_things",
      publicKind,
      "object_id text NOT NULL",
      "project_id text",
      "digest text NOT NULL",
      "PRIMARY KEY (kind, object_id)",
    ),
    "CREATE INDEX public_things_project_id ON public_things (project_id)",

    // Figures
    table("counters", "name text PRIMARY KEY", `value ${bigint} NOT NULL`),
    table("project_counts", "project_id text PRIMARY KEY", "versions integer NOT NULL", "files integer NOT NULL"),
    table("counted_users", "user_id text PRIMARY KEY"),
    table("counted_members", "team_id text NOT NULL", "user_id text NOT NULL", "PRIMARY KEY (team_id, user_id)"),
    "CREATE INDEX counted_members_user_id ON counted_members (user_id)",
    // Existing rows are added as if they had just changed: consumers of the change log begin with them, in batches.
    ...["user", "team", "organization", "project"].map(
      (kind) => `INSERT INTO changes (kind, object_id, date_created)
        SELECT '${kind}', id, ${words.now} FROM ${kind}s WHERE id <> 'deleted_user' ORDER BY id`,
    ),
    "ALTER TABLE downloads ADD COLUMN country text NOT NULL DEFAULT ''",
    "CREATE INDEX download_days_day ON download_days (day)",
    "CREATE INDEX downloads_day ON downloads (day)",

    // Feeds of everything, newest first
    "CREATE INDEX versions_date_published ON versions (date_published)",
    "CREATE INDEX projects_date_approved ON projects (date_approved)",

    // Webhooks
    table(
      "webhooks",
      "id text PRIMARY KEY",
      `owner_kind text NOT NULL ${oneOf("owner_kind", "project", "organization")}`,
      "owner_id text NOT NULL",
      `url text NOT NULL ${length("url", "webhookUrl")}`,
      `form text NOT NULL ${oneOf("form", "standard", "discord")}`,
      "secret text NOT NULL",
      "old_secret text",
      maybeTime("date_old_secret_ends"),
      "events text NOT NULL",
      flag("enabled"),
      `disabled_reason text ${oneOf("disabled_reason", "failing", "gone")}`,
      "failures integer NOT NULL",
      maybeTime("date_resume"),
      maybeTime("date_busy"),
      `created_by ${staff}`,
      time("date_created"),
      time("date_updated"),
    ),
    "CREATE INDEX webhooks_owner_id ON webhooks (owner_id)",
    "CREATE INDEX webhooks_created_by ON webhooks (created_by)",
    table(
      "webhook_deliveries",
      "id text PRIMARY KEY",
      partOf("webhook_id", "webhooks"),
      "message_id text NOT NULL",
      "event text NOT NULL",
      "facts text NOT NULL",
      `status text NOT NULL ${oneOf("status", "pending", "delivered", "failed")}`,
      "attempts integer NOT NULL",
      "response_status integer",
      "response_excerpt text",
      "error text",
      time("date_created"),
      maybeTime("date_attempted"),
      maybeTime("date_next"),
    ),
    "CREATE UNIQUE INDEX webhook_deliveries_webhook_id_message_id_unique ON webhook_deliveries (webhook_id, message_id)",
    "CREATE INDEX webhook_deliveries_webhook_id ON webhook_deliveries (webhook_id, date_created)",
    "CREATE INDEX webhook_deliveries_pending ON webhook_deliveries (webhook_id, date_next) WHERE status = 'pending'",
    "CREATE INDEX webhook_deliveries_date_created ON webhook_deliveries (date_created)",

    // Uploads in parts
    table(
      "uploads",
      "id text PRIMARY KEY",
      partOf("user_id", "users"),
      `name text NOT NULL ${length("name", "fileName")}`,
      `size ${bigint} NOT NULL CHECK (size > 0)`,
      `received ${bigint} NOT NULL`,
      "parts text NOT NULL",
      "whole text",
      `sha512 ${bytes} ${digest("sha512", 64)}`,
      `sha1 ${bytes} ${digest("sha1", 20)}`,
      "facts text",
      time("date_created"),
      time("date_expires"),
      maybeTime("date_used"),
      "CHECK (received BETWEEN 0 AND size)",
    ),
    "CREATE INDEX uploads_user_id ON uploads (user_id, date_created)",
    "CREATE INDEX uploads_date_expires ON uploads (date_expires)",

    // Follows and notifications
    "DROP INDEX follows_project_id",
    "CREATE INDEX follows_project_id ON follows (project_id, user_id)",
    "CREATE INDEX notifications_unread ON notifications (user_id, date_created) WHERE date_read IS NULL",
    "CREATE INDEX notifications_date_created ON notifications (date_created)",
    "CREATE INDEX notifications_read ON notifications (date_created) WHERE date_read IS NOT NULL",
    table(
      "notification_settings",
      "user_id text PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE",
      `digest text NOT NULL ${oneOf("digest", "off", "daily", "weekly")}`,
      "muted text NOT NULL",
      "follow_defaults text",
      maybeTime("date_last_digest"),
    ),
    "CREATE INDEX notification_settings_date_last_digest ON notification_settings (date_last_digest) WHERE digest <> 'off'",
    table(
      "announcements",
      "id text PRIMARY KEY",
      partOf("project_id", "projects"),
      "version_ids text NOT NULL",
      "told_up_to text",
      time("date_created"),
    ),
    "CREATE INDEX announcements_project_id ON announcements (project_id, date_created)",
    table(
      "unsubscribe_tokens",
      `digest ${bytes} PRIMARY KEY ${digest("digest", 32)}`,
      partOf("user_id", "users"),
      time("date_expires"),
    ),
    "CREATE INDEX unsubscribe_tokens_user_id ON unsubscribe_tokens (user_id)",
    "CREATE INDEX unsubscribe_tokens_date_expires ON unsubscribe_tokens (date_expires)",

    // Moderation
    table(
      "reviews",
      "id text PRIMARY KEY",
      partOf("project_id", "projects"),
      `moderator_id ${staff}`,
      `status text NOT NULL ${oneOf("status", "draft", "processing", "approved", "withheld", "rejected")}`,
      "reason text NOT NULL",
      "message text NOT NULL",
      // Null if the project was not in the queue.
      maybeTime("date_queued"),
      time("date_decided"),
    ),
    "CREATE INDEX reviews_project_id ON reviews (project_id)",
    "CREATE INDEX reviews_moderator_id ON reviews (moderator_id)",
    "CREATE INDEX reviews_date_decided ON reviews (date_decided)",
    table(
      "review_claims",
      `kind text NOT NULL ${oneOf("kind", "project", "report")}`,
      "object_id text NOT NULL",
      partOf("user_id", "users"),
      time("date_created"),
      time("date_expires"),
      "PRIMARY KEY (kind, object_id)",
    ),
    "CREATE INDEX review_claims_user_id ON review_claims (user_id)",
    `ALTER TABLE versions ADD COLUMN date_quarantined ${bigint}`,
    table(
      "quarantines",
      "id text PRIMARY KEY",
      "version_id text REFERENCES versions (id) ON DELETE CASCADE",
      `sha512 ${bytes} ${digest("sha512", 64)}`,
      "reason text NOT NULL",
      `created_by ${staff}`,
      time("date_created"),
      `lifted_by ${staff}`,
      maybeTime("date_lifted"),
      "CHECK ((version_id IS NULL) <> (sha512 IS NULL))",
    ),
    "CREATE UNIQUE INDEX quarantines_version_id_unique ON quarantines (version_id) WHERE date_lifted IS NULL",
    "CREATE UNIQUE INDEX quarantines_sha512_unique ON quarantines (sha512) WHERE date_lifted IS NULL",
    "CREATE INDEX quarantines_created_by ON quarantines (created_by)",
    "CREATE INDEX quarantines_lifted_by ON quarantines (lifted_by)",
    table(
      "denied_hashes",
      "id text PRIMARY KEY",
      `sha512 ${bytes} ${digest("sha512", 64)}`,
      `sha1 ${bytes} ${digest("sha1", 20)}`,
      "reason text NOT NULL",
      `created_by ${staff}`,
      time("date_created"),
      "CHECK (sha512 IS NOT NULL OR sha1 IS NOT NULL)",
    ),
    "CREATE UNIQUE INDEX denied_hashes_sha512_unique ON denied_hashes (sha512)",
    "CREATE UNIQUE INDEX denied_hashes_sha1_unique ON denied_hashes (sha1)",
    "CREATE INDEX denied_hashes_created_by ON denied_hashes (created_by)",

    // Threads and reports
    `ALTER TABLE thread_messages ADD COLUMN ${flag("by_moderator")} DEFAULT 0`,
    "UPDATE thread_messages SET by_moderator = 1 WHERE author_id IN (SELECT id FROM users WHERE role <> 'user')",
    table(
      "report_cases",
      "id text PRIMARY KEY",
      `item_type text NOT NULL ${oneOf("item_type", "project", "version", "user")}`,
      "item_id text NOT NULL",
      flag("is_urgent"),
      time("date_created"),
      time("date_updated"),
      maybeTime("date_closed"),
    ),
    "CREATE UNIQUE INDEX report_cases_item_type_item_id_unique ON report_cases (item_type, item_id) WHERE date_closed IS NULL",
    "CREATE INDEX report_cases_date_created ON report_cases (date_created, id)",
    "ALTER TABLE reports ADD COLUMN case_id text REFERENCES report_cases (id)",
    "ALTER TABLE reports ADD COLUMN outcome text NOT NULL DEFAULT ''",
    "CREATE INDEX reports_case_id ON reports (case_id)",
    "CREATE INDEX reports_reporter_id ON reports (reporter_id, date_created)",
    "CREATE INDEX reports_date_created ON reports (date_created, id)",
    "CREATE INDEX audit_log_date_created ON audit_log (date_created)",

    ...searchParts(words),
    ...signInParts(words),
    ...offerParts(words),
    ...deskParts(words),
    ...publishingParts(words),
  ];
};
