// Events and followers of the change feed, public changes, counters, webhooks, notification settings, reviews and
// quarantines.
import type { ColumnWords } from "../dialect.js";
import { columnParts, digest, flag, oneOf } from "./column-parts.js";

export const findingAndBelonging = (words: ColumnWords): string[] => {
  const { bytes, bigint, serial } = words;
  const { table, time, maybeTime, userOf, partOf } = columnParts(words);
  const publicKind = `kind text NOT NULL ${oneOf("kind", "project", "version", "organization", "user")}`;

  return [
    // The change feed and those who follow it
    table(
      "events",
      "id text PRIMARY KEY",
      "type text NOT NULL",
      // Not a reference: events outlive what they speak of.
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
    ),
    "CREATE INDEX public_changes_object_id ON public_changes (object_id)",
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
    table(
      "project_counts",
      "project_id text PRIMARY KEY",
      flag("listed"),
      "versions integer NOT NULL",
      "files integer NOT NULL",
    ),
    "ALTER TABLE downloads ADD COLUMN country text NOT NULL DEFAULT ''",

    // Webhooks
    table(
      "webhooks",
      "id text PRIMARY KEY",
      `owner_kind text NOT NULL ${oneOf("owner_kind", "project", "organization")}`,
      "owner_id text NOT NULL",
      "url text NOT NULL",
      `form text NOT NULL ${oneOf("form", "standard", "discord")}`,
      "secret text NOT NULL",
      "events text NOT NULL",
      flag("enabled"),
      "failures integer NOT NULL",
      "created_by text REFERENCES users (id)",
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
      "payload text NOT NULL",
      `status text NOT NULL ${oneOf("status", "pending", "delivered", "failed")}`,
      "attempts integer NOT NULL",
      "response_status integer",
      "response_excerpt text",
      "error text",
      time("date_created"),
      maybeTime("date_attempted"),
      maybeTime("date_next"),
    ),
    "CREATE INDEX webhook_deliveries_webhook_id ON webhook_deliveries (webhook_id, date_created)",
    "CREATE INDEX webhook_deliveries_date_created ON webhook_deliveries (date_created)",

    // Notifications
    table(
      "notification_settings",
      "user_id text PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE",
      `digest text NOT NULL ${oneOf("digest", "off", "daily", "weekly")}`,
      "muted text NOT NULL",
      maybeTime("date_last_digest"),
    ),

    // Moderation
    table(
      "reviews",
      "id text PRIMARY KEY",
      partOf("project_id", "projects"),
      "moderator_id text REFERENCES users (id)",
      `status text NOT NULL ${oneOf("status", "draft", "processing", "approved", "withheld", "rejected")}`,
      "reason text NOT NULL",
      "message text NOT NULL",
      time("date_queued"),
      time("date_decided"),
    ),
    "CREATE INDEX reviews_project_id ON reviews (project_id)",
    "CREATE INDEX reviews_moderator_id ON reviews (moderator_id)",
    "CREATE INDEX reviews_date_decided ON reviews (date_decided)",
    table(
      "review_claims",
      `kind text NOT NULL ${oneOf("kind", "project", "report")}`,
      "object_id text NOT NULL",
      userOf("user_id"),
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
      "created_by text REFERENCES users (id)",
      time("date_created"),
      "lifted_by text REFERENCES users (id)",
      maybeTime("date_lifted"),
      "CHECK ((version_id IS NULL) <> (sha512 IS NULL))",
    ),
    "CREATE UNIQUE INDEX quarantines_version_id_unique ON quarantines (version_id) WHERE date_lifted IS NULL",
    "CREATE UNIQUE INDEX quarantines_sha512_unique ON quarantines (sha512) WHERE date_lifted IS NULL",
    "CREATE INDEX quarantines_created_by ON quarantines (created_by)",
    "CREATE INDEX quarantines_lifted_by ON quarantines (lifted_by)",
    table(
      "denied_hashes",
      `sha512 ${bytes} PRIMARY KEY ${digest("sha512", 64)}`,
      `sha1 ${bytes} ${digest("sha1", 20)}`,
      "reason text NOT NULL",
      "created_by text REFERENCES users (id)",
      time("date_created"),
    ),
    "CREATE INDEX denied_hashes_created_by ON denied_hashes (created_by)",
  ];
};
