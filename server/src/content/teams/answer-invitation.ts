// Accepting and declining an invitation, whether it was made by username or by mail.

import { findEntry } from "#content/members/read.js";
import type { Tx } from "#platform/changes/write.js";
import { fail } from "#platform/errors.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { acceptInvite, leaveTeam } from "./invitations.js";
import { answerMailInvite, findInviteToHolder } from "./mail-invites.js";

export async function answerInvite(tx: Tx, viewer: SignedIn, teamId: string, isAccepted: boolean): Promise<void> {
  const mailed = await findMailed(tx, viewer, teamId);
  if (mailed) return answerMailInvite(tx, viewer, mailed, isAccepted);
  if (isAccepted) return acceptInvite(tx, viewer, teamId);
  const entry = await findEntry(tx.db, teamId, viewer.user.id);
  // The user is already a member and did not ask to leave.
  if (entry?.accepted === 1) throw fail.inviteNotFound();
  return leaveTeam(tx, viewer, teamId);
}

/** In the API, the same route leaves a team and declines an invitation. */
export async function leaveOrDecline(tx: Tx, viewer: SignedIn, teamId: string): Promise<void> {
  const mailed = await findMailed(tx, viewer, teamId);
  return mailed ? answerMailInvite(tx, viewer, mailed, false) : leaveTeam(tx, viewer, teamId);
}

/** If a user was invited in both ways, the invitation by name counts. */
async function findMailed({ db, now }: Tx, { user }: SignedIn, teamId: string) {
  return (await findEntry(db, teamId, user.id)) ? undefined : findInviteToHolder(db, user.id, teamId, now);
}
