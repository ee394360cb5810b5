// Adding, using and removing passkeys. Each runs in the caller's transaction.

import { lockUser } from "#accounts/users/locking.js";
import { findAccount, hasOtherCredential } from "#accounts/users/read.js";
import { toJson } from "#lib/json.js";
import { newId } from "#lib/random.js";
import type { Tx } from "#platform/changes/write.js";
import { brokenUnique } from "#platform/db/dialect.js";
import { fail } from "#platform/errors.js";
import { say } from "#words/said.js";
import { listPasskeys } from "./read.js";
import type { NewCredential } from "./webauthn.js";

const maxPasskeys = 20;

export async function addPasskey(tx: Tx, userId: string, name: string, credential: NewCredential): Promise<void> {
  await lockUser(tx, userId);
  if ((await listPasskeys(tx.db, userId)).length >= maxPasskeys)
    throw fail.limitReached(say.limits.passkeys(maxPasskeys));
  try {
    await tx.db
      .insertInto("passkeys")
      .values({
        id: newId(tx.random),
        user_id: userId,
        credential_id: credential.id,
        public_key: credential.publicKey,
        counter: credential.counter,
        transports: toJson(credential.transports),
        name,
        date_created: tx.now,
        date_last_used: null,
      })
      .execute();
  } catch (error) {
    if (brokenUnique(error) === "passkeys_credential_id") throw fail.passkeyRefused();
    throw error;
  }
  tx.audit("user.passkey.add", { kind: "user", id: userId }, { name });
}

/** A counter that does not grow is a sign of a copied key. Authenticators that do not count always send zero. */
export async function notePasskeyUse(tx: Tx, id: string, counter: number): Promise<void> {
  await tx.db.updateTable("passkeys").set({ counter, date_last_used: tx.now }).where("id", "=", id).execute();
}

/** Refuses to remove the last way to sign in. */
export async function removePasskey(tx: Tx, userId: string, id: string): Promise<void> {
  await lockUser(tx, userId);
  const removed = await tx.db
    .deleteFrom("passkeys")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .returning("name")
    .executeTakeFirst();
  if (!removed) throw fail.passkeyNotFound();
  const account = await findAccount(tx.db, userId);
  if (!account?.password_hash && !(await hasOtherCredential(tx.db, userId))) throw fail.lastSignInMethod();
  tx.audit("user.passkey.remove", { kind: "user", id: userId }, { name: removed.name });
}
