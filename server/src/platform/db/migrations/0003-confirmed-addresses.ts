// Unconfirmed email addresses reserve nothing; keys of authenticator apps belong to the session that created them;
// networks from which an account was opened are stored, so that other callers cannot use up its owner's sign-in
// attempts.
import type { ColumnWords } from "#platform/db/dialect.js";
import { columnParts, digest, flag } from "./column-parts.js";

export function confirmedAddresses(words: ColumnWords): string[] {
  const { table, time, partOf } = columnParts(words);
  return [
    // Existing addresses stay with their accounts. Addresses that were never confirmed are still marked as such.
    `ALTER TABLE users ADD COLUMN ${flag("email_held")} DEFAULT 1`,
    "DROP INDEX users_email_unique",
    "CREATE UNIQUE INDEX users_email_unique ON users (lower(email)) WHERE email_held = 1",
    "CREATE INDEX users_email ON users (lower(email))",
    // Administrators are created by the operator, who chose the address.
    "UPDATE users SET email_verified = 1 WHERE role = 'admin' AND email IS NOT NULL",
    "ALTER TABLE totp_secrets ADD COLUMN session_id text",
    // A key that was shown and never used is not shown again.
    "DELETE FROM totp_secrets WHERE date_confirmed IS NULL",
    table(
      "familiar_addresses",
      partOf("user_id", "users"),
      `digest ${words.bytes} NOT NULL ${digest("digest", 32)}`,
      time("date_expires"),
      "PRIMARY KEY (user_id, digest)",
    ),
    "CREATE INDEX familiar_addresses_date_expires ON familiar_addresses (date_expires)",
  ];
}
