// Tables of moderators and administrators besides reviews: decisions that can still be undone, submissions, notes on
// users, pictures of reports, the logo.
import type { ColumnWords } from "#platform/db/dialect.js";
import { columnParts, digest, flag, length, oneOf } from "./column-parts.js";

export const deskParts = (words: ColumnWords): string[] => {
  const { bigint, bytes } = words;
  const { table, time, partOf } = columnParts(words);
  const staff = "text REFERENCES users (id) ON DELETE SET NULL";
  const statuses = oneOf("status", "draft", "processing", "approved", "withheld", "rejected");
  return [
    `ALTER TABLE projects ADD COLUMN date_ranked ${bigint}`,
    "ALTER TABLE reviews ADD COLUMN problems text NOT NULL DEFAULT '[]'",
    `ALTER TABLE reviews ADD COLUMN ${flag("was_public")} DEFAULT 0`,
    table(
      "held_decisions",
      "id text PRIMARY KEY",
      partOf("project_id", "projects"),
      partOf("moderator_id", "users"),
      "from_status text NOT NULL",
      `status text NOT NULL ${statuses}`,
      "reason text NOT NULL",
      "message text NOT NULL",
      "problems text NOT NULL",
      "actor text NOT NULL",
      time("date_created"),
      time("date_due"),
    ),
    "CREATE UNIQUE INDEX held_decisions_project_id_unique ON held_decisions (project_id)",
    "CREATE INDEX held_decisions_moderator_id ON held_decisions (moderator_id)",
    table(
      "submissions",
      "id text PRIMARY KEY",
      partOf("project_id", "projects"),
      "snapshot text NOT NULL",
      "answers text NOT NULL",
      `submitted_by ${staff}`,
      time("date_created"),
    ),
    "CREATE INDEX submissions_project_id ON submissions (project_id, date_created)",
    "CREATE INDEX submissions_submitted_by ON submissions (submitted_by)",
    table(
      "user_notes",
      "id text PRIMARY KEY",
      partOf("user_id", "users"),
      `author_id ${staff}`,
      `kind text NOT NULL ${oneOf("kind", "note", "strike")}`,
      `body text NOT NULL ${length("body", "userNote")}`,
      time("date_created"),
    ),
    "CREATE INDEX user_notes_user_id ON user_notes (user_id, date_created)",
    "CREATE INDEX user_notes_author_id ON user_notes (author_id)",
    table(
      "site_pictures",
      "name text PRIMARY KEY",
      `sha512 ${bytes} NOT NULL REFERENCES blobs (sha512)`,
      "width integer NOT NULL",
      "height integer NOT NULL",
      time("date_updated"),
    ),
    "CREATE INDEX site_pictures_sha512 ON site_pictures (sha512)",
    table(
      "report_pictures",
      "id text PRIMARY KEY",
      partOf("report_id", "reports"),
      `sha512 ${bytes} NOT NULL REFERENCES blobs (sha512)`,
      "width integer NOT NULL",
      "height integer NOT NULL",
      time("date_created"),
    ),
    "CREATE INDEX report_pictures_report_id ON report_pictures (report_id)",
    "CREATE INDEX report_pictures_sha512 ON report_pictures (sha512)",
    `ALTER TABLE reports ADD COLUMN guest_email text ${length("guest_email", "email")}`,
    `ALTER TABLE reports ADD COLUMN guest_locale text ${oneOf("guest_locale", "en", "de")}`,
    "CREATE INDEX reports_guest_email ON reports (guest_email) WHERE guest_email IS NOT NULL",
    table(
      "guest_reports",
      "id text PRIMARY KEY",
      `email text NOT NULL ${length("email", "email")}`,
      `locale text NOT NULL ${oneOf("locale", "en", "de")}`,
      "type text NOT NULL",
      `item_type text NOT NULL ${oneOf("item_type", "project", "version", "user")}`,
      "item_id text NOT NULL",
      `body text NOT NULL ${length("body", "reportBody")}`,
      `code_digest ${bytes} ${digest("code_digest", 32)}`,
      time("date_created"),
      time("date_expires"),
    ),
    "CREATE UNIQUE INDEX guest_reports_code_digest_unique ON guest_reports (code_digest)",
    "CREATE INDEX guest_reports_email ON guest_reports (email)",
    "CREATE INDEX guest_reports_date_expires ON guest_reports (date_expires)",
  ];
};
