// Applications of third parties, and the consents of users to them (OAuth 2).
import type { ColumnWords } from "#platform/db/dialect.js";
import { columnParts, digest, length } from "./column-parts.js";

export const applicationTables = (words: ColumnWords): string[] => {
  const { bytes } = words;
  const { table, time, maybeTime, partOf } = columnParts(words);
  return [
    table(
      "applications",
      "id text PRIMARY KEY",
      partOf("owner_id", "users"),
      `name text NOT NULL ${length("name", "applicationName")}`,
      `description text NOT NULL ${length("description", "applicationDescription")}`,
      `homepage text NOT NULL ${length("homepage", "homepage")}`,
      "redirect_uris text NOT NULL",
      "scopes text NOT NULL",
      `secret_digest ${bytes} ${digest("secret_digest", 32)}`,
      time("date_created"),
      maybeTime("date_suspended"),
    ),
    "CREATE INDEX applications_owner_id ON applications (owner_id)",
    table(
      "application_grants",
      "id text PRIMARY KEY",
      partOf("application_id", "applications"),
      partOf("user_id", "users"),
      "scopes text NOT NULL",
      `code_digest ${bytes} NOT NULL ${digest("code_digest", 32)}`,
      "code_challenge text NOT NULL",
      "redirect_uri text NOT NULL",
      time("date_created"),
      maybeTime("date_redeemed"),
      `family_digest ${bytes} ${digest("family_digest", 32)}`,
      `refresh_digest ${bytes} ${digest("refresh_digest", 32)}`,
      maybeTime("date_last_used"),
      time("date_expires"),
    ),
    "CREATE UNIQUE INDEX application_grants_code_digest_unique ON application_grants (code_digest)",
    "CREATE UNIQUE INDEX application_grants_family_digest_unique ON application_grants (family_digest)",
    "CREATE INDEX application_grants_application_id ON application_grants (application_id)",
    "CREATE INDEX application_grants_user_id ON application_grants (user_id)",
    "CREATE INDEX application_grants_date_expires ON application_grants (date_expires)",
    "ALTER TABLE tokens ADD COLUMN grant_id text REFERENCES application_grants (id) ON DELETE CASCADE",
    "CREATE INDEX tokens_grant_id ON tokens (grant_id)",
  ];
};
