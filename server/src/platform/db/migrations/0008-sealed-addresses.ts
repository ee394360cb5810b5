// URLs of webhooks are sealed, because knowing one can be enough to post there. A sealed text is longer than the check
// of the column allowed. SQLite cannot drop a check, but dropping a column drops its check. The rows themselves are
// sealed when the server starts, because a migration has no key (secrets/rows.ts).
export const sealedAddresses = (): string[] => [
  "ALTER TABLE webhooks ADD COLUMN sealed_url text NOT NULL DEFAULT ''",
  "UPDATE webhooks SET sealed_url = url",
  "ALTER TABLE webhooks DROP COLUMN url",
  "ALTER TABLE webhooks RENAME COLUMN sealed_url TO url",
];
