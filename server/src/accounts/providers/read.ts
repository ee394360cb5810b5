// SELECTs of linked accounts and the shape made from them.
import type { Db, Row } from "#platform/db/tables.js";
import type { LinkedProvider } from "./contract.js";

/** The user whom this account of the provider signs in. */
export const findLinkedUser = (db: Db, provider: string, accountId: string) =>
  db
    .selectFrom("linked_accounts")
    .innerJoin("users", "users.id", "linked_accounts.user_id")
    .select(["users.id", "users.date_suspended"])
    .where("linked_accounts.provider", "=", provider)
    .where("linked_accounts.provider_account_id", "=", accountId)
    .executeTakeFirst();

export const listLinkedAccounts = (db: Db, userId: string): Promise<Row<"linked_accounts">[]> =>
  db.selectFrom("linked_accounts").selectAll().where("user_id", "=", userId).orderBy("provider").execute();

export const toLinkedProvider = (row: Row<"linked_accounts">): LinkedProvider => ({
  id: row.id,
  providerName: row.provider,
  providerAccountId: row.provider_account_id,
  providerAccountEmail: row.provider_email,
});
