// Actions that wait for a second person or can still be undone: ownership offers, invitations by mail, moves into
// organizations. Also former slugs, and names of deleted objects.
import type { ColumnWords } from "#platform/db/dialect.js";
import { columnParts, digest, length, oneOf } from "./column-parts.js";

export const offerParts = (words: ColumnWords): string[] => {
  const { bytes } = words;
  const { table, time, partOf } = columnParts(words);
  return [
    table(
      "ownership_offers",
      // One at a time: a team has one owner, who can offer it to one other member.
      "team_id text PRIMARY KEY REFERENCES teams (id) ON DELETE CASCADE",
      partOf("user_id", "users"),
      partOf("offered_by", "users"),
      time("date_created"),
      time("date_expires"),
    ),
    "CREATE INDEX ownership_offers_user_id ON ownership_offers (user_id)",
    "CREATE INDEX ownership_offers_offered_by ON ownership_offers (offered_by)",
    "CREATE INDEX ownership_offers_date_expires ON ownership_offers (date_expires)",
    table(
      "mail_invites",
      "id text PRIMARY KEY",
      partOf("team_id", "teams"),
      `email text NOT NULL ${length("email", "email")}`,
      `role text NOT NULL ${length("role", "memberRole")}`,
      "permissions text NOT NULL",
      "org_permissions text NOT NULL",
      partOf("invited_by", "users"),
      `code_digest ${bytes} ${digest("code_digest", 32)}`,
      time("date_created"),
      time("date_expires"),
    ),
    "CREATE UNIQUE INDEX mail_invites_team_id_email_unique ON mail_invites (team_id, email)",
    "CREATE UNIQUE INDEX mail_invites_code_digest_unique ON mail_invites (code_digest)",
    "CREATE INDEX mail_invites_email ON mail_invites (email)",
    "CREATE INDEX mail_invites_invited_by ON mail_invites (invited_by)",
    "CREATE INDEX mail_invites_date_expires ON mail_invites (date_expires)",
    table(
      "project_moves",
      "project_id text PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE",
      partOf("org_id", "organizations"),
      partOf("moved_by", "users"),
      "members text NOT NULL",
      time("date_created"),
      time("date_expires"),
    ),
    "CREATE INDEX project_moves_org_id ON project_moves (org_id)",
    "CREATE INDEX project_moves_moved_by ON project_moves (moved_by)",
    "CREATE INDEX project_moves_date_expires ON project_moves (date_expires)",
    table(
      "organization_old_slugs",
      `slug text PRIMARY KEY ${length("slug", "slug")}`,
      partOf("org_id", "organizations"),
      time("date_retired"),
    ),
    "CREATE INDEX organization_old_slugs_org_id ON organization_old_slugs (org_id)",
    table(
      "retired_names",
      `kind text NOT NULL ${oneOf("kind", "project", "version", "organization")}`,
      // Not references: the objects are deleted.
      "scope text NOT NULL",
      "name text NOT NULL",
      "object_id text NOT NULL",
      time("date_retired"),
      time("date_expires"),
      "PRIMARY KEY (kind, scope, name)",
    ),
    "CREATE INDEX retired_names_date_expires ON retired_names (date_expires)",
    // How many days before a token's expiry its owner was last notified.
    "ALTER TABLE tokens ADD COLUMN expiry_told integer",
    "ALTER TABLE tokens ADD COLUMN project_id text REFERENCES projects (id) ON DELETE CASCADE",
    "CREATE INDEX tokens_project_id ON tokens (project_id)",
    "CREATE INDEX tokens_date_expires ON tokens (date_expires)",
  ];
};
