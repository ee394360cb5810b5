// The languages of the site are a list in the code (words/languages.ts), so that a new one needs no migration; the
// checks of the columns named them. SQLite cannot drop a check, but dropping a column drops its check.
const columns = [
  ["users", "locale", "text"],
  ["reports", "guest_locale", "text"],
  ["guest_reports", "locale", "text NOT NULL DEFAULT 'en'"],
] as const;

export const openLanguages = (): string[] =>
  columns.flatMap(([table, column, type]) => [
    `ALTER TABLE ${table} ADD COLUMN new_locale ${type}`,
    `UPDATE ${table} SET new_locale = ${column}`,
    `ALTER TABLE ${table} DROP COLUMN ${column}`,
    `ALTER TABLE ${table} RENAME COLUMN new_locale TO ${column}`,
  ]);
