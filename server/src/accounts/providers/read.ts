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

/** Whether an administrator could sign in with a password, a passkey or one of these providers. */
export async function canAdministratorsSignIn(db: Db, usable: readonly string[]): Promise<boolean> {
  const row = await db
    .selectFrom("users")
    .select("id")
    .where("role", "=", "admin")
    .where("date_suspended", "is", null)
    .where((user) =>
      user.or([
        user("password_hash", "is not", null),
        user.exists(user.selectFrom("passkeys").select("id").whereRef("user_id", "=", "users.id")),
        user.exists(
          user
            .selectFrom("linked_accounts")
            .select("id")
            .whereRef("user_id", "=", "users.id")
            .where("provider", "in", [...usable, ""]),
        ),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export const toLinkedProvider = (row: Row<"linked_accounts">): LinkedProvider => ({
  id: row.id,
  providerName: row.provider,
  providerAccountId: row.provider_account_id,
  providerAccountEmail: row.provider_email,
});
