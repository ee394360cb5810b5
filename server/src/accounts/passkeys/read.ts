// The passkeys of a user, and the one behind a credential.
import type { Db, Row } from "#platform/db/tables.js";

export const listPasskeys = (db: Db, userId: string): Promise<Row<"passkeys">[]> =>
  db.selectFrom("passkeys").selectAll().where("user_id", "=", userId).orderBy("date_created").orderBy("id").execute();

export const findPasskey = (db: Db, credentialId: string): Promise<Row<"passkeys"> | undefined> =>
  db.selectFrom("passkeys").selectAll().where("credential_id", "=", credentialId).executeTakeFirst();
