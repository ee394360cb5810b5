// Making, changing and deleting tokens.

import { lockUser } from "#accounts/users/locking.js";
import { fromJson, toJson } from "#lib/json.js";
import type { Provenance } from "#lib/provenance.js";
import { newId } from "#lib/random.js";
import type { Scope } from "#lib/scopes.js";
import { newSecretToken, tokenDigest } from "#lib/secret-token.js";
import type { Tx } from "#platform/changes/write.js";
import type { Row } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import type { ViewerUser } from "#platform/http/viewer.js";
import { checkBoundScopes, checkStaffScope, maxTokens } from "./policy.js";

export interface TokenInput {
  name: string;
  dateExpires: number;
  scopes: Scope[];
}

export interface NewToken extends TokenInput {
  /** The one project that it is for. */
  projectId?: string | null | undefined;
  /** The trusted publisher that a build got it through. */
  publisherId?: string | undefined;
  /** The connection of the application that gets it. */
  grantId?: string | undefined;
  provenance?: Provenance | undefined;
}

/** The value is returned once and not stored; its digest is. */
export async function createToken(
  tx: Tx,
  userId: string,
  input: NewToken,
): Promise<{ row: Row<"tokens">; value: string }> {
  await makeRoom(tx, userId);
  const made = await insertToken(tx, userId, input);
  const { scopes, dateExpires, projectId = null } = input;
  tx.audit("token.create", { kind: "token", id: made.row.id }, { scopes, dateExpires, projectId });
  return made;
}

/**
 * The user's row is held, so that two requests cannot both add the last token. Tokens of trusted publishers and applications
 * do not count.
 * An expired token, which is listed for a while, gives way.
 */
async function makeRoom(tx: Tx, userId: string): Promise<void> {
  await lockUser(tx, userId);
  const tokens = await tx.db
    .selectFrom("tokens")
    .select(["id", "date_expires"])
    .where("user_id", "=", userId)
    .where("publisher_id", "is", null)
    .where("grant_id", "is", null)
    .orderBy("date_expires")
    .execute();
  if (tokens.filter((token) => token.date_expires > tx.now).length >= maxTokens)
    throw fail.tooManyTokens(String(maxTokens));
  for (const { id } of tokens.slice(0, Math.max(0, tokens.length + 1 - maxTokens))) {
    await tx.db.deleteFrom("tokens").where("id", "=", id).execute();
    tx.changed("token", id);
  }
}

/** The caller writes the audit log, and decides whether the user may have another token. */
export async function insertToken(
  tx: Tx,
  userId: string,
  input: NewToken,
): Promise<{ row: Row<"tokens">; value: string }> {
  const value = newSecretToken("msp_", tx.random);
  const { projectId = null, publisherId = null, grantId = null } = input;
  if (projectId !== null) checkBoundScopes(input.scopes);
  const row = await tx.db
    .insertInto("tokens")
    .values({
      id: newId(tx.random),
      user_id: userId,
      name: input.name,
      token_digest: tokenDigest(value),
      scopes: toJson(input.scopes),
      date_created: tx.now,
      date_expires: input.dateExpires,
      date_last_used: null,
      expiry_told: null,
      project_id: projectId,
      publisher_id: publisherId,
      grant_id: grantId,
      provenance: input.provenance ? toJson(input.provenance) : null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  tx.changed("token", row.id);
  return { row, value };
}

export async function updateToken(
  tx: Tx,
  user: ViewerUser,
  id: string,
  input: Partial<TokenInput>,
): Promise<Row<"tokens">> {
  const userId = user.id;
  const row = await tx.db
    .updateTable("tokens")
    .set({
      name: input.name,
      date_expires: input.dateExpires,
      // The owner is notified of the new expiry again.
      expiry_told: input.dateExpires === undefined ? undefined : null,
      scopes: input.scopes && toJson(input.scopes),
      // The set of columns is never empty, so that one statement is enough.
      user_id: userId,
    })
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .where("publisher_id", "is", null)
    .where("grant_id", "is", null)
    .returningAll()
    .executeTakeFirst();
  if (!row) throw fail.tokenNotFound();
  if (row.project_id !== null) checkBoundScopes(fromJson(row.scopes));
  // Prolonging the powers of staff is giving them.
  if (input.scopes || input.dateExpires !== undefined) checkStaffScope(fromJson(row.scopes), user);
  tx.audit("token.update", { kind: "token", id }, { scopes: input.scopes, dateExpires: input.dateExpires });
  tx.changed("token", id);
  return row;
}

export async function deleteToken(tx: Tx, userId: string, id: string): Promise<void> {
  const { numDeletedRows } = await tx.db
    .deleteFrom("tokens")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .where("grant_id", "is", null)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw fail.tokenNotFound();
  tx.audit("token.delete", { kind: "token", id });
  tx.changed("token", id);
}

/**
 * Anyone who has the value may revoke it. The owner sees this in their security log. Returns whether the token existed.
 */
export async function revokeLeakedToken(tx: Tx, digest: Uint8Array): Promise<boolean> {
  const row = await tx.db
    .deleteFrom("tokens")
    .where("token_digest", "=", digest)
    .returning(["id", "user_id", "name"])
    .executeTakeFirst();
  if (!row) return false;
  // The entry is about the user, so that they see it although another person did it.
  tx.audit("token.leaked", { kind: "user", id: row.user_id }, { tokenId: row.id, name: row.name });
  tx.changed("token", row.id);
  return true;
}
