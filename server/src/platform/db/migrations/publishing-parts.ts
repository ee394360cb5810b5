// Builds that publish without a stored secret: the trusted publishers of a project, and identity tokens that were used.
// Also links to support authors, and withdrawn versions.
import type { ColumnWords } from "#platform/db/dialect.js";
import { columnParts, digest, length } from "./column-parts.js";

export const publishingParts = (words: ColumnWords): string[] => {
  const { bytes } = words;
  const { table, time, maybeTime, partOf } = columnParts(words);
  return [
    table(
      "trusted_publishers",
      "id text PRIMARY KEY",
      partOf("project_id", "projects"),
      partOf("user_id", "users"),
      "issuer text NOT NULL",
      `repository text NOT NULL ${length("repository", "repository")}`,
      `workflow text NOT NULL ${length("workflow", "workflow")}`,
      `environment text NOT NULL ${length("environment", "environment")}`,
      "owner_id text",
      time("date_created"),
      maybeTime("date_last_used"),
    ),
    `CREATE UNIQUE INDEX trusted_publishers_all_unique
      ON trusted_publishers (project_id, issuer, lower(repository), workflow, environment)`,
    "CREATE INDEX trusted_publishers_user_id ON trusted_publishers (user_id)",
    table("spent_identities", `digest ${bytes} PRIMARY KEY ${digest("digest", 32)}`, time("date_expires")),
    "CREATE INDEX spent_identities_date_expires ON spent_identities (date_expires)",
    "ALTER TABLE tokens ADD COLUMN publisher_id text REFERENCES trusted_publishers (id) ON DELETE CASCADE",
    "CREATE INDEX tokens_publisher_id ON tokens (publisher_id)",
    "ALTER TABLE tokens ADD COLUMN provenance text",
    "ALTER TABLE versions ADD COLUMN provenance text",
    "ALTER TABLE versions ADD COLUMN yank_replacement_id text REFERENCES versions (id) ON DELETE SET NULL",
    "CREATE INDEX versions_yank_replacement_id ON versions (yank_replacement_id)",
    "ALTER TABLE projects ADD COLUMN donation_links text NOT NULL DEFAULT '[]'",
  ];
};
