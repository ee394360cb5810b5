// The list of denied contents. Each runs in the caller's transaction.

import { type RawBuilder, sql } from "kysely";
import { newId } from "#lib/random.js";
import type { Tx } from "#platform/changes/write.js";
import { brokenUnique, lockContentsAlone } from "#platform/db/dialect.js";
import { fail } from "#platform/errors.js";
import { say } from "#words/said.js";

/** A hash of 20 bytes is SHA-1. */
const isHash = (hash: Uint8Array): RawBuilder<boolean> =>
  hash.length === 20 ? sql<boolean>`sha1 = ${hash}` : sql<boolean>`sha512 = ${hash}`;

/**
 * By either hash; the other one is filled in if the content is stored here. False if it is denied already. The caller
 * holds the lock on the contents.
 */
export async function addDeniedHash(tx: Tx, moderatorId: string, hash: Uint8Array, reason: string): Promise<boolean> {
  const known = await tx.db
    .selectFrom("version_files")
    .select(["sha1", "sha512"])
    .distinct()
    .where(isHash(hash))
    .limit(2)
    .execute();
  // Two contents with the same SHA-1 are different: only the named hash is denied.
  const given = hash.length === 20 ? { sha1: hash, sha512: null } : { sha1: null, sha512: hash };
  const hashes = known.length === 1 ? known[0]! : given;
  const listed = await tx.db
    .selectFrom("denied_hashes")
    .select("id")
    .where((or) =>
      or.or([
        ...(hashes.sha1 ? [or("sha1", "=", hashes.sha1)] : []),
        ...(hashes.sha512 ? [or("sha512", "=", hashes.sha512)] : []),
      ]),
    )
    .executeTakeFirst();
  if (listed) return false;
  const id = newId(tx.random);
  try {
    await tx.db
      .insertInto("denied_hashes")
      .values({ id, ...hashes, reason, created_by: moderatorId, date_created: tx.now })
      .execute();
  } catch (error) {
    throw brokenUnique(error)?.startsWith("denied_hashes_") ? fail.wrongState(deniedAlready) : error;
  }
  tx.changed("denied-hash", id);
  return true;
}

const deniedAlready = say.states.deniedAlready;

export async function denyHash(tx: Tx, moderatorId: string, hash: string, reason: string): Promise<void> {
  await lockContentsAlone(tx.db);
  if (!(await addDeniedHash(tx, moderatorId, Buffer.from(hash, "hex"), reason))) throw fail.wrongState(deniedAlready);
  tx.audit("content.deny", { kind: "content", id: hash.toLowerCase() }, { reason });
}

export async function allowHash(tx: Tx, hash: string): Promise<void> {
  await lockContentsAlone(tx.db);
  const gone = await tx.db
    .deleteFrom("denied_hashes")
    .where(isHash(Buffer.from(hash, "hex")))
    .returning(["id", "reason"])
    .executeTakeFirst();
  if (!gone) throw fail.deniedHashNotFound();
  tx.audit("content.allow", { kind: "content", id: hash.toLowerCase() }, { reason: gone.reason });
  tx.changed("denied-hash", gone.id);
}
