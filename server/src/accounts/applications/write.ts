// Registering, changing, suspending and deleting applications, and disconnecting them.
import { lockUser } from "#accounts/users/locking.js";
import { toJson } from "#lib/json.js";
import { newId } from "#lib/random.js";
import { newSecretToken, tokenDigest } from "#lib/secret-token.js";
import type { Tx } from "#platform/changes/write.js";
import { fail } from "#platform/errors.js";
import { say } from "#words/said.js";
import { type ApplicationFields, maxApplications } from "./policy.js";

const toColumns = ({ name, description, homepage, redirectUris, scopes }: ApplicationFields) => ({
  ...{ name, description, homepage },
  redirect_uris: toJson(redirectUris),
  scopes: toJson(scopes),
});

/** The secret of a confidential application is returned once and not stored; its digest is. */
export async function createApplication(
  tx: Tx,
  ownerId: string,
  fields: ApplicationFields,
  isConfidential: boolean,
): Promise<{ id: string; secret: string | undefined }> {
  await lockUser(tx, ownerId);
  const own = await tx.db.selectFrom("applications").select("id").where("owner_id", "=", ownerId).execute();
  if (own.length >= maxApplications) throw fail.limitReached(say.limits.applications(maxApplications));
  const id = newId(tx.random);
  const secret = isConfidential ? newSecretToken("msa_", tx.random) : undefined;
  await tx.db
    .insertInto("applications")
    .values({
      ...{ id, owner_id: ownerId, ...toColumns(fields) },
      secret_digest: secret === undefined ? null : tokenDigest(secret),
      date_created: tx.now,
      date_suspended: null,
    })
    .execute();
  tx.audit("application.create", { kind: "application", id }, { name: fields.name, isConfidential });
  return { id, secret };
}

export async function updateApplication(tx: Tx, ownerId: string, id: string, fields: ApplicationFields): Promise<void> {
  const { numUpdatedRows } = await tx.db
    .updateTable("applications")
    .set(toColumns(fields))
    .where("id", "=", id)
    .where("owner_id", "=", ownerId)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw fail.applicationNotFound();
  tx.audit("application.update", { kind: "application", id }, { ...fields });
}

/** The old secret stops working at once; connections stay. */
export async function renewSecret(tx: Tx, ownerId: string, id: string): Promise<string> {
  const secret = newSecretToken("msa_", tx.random);
  const { numUpdatedRows } = await tx.db
    .updateTable("applications")
    .set({ secret_digest: tokenDigest(secret) })
    .where("id", "=", id)
    .where("owner_id", "=", ownerId)
    .where("secret_digest", "is not", null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw fail.applicationNotFound();
  tx.audit("application.secret", { kind: "application", id });
  return secret;
}

const deletedAtOnce = 1000;

/** All connections end. They are deleted in parts, so that a popular application does not block other requests. */
export async function deleteApplication(tx: Tx, ownerId: string, id: string): Promise<void> {
  // Suspended first, which locks the row: no new connection can be made.
  const row = await tx.db
    .updateTable("applications")
    .set({ date_suspended: tx.now })
    .where("id", "=", id)
    .where("owner_id", "=", ownerId)
    .returning("name")
    .executeTakeFirst();
  if (!row) throw fail.applicationNotFound();
  const some = tx.db
    .selectFrom("application_grants")
    .select("id")
    .where("application_id", "=", id)
    .limit(deletedAtOnce);
  for (let deleted = 1n; deleted > 0n; )
    deleted = (await tx.db.deleteFrom("application_grants").where("id", "in", some).executeTakeFirst()).numDeletedRows;
  await tx.db.deleteFrom("applications").where("id", "=", id).execute();
  tx.audit("application.delete", { kind: "application", id }, { name: row.name });
}

/** For the deletion of an account. */
export async function deleteApplicationsOf(tx: Tx, ownerId: string): Promise<void> {
  const own = await tx.db.selectFrom("applications").select("id").where("owner_id", "=", ownerId).execute();
  for (const { id } of own) await deleteApplication(tx, ownerId, id);
}

/** By a moderator. Its tokens stop working at once, and work again if it is restored before they expire. */
export async function setApplicationSuspended(tx: Tx, id: string, isSuspended: boolean): Promise<void> {
  const row = await tx.db
    .updateTable("applications")
    .set({ date_suspended: isSuspended ? tx.now : null })
    .where("id", "=", id)
    .returning(["name", "owner_id"])
    .executeTakeFirst();
  if (!row) throw fail.applicationNotFound();
  const action = isSuspended ? "application.suspend" : "application.restore";
  tx.audit(action, { kind: "application", id }, { name: row.name, userId: row.owner_id });
}

/** Ends the connection on all devices. */
export async function disconnectApplication(tx: Tx, userId: string, id: string): Promise<void> {
  const ended = await tx.db
    .deleteFrom("application_grants")
    .where("user_id", "=", userId)
    .where("application_id", "=", id)
    .returning("id")
    .execute();
  if (ended.length === 0) throw fail.applicationNotFound();
  await noteDisconnection(tx, "application.disconnect", userId, id);
}

/** The object is the user, so that they see it although a program did it. */
export async function noteDisconnection(
  tx: Tx,
  action: "application.disconnect" | "application.replay",
  userId: string,
  applicationId: string,
): Promise<void> {
  const row = await tx.db.selectFrom("applications").select("name").where("id", "=", applicationId).executeTakeFirst();
  tx.audit(action, { kind: "user", id: userId }, { applicationId, name: row?.name });
}
