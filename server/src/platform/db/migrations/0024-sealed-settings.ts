// Secrets that administrators enter on the web, such as the password of the mail server. They have their own table, so that
// nothing that reads the other settings can show them.
import type { ColumnWords } from "#platform/db/dialect.js";
import { columnParts } from "./column-parts.js";

export const sealedSettings = (words: ColumnWords): string[] => {
  const { table, time } = columnParts(words);
  return [table("sealed_settings", "name text PRIMARY KEY", "secret text NOT NULL", time("date_updated"))];
};
