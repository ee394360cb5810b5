// Counting downloads and followers changes one number in a row, and must not cost more than that. No index contains these
// numbers, so that PostgreSQL can write the new row beside the old one. PostgreSQL also evaluates every check of a row
// that changes: the number of characters of a long text can be found only by decompressing it, the number of bytes is
// known. So characters are counted only if there are more bytes than characters are allowed.
import { lengths } from "#lib/lengths.js";
import type { ColumnWords } from "#platform/db/dialect.js";

/** Rows of the table, then rows with the same status and visibility (0011-planner-figures.ts). */
const projectStates = "100000 25000 20000";

const countBytesFirst = (table: string, column: string, most: number): string =>
  `ALTER TABLE ${table} DROP CONSTRAINT ${table}_${column}_check,
    ADD CONSTRAINT ${table}_${column}_check CHECK (octet_length(${column}) <= ${most} OR length(${column}) <= ${most})`;

export const cheapFigures = ({ engine }: ColumnWords): string[] => [
  "DROP INDEX projects_status_visibility",
  "CREATE INDEX projects_status_visibility ON projects (status, visibility)",
  ...(engine === "sqlite"
    ? [
        // SQLite deletes the figures for the query planner together with the index.
        `INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('projects', 'projects_status_visibility', '${projectStates}')`,
        "ANALYZE sqlite_schema",
      ]
    : [
        countBytesFirst("projects", "description", lengths.projectDescription[1]),
        countBytesFirst("versions", "changelog", lengths.changelog[1]),
      ]),
];
