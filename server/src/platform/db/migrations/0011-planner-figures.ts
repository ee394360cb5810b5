// Figures for the query planner, so that projects are read by their ids. PostgreSQL measures its tables by itself.
// SQLite without measurements believes that the index of states is more selective than a list of ids, and would read
// every public project to find a few of them. The figures are constants, so that every installation has the same plans.
import type { ColumnWords } from "#platform/db/dialect.js";

/** Rows of the table, then rows with the same status, visibility, and downloads. */
const projectStates = "100000 25000 20000 1";

export const plannerFigures = ({ engine }: ColumnWords): string[] => [
  // A withdrawn offer deletes its notifications by this key alone.
  "CREATE INDEX notifications_group_key ON notifications (group_key) WHERE group_key IS NOT NULL",
  ...(engine === "sqlite"
    ? [
        // ANALYZE creates the table of figures; its measurement of a small table is not needed.
        "ANALYZE migrations",
        "DELETE FROM sqlite_stat1",
        `INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('projects', 'projects_status_visibility', '${projectStates}')`,
        // Reads the figures; the last statement, because it applies to statements that are prepared afterwards.
        "ANALYZE sqlite_schema",
      ]
    : []),
];
