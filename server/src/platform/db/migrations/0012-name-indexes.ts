// Users are found by name in memory (discovery/search/named.ts), so that nothing uses the indexes of the beginnings of
// names any more. Usernames have a unique index, which finds their beginnings on both engines.
import type { ColumnWords } from "#platform/db/dialect.js";

export const withoutNameIndexes = ({ engine }: ColumnWords): string[] => [
  "DROP INDEX users_name",
  ...(engine === "postgres" ? ["DROP INDEX users_user_name"] : []),
];
