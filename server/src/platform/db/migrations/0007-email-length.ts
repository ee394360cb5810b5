// Email addresses have up to 256 characters (earlier-service 1.2); the checks of the first schema allowed 254. One-time
// codes get two more purposes.
import type { ColumnWords } from "#platform/db/dialect.js";
import { oneOf } from "./column-parts.js";

interface CheckedColumn {
  table: string;
  column: string;
  check: (column: string) => string;
  /** All columns, if this one is required: SQLite can add a required column only to an empty table. */
  columns?: string;
  /** The indexes that contain the column, by name. */
  indexes: Record<string, string>;
}

const address = (column: string): string => `CHECK (length(${column}) BETWEEN 3 AND 256)`;
const purpose = (column: string): string =>
  oneOf(column, "setup", "password_reset", "email_change", "password_add", "account_deletion");

const checkedColumns: readonly CheckedColumn[] = [
  {
    table: "one_time_codes",
    column: "purpose",
    check: purpose,
    columns: "digest, purpose, user_id, detail, date_created, date_expires",
    indexes: {},
  },
  {
    table: "users",
    column: "email",
    check: address,
    indexes: {
      users_email_unique: "CREATE UNIQUE INDEX users_email_unique ON users (lower(email)) WHERE email_held = 1",
      users_email: "CREATE INDEX users_email ON users (lower(email))",
    },
  },
  {
    table: "reports",
    column: "guest_email",
    check: address,
    indexes: {
      reports_guest_email: "CREATE INDEX reports_guest_email ON reports (guest_email) WHERE guest_email IS NOT NULL",
    },
  },
  {
    table: "mail_invites",
    column: "email",
    check: address,
    columns:
      "id, team_id, email, role, permissions, org_permissions, invited_by, code_digest, date_created, date_expires",
    indexes: {
      mail_invites_team_id_email_unique:
        "CREATE UNIQUE INDEX mail_invites_team_id_email_unique ON mail_invites (team_id, email)",
      mail_invites_email: "CREATE INDEX mail_invites_email ON mail_invites (email)",
    },
  },
  {
    table: "guest_reports",
    column: "email",
    check: address,
    columns: "id, email, locale, type, item_type, item_id, body, code_digest, date_created, date_expires",
    indexes: { guest_reports_email: "CREATE INDEX guest_reports_email ON guest_reports (email)" },
  },
];

export const emailLength = ({ engine }: ColumnWords): string[] =>
  checkedColumns.flatMap(engine === "postgres" ? replaceCheck : replaceColumn);

const replaceCheck = ({ table, column, check }: CheckedColumn): string[] => {
  const name = `${table}_${column}_check`;
  return [`ALTER TABLE ${table} DROP CONSTRAINT ${name}, ADD CONSTRAINT ${name} ${check(column)}`];
};

/** SQLite cannot change a check, but dropping a column drops its check. */
const replaceColumn = ({ table, column, check, columns, indexes }: CheckedColumn): string[] => [
  ...Object.keys(indexes).map((name) => `DROP INDEX ${name}`),
  ...(columns === undefined
    ? [
        `ALTER TABLE ${table} ADD COLUMN longer_${column} text ${check(`longer_${column}`)}`,
        `UPDATE ${table} SET longer_${column} = ${column}`,
        `ALTER TABLE ${table} DROP COLUMN ${column}`,
        `ALTER TABLE ${table} RENAME COLUMN longer_${column} TO ${column}`,
      ]
    : [
        `CREATE TEMPORARY TABLE kept_${table} AS SELECT ${columns} FROM ${table}`,
        `DELETE FROM ${table}`,
        `ALTER TABLE ${table} DROP COLUMN ${column}`,
        `ALTER TABLE ${table} ADD COLUMN ${column} text NOT NULL ${check(column)}`,
        `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM kept_${table}`,
        `DROP TABLE kept_${table}`,
      ]),
  ...Object.values(indexes),
];
