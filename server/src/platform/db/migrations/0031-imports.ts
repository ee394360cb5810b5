// Objects that `modshelf import` has brought from other registries, and the origin of each project.
import type { ColumnWords } from "#platform/db/dialect.js";
import { columnParts, flag, oneOf } from "./column-parts.js";

export const imports = (words: ColumnWords): string[] => {
  const { table, time } = columnParts(words);
  return [
    table(
      "imports",
      "source text NOT NULL",
      `kind text NOT NULL ${oneOf("kind", "user", "organization", "member", "project", "icon", "picture", "version")}`,
      "source_id text NOT NULL",
      "local_id text NOT NULL",
      "digest text NOT NULL",
      "local_digest text NOT NULL",
      flag("finished"),
      time("date_imported"),
      time("date_updated"),
      "PRIMARY KEY (source, kind, source_id)",
    ),
    "ALTER TABLE projects ADD COLUMN imported_from text",
  ];
};
