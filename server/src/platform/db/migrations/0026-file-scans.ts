// The verdicts of the malware scanner, by content.
import type { ColumnWords } from "#platform/db/dialect.js";
import { columnParts, digest, flag, oneOf } from "./column-parts.js";

export const fileScans = (words: ColumnWords): string[] => {
  const { table, time, maybeTime } = columnParts(words);
  return [
    table(
      "file_scans",
      `sha512 ${words.bytes} PRIMARY KEY ${digest("sha512", 64)}`,
      `state text NOT NULL ${oneOf("state", "waiting", "clean", "infected", "unscanned")}`,
      flag("holds"),
      "finding text",
      "released text",
      "scanner text",
      "attempts integer NOT NULL CHECK (attempts >= 0)",
      time("date_created"),
      maybeTime("date_scanned"),
      "CHECK (holds = 0 OR state <> 'clean')",
    ),
    "CREATE INDEX file_scans_open ON file_scans (date_created) WHERE state = 'waiting' OR holds = 1",
    "CREATE INDEX file_scans_date_scanned ON file_scans (date_scanned)",
  ];
};
