// Views of project pages are counted like downloads: sums by day, and a small row for each visitor that prevents the same
// visitor from being counted again.
import type { ColumnWords } from "#platform/db/dialect.js";
import { columnParts } from "./column-parts.js";

export const views = (words: ColumnWords): string[] => {
  const { engine, bigint, bytes, strict } = words;
  const { time, partOf } = columnParts(words);
  // On SQLite the rows are stored in the tree of their key, which saves a second one.
  const table = (name: string, ...parts: string[]): string =>
    `CREATE TABLE ${name} (${parts.join(", ")}) ${engine === "sqlite" ? `${strict}, WITHOUT ROWID` : strict}`;
  const sumsBy = (column: string, most: number): string[] => [
    partOf("project_id", "projects"),
    "day integer NOT NULL",
    `${column} text NOT NULL CHECK (length(${column}) <= ${most})`,
    `count ${bigint} NOT NULL CHECK (count >= 0)`,
    `PRIMARY KEY (project_id, day, ${column})`,
  ];
  return [
    table("recent_views", `visitor ${bytes} NOT NULL PRIMARY KEY`, time("time")),
    "CREATE INDEX recent_views_time ON recent_views (time)",
    table("view_days", ...sumsBy("country", 2)),
    table("view_referrers", ...sumsBy("host", 100)),
    "CREATE INDEX view_referrers_day ON view_referrers (day)",
  ];
};
