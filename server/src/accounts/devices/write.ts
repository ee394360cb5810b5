// Requests of programs to be signed in: asking, deciding, and handing the token over.
import { parseApplicationScopes, splitScopes } from "#accounts/applications/policy.js";
import { createToken, deleteToken } from "#accounts/tokens/write.js";
import { takeAttempt } from "#accounts/users/failures.js";
import { lockUser } from "#accounts/users/locking.js";
import { fromJson, toJson } from "#lib/json.js";
import type { Scope } from "#lib/scopes.js";
import { newSecretToken, readSecretToken, tokenDigest } from "#lib/secret-token.js";
import { type Actor, type Tx, write } from "#platform/changes/write.js";
import type { Row } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import { leastIntervalMs, newUserCode, requestLifeMs, tokenLifeDays } from "./policy.js";

export type DeviceRequest = Row<"device_requests">;

const day = 24 * 60 * 60 * 1000;

export async function createDeviceRequest(
  tx: Tx,
  { program, scope, country }: { program: string; scope: string; country: string },
  { address = null }: { address?: string | null },
): Promise<{ deviceCode: string; userCode: string }> {
  const names = scope.trim() === "" ? [] : splitScopes(scope.trim());
  if (!names) throw fail.unknownScopes(scope);
  const scopes = parseApplicationScopes(names);
  const deviceCode = newSecretToken("msc_", tx.random);
  for (;;) {
    const userCode = newUserCode(tx.random);
    const { numInsertedOrUpdatedRows } = await tx.db
      .insertInto("device_requests")
      .values({
        ...{ device_digest: tokenDigest(deviceCode), user_code: userCode, program, scopes: toJson(scopes) },
        ...{ address, country, user_id: null, approved: null, date_polled: null },
        ...{ date_created: tx.now, date_expires: tx.now + requestLifeMs },
      })
      .onConflict((conflict) => conflict.column("user_code").doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows === 1n) return { deviceCode, userCode };
  }
}

/** The request that waits with this code. A wrong code uses up one of the account's few attempts. */
export async function getWaitingRequest(
  resources: Resources,
  actor: Actor,
  userId: string,
  code: string,
): Promise<DeviceRequest | undefined> {
  const giveBack = await takeAttempt(resources, actor, [`device code of ${userId}`], undefined);
  const row = await resources.db
    .selectFrom("device_requests")
    .selectAll()
    .where("user_code", "=", code)
    .where("user_id", "is", null)
    .where("date_expires", ">", resources.clock.now())
    .executeTakeFirst();
  if (row) await giveBack();
  return row;
}

/** Returns whether the request was still waiting. */
export async function decide(
  tx: Tx,
  userId: string,
  { device_digest, program, scopes }: DeviceRequest,
  isApproved: boolean,
): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable("device_requests")
    .set({ user_id: userId, approved: isApproved ? 1 : 0 })
    .where("device_digest", "=", device_digest)
    .where("user_id", "is", null)
    .where("date_expires", ">", tx.now)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  if (isApproved) tx.audit("token.approve", { kind: "user", id: userId }, { name: program, scopes: fromJson(scopes) });
  return true;
}

export interface IssuedToken {
  token: string;
  scopes: Scope[];
  expiresIn: number;
}

/** Refuses until the user has approved; hands the token over once. */
export async function redeemDeviceCode(resources: Resources, actor: Actor, code: string): Promise<IssuedToken> {
  const { db, clock } = resources;
  const read = readSecretToken(code);
  if (read?.kind !== "code") throw fail.deviceCodeExpired();
  const now = clock.now();
  // The row as it was before: the note of this call does not count as an earlier one.
  const row = await db
    .selectFrom("device_requests")
    .selectAll()
    .where("device_digest", "=", read.digest)
    .where("date_expires", ">", now)
    .executeTakeFirst();
  if (!row) throw fail.deviceCodeExpired();
  await db.updateTable("device_requests").set({ date_polled: now }).where("device_digest", "=", read.digest).execute();
  if (row.date_polled !== null && now - row.date_polled < leastIntervalMs) throw fail.askedTooSoon();
  const { user_id: userId } = row;
  if (userId === null) throw fail.approvalPending();
  if (row.approved !== 1) throw fail.approvalDenied();
  return write(resources, { ...withoutCredential(actor), userId, credential: "device code" }, (tx) =>
    issue(tx, userId, read.digest),
  );
}

/** The program acts for its user, whatever cookie its request may carry. */
const withoutCredential = ({ address, network, requestId }: Actor): Actor => ({
  ...(address !== undefined && { address }),
  ...(network !== undefined && { network }),
  ...(requestId !== undefined && { requestId }),
});

async function issue(tx: Tx, userId: string, digest: Uint8Array): Promise<IssuedToken> {
  // Before the request's row, as a password reset does it.
  await lockUser(tx, userId);
  const used = await tx.db
    .deleteFrom("device_requests")
    .where("device_digest", "=", digest)
    .where("user_id", "=", userId)
    .where("approved", "=", 1)
    .returning(["program", "scopes"])
    .executeTakeFirst();
  if (!used) throw fail.deviceCodeExpired();
  const scopes = fromJson(used.scopes);
  const dateExpires = tx.now + tokenLifeDays * day;
  const { value } = await createToken(tx, userId, { name: used.program, scopes, dateExpires });
  return { token: value, scopes, expiresIn: (tokenLifeDays * day) / 1000 };
}

/** The program gives its token up. */
export async function revokeToken(resources: Resources, actor: Actor, value: string): Promise<void> {
  const read = readSecretToken(value);
  const row =
    read?.kind === "pat"
      ? await resources.db
          .selectFrom("tokens")
          .select(["id", "user_id"])
          .where("token_digest", "=", read.digest)
          .where("grant_id", "is", null)
          .executeTakeFirst()
      : undefined;
  if (!row) return;
  const { id, user_id: userId } = row;
  const owner = { ...withoutCredential(actor), userId, credential: `token:${id}` };
  await write(resources, owner, (tx) => deleteToken(tx, userId, id));
}
