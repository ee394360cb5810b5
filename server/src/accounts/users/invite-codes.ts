// Invite codes: what lets people in where registration is closed. Administrators make them; whoever has one makes an account
// with it, as often as it says.

import { sql } from "kysely";
import Type, { type Static } from "typebox";
import { newId } from "#lib/random.js";
import { newSecretToken, readSecretToken, tokenDigest } from "#lib/secret-token.js";
import type { Tx } from "#platform/changes/write.js";
import type { Db, Row } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import { say } from "#words/said.js";

const day = 24 * 60 * 60 * 1000;
export const inviteUses = [1, 1000] as const;
/** In days; 0 means that the code does not expire. */
export const inviteLives = ["7", "30", "90", "0"] as const;
const mostCodes = 100;

export const InviteInput = Type.Object({
  note: Type.String({ maxLength: 100, "x-problem": say.problems.fewCharacters(100) }),
  uses: Type.Integer({
    minimum: inviteUses[0],
    maximum: inviteUses[1],
    "x-problem": say.problems.wholeNumber(1, 1000),
  }),
  days: Type.Enum([...inviteLives]),
});
export type InviteInput = Static<typeof InviteInput>;

export type InviteCode = Row<"invite_codes">;

/** Returns the code, which is never shown again. */
export async function createInviteCode(tx: Tx, adminId: string, { note, uses, days }: InviteInput): Promise<string> {
  const { count } = await tx.db
    .selectFrom("invite_codes")
    .select(tx.db.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  if (Number(count) >= mostCodes) throw fail.limitReached(say.limits.inviteCodes(mostCodes));
  const [id, code] = [newId(tx.random), newSecretToken("msc_", tx.random)];
  await tx.db
    .insertInto("invite_codes")
    .values({
      id,
      digest: tokenDigest(code),
      note: note.trim(),
      most_uses: uses,
      uses: 0,
      created_by: adminId,
      date_created: tx.now,
      date_expires: days === "0" ? null : tx.now + Number(days) * day,
    })
    .execute();
  tx.audit("invite_code.create", { kind: "invite_code", id }, { uses, days: Number(days) });
  return code;
}

export async function revokeInviteCode(tx: Tx, id: string): Promise<void> {
  const gone = await tx.db.deleteFrom("invite_codes").where("id", "=", id).returning("uses").executeTakeFirst();
  if (!gone) throw fail.inviteNotFound();
  tx.audit("invite_code.revoke", { kind: "invite_code", id }, { uses: gone.uses });
}

/** Newest first, with the creator of each. */
export const listInviteCodes = (db: Db): Promise<(InviteCode & { maker: string | null })[]> =>
  db
    .selectFrom("invite_codes")
    .leftJoin("users", "users.id", "invite_codes.created_by")
    .selectAll("invite_codes")
    .select("users.user_name as maker")
    .orderBy("invite_codes.date_created", "desc")
    .orderBy("invite_codes.id")
    .execute();

const isUsable = (now: number) =>
  sql<boolean>`(invite_codes.uses < invite_codes.most_uses
    and (invite_codes.date_expires is null or invite_codes.date_expires > ${now}))`;

/** Undefined if the text cannot be an invite code. */
export const inviteDigest = (code: string): Buffer | undefined => {
  const read = readSecretToken(code.trim());
  return read?.kind === "code" ? read.digest : undefined;
};

/** Whether the code would admit a user now. */
export async function isInviteGood(db: Db, code: string, now: number): Promise<boolean> {
  const digest = inviteDigest(code);
  if (!digest) return false;
  const row = db.selectFrom("invite_codes").select("id").where("digest", "=", digest).where(isUsable(now));
  return (await row.executeTakeFirst()) !== undefined;
}

/** Whether any code can still be used. */
export const hasUsableInvites = async (db: Db, now: number): Promise<boolean> =>
  (await db.selectFrom("invite_codes").select("id").where(isUsable(now)).limit(1).executeTakeFirst()) !== undefined;

/**
 * Counts one use of the code, in the transaction that creates the account: if two users arrive at the same time, the
 * last use admits one of them.
 */
export async function takeInvite(tx: Tx, digest: Uint8Array | undefined): Promise<void> {
  const taken =
    digest &&
    (await tx.db
      .updateTable("invite_codes")
      .set((row) => ({ uses: sql<number>`${row.ref("uses")} + 1` }))
      .where("digest", "=", digest)
      .where(isUsable(tx.now))
      .returning("id")
      .executeTakeFirst());
  if (!taken) throw fail.inviteCodeInvalid();
  tx.audit("invite_code.use", { kind: "invite_code", id: taken.id });
}
