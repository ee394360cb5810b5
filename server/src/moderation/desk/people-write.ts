// Suspending users, ending their sessions, giving them roles. Each runs in the caller's transaction.

import { deleteOtherSessions } from "#accounts/sessions/write.js";
import { findProfile } from "#accounts/users/read.js";
import { setRole, setSuspension } from "#accounts/users/write.js";
import type { Tx } from "#platform/changes/write.js";
import { lockRows } from "#platform/db/dialect.js";
import { placeholderId } from "#platform/db/placeholder.js";
import type { Row } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import { needPowers } from "#platform/http/staff-powers.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { canSuspend } from "./policy.js";

export async function suspendUser(tx: Tx, viewer: SignedIn, ref: string, reason: string): Promise<void> {
  const user = await holdUser(tx, viewer, ref);
  if (user.date_suspended !== null) throw fail.wrongState("This account is suspended already");
  await setSuspension(tx, user.id, reason);
}

export async function unsuspendUser(tx: Tx, viewer: SignedIn, ref: string): Promise<void> {
  const user = await holdUser(tx, viewer, ref);
  if (user.date_suspended === null) throw fail.wrongState("This account is not suspended");
  await setSuspension(tx, user.id, null);
}

/** Of two who act at once, the second sees what the first did; and the role is the one of this moment. */
async function holdUser({ db }: Tx, viewer: SignedIn, ref: string): Promise<Row<"users">> {
  const profile = await findProfile(db, ref);
  if (!profile || profile.id === placeholderId) throw fail.userNotFound();
  const user = await db
    .selectFrom("users")
    .selectAll()
    .where("id", "=", profile.id)
    .modifyEnd(lockRows(db))
    .executeTakeFirst();
  if (!user) throw fail.userNotFound();
  if (!canSuspend(viewer.user.role, user.role)) throw fail.staffProtected();
  return user;
}

/** For administrators. Nobody his own, so that there is always one left; of administrators, at the command line only. */
export async function changeRole(tx: Tx, viewer: SignedIn, ref: string, role: Row<"users">["role"]): Promise<void> {
  const user = await holdUser(tx, viewer, ref);
  needPowers(viewer, "admin");
  if (user.role === role) throw fail.wrongState(`This account has the role ${role} already`);
  await setRole(tx, user.id, role);
}

/** He has to sign in again, everywhere. Returns how many sessions ended. */
export async function endSessions(tx: Tx, viewer: SignedIn, ref: string): Promise<number> {
  const user = await holdUser(tx, viewer, ref);
  return deleteOtherSessions(tx, user.id, "");
}
