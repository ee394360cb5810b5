// Programs that ask to be signed in by approval in a browser.
import type { ColumnWords } from "#platform/db/dialect.js";
import { columnParts, digest, length } from "./column-parts.js";

export const deviceRequests = (words: ColumnWords): string[] => {
  const { bytes } = words;
  const { table, time, maybeTime } = columnParts(words);
  return [
    table(
      "device_requests",
      `device_digest ${bytes} PRIMARY KEY ${digest("device_digest", 32)}`,
      "user_code text NOT NULL CHECK (length(user_code) = 8)",
      `program text NOT NULL ${length("program", "tokenName")}`,
      "scopes text NOT NULL",
      "address text",
      "country text NOT NULL",
      "user_id text REFERENCES users (id) ON DELETE CASCADE",
      "approved integer CHECK (approved IN (0, 1))",
      maybeTime("date_polled"),
      time("date_created"),
      time("date_expires"),
      "CHECK ((approved IS NULL) = (user_id IS NULL))",
    ),
    "CREATE UNIQUE INDEX device_requests_user_code_unique ON device_requests (user_code)",
    "CREATE INDEX device_requests_user_id ON device_requests (user_id)",
    "CREATE INDEX device_requests_date_expires ON device_requests (date_expires)",
  ];
};
