// The collection that the button to save uses, follows of users and organizations with their figures, and the new projects
// that their followers are notified of.
import type { ColumnWords } from "#platform/db/dialect.js";
import { columnParts } from "./column-parts.js";

export const savedAndFollowed = (words: ColumnWords): string[] => {
  const { table, time, maybeTime, partOf } = columnParts(words);
  const figure = "ADD COLUMN followers integer NOT NULL DEFAULT 0 CHECK (followers >= 0)";
  const followsOf = (name: string, parent: string): string[] => [
    table(
      name,
      partOf("follower_id", "users"),
      partOf("author_id", parent),
      time("date_created"),
      "PRIMARY KEY (follower_id, author_id)",
    ),
    `CREATE INDEX ${name}_author_id ON ${name} (author_id, follower_id)`,
  ];
  return [
    `ALTER TABLE collections ADD COLUMN ${maybeTime("date_saved_to")}`,
    `ALTER TABLE users ${figure}`,
    `ALTER TABLE organizations ${figure}`,
    ...followsOf("user_follows", "users"),
    ...followsOf("organization_follows", "organizations"),
    table(
      "project_announcements",
      "project_id text PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE",
      "told_up_to text",
      time("date_created"),
    ),
    // Projects that are public already are not new.
    `INSERT INTO project_announcements (project_id, told_up_to, date_created)
      SELECT id, NULL, date_published FROM projects WHERE status = 'approved'`,
  ];
};
