// Downloads are added to daily sums at once instead of being stored one by one. A small row for each client and
// project prevents the same client from being counted again. Every step is one statement inside the database, so that a
// large table of downloads needs no memory here.
import type { ColumnWords } from "#platform/db/dialect.js";
import { columnParts } from "./column-parts.js";

export const downloadSums = (words: ColumnWords): string[] => {
  const { engine, bigint, bytes, serial, strict } = words;
  const { table, time } = columnParts(words);
  const place = (n: number, column: string) => `max(CASE WHEN place = ${n} THEN ${column} END)`;
  return [
    // The last three downloads of a client and project that were counted, the newest first. On SQLite the rows are
    // stored in the tree of their key, which saves a second one.
    `CREATE TABLE recent_downloads (
      client ${bytes} NOT NULL, project_id text NOT NULL, version_1 text NOT NULL, ${time("time_1")},
      version_2 text, time_2 ${bigint}, version_3 text, time_3 ${bigint}, PRIMARY KEY (client, project_id)
    ) ${engine === "sqlite" ? `${strict}, WITHOUT ROWID` : strict}`,
    `INSERT INTO recent_downloads
      SELECT client, project_id, ${[1, 2, 3].flatMap((n) => [place(n, "version_id"), place(n, "date_created")]).join(", ")}
      FROM (
        SELECT client, project_id, version_id, date_created,
          row_number() OVER (PARTITION BY client, project_id ORDER BY date_created DESC, seq DESC) AS place
        FROM downloads
      ) AS placed
      WHERE place <= 3 GROUP BY client, project_id`,
    "CREATE INDEX recent_downloads_time_1 ON recent_downloads (time_1)",
    `INSERT INTO download_days (version_id, project_id, day, country, count)
      SELECT version_id, project_id, day, country, count(*) FROM downloads WHERE 1 = 1
      GROUP BY version_id, project_id, day, country
      ON CONFLICT (version_id, day, country) DO UPDATE SET count = download_days.count + excluded.count`,
    "DROP TABLE downloads",
    "DELETE FROM jobs WHERE kind = 'fold-downloads'",
    // The same for the whole site, so that its figures do not need the rows of every version.
    table(
      "download_totals",
      "day integer NOT NULL",
      "country text NOT NULL",
      `count ${bigint} NOT NULL CHECK (count >= 0)`,
      "PRIMARY KEY (day, country)",
    ),
    "INSERT INTO download_totals SELECT day, country, sum(count) FROM download_days GROUP BY day, country",
    // The new totals of the last flushes of download counters, for the other nodes.
    table("figure_changes", `seq ${serial}`, time("date_created"), "body text NOT NULL"),
  ];
};
