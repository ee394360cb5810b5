// Ownership of a team. The API transfers it at once; on the website the owner offers it and the other user accepts.

import { deleteOffers, findOffer, notifyAboutOffer } from "#content/members/offers.js";
import { endPendingActionsOf, endUndoOfMoves } from "#content/members/pending-actions.js";
import { findEntry, type Team } from "#content/members/read.js";
import { allowOwner } from "#content/members/rights.js";
import { markChanged, removeFromProjectsOf } from "#content/members/write.js";
import { toJson } from "#lib/json.js";
import type { Tx } from "#platform/changes/write.js";
import type { Row } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { say } from "#words/said.js";
import { getEditableTeam, getOwnEntry } from "./change.js";

/** Without an offer, as the interface requires. */
export async function transferOwnership(tx: Tx, viewer: SignedIn, teamId: string, userId: string): Promise<void> {
  const { team, heir } = await getHeir(tx, viewer, teamId, userId);
  await handOver(tx, team, heir);
}

const offerLifeMs = 14 * 24 * 60 * 60 * 1000;

/** Replaces an offer to another user: there is at most one. */
export async function offerOwnership(tx: Tx, viewer: SignedIn, teamId: string, userId: string): Promise<void> {
  const { team } = await getHeir(tx, viewer, teamId, userId);
  await deleteOffers(tx, [team.id]);
  await tx.db
    .insertInto("ownership_offers")
    .values({
      team_id: team.id,
      user_id: userId,
      offered_by: viewer.user.id,
      date_created: tx.now,
      date_expires: tx.now + offerLifeMs,
    })
    .execute();
  await notifyAboutOffer(tx, team, userId, "ownership_offer", { invitedBy: viewer.user.id });
  tx.audit("team.owner.offer", { kind: "team", id: team.id }, { userId });
}

/** Called by the owner. */
export async function withdrawOffer(tx: Tx, viewer: SignedIn, teamId: string): Promise<void> {
  const { team, rights } = await getEditableTeam(tx, viewer, teamId);
  allowOwner(rights);
  if (!(await findOffer(tx.db, team.id, tx.now))) throw fail.offerNotFound();
  await deleteOffers(tx, [team.id]);
  tx.audit("team.owner.withdraw", { kind: "team", id: team.id });
}

/** Called by the user to whom it was offered, to accept or decline. */
export async function answerOffer(tx: Tx, viewer: SignedIn, teamId: string, isTaken: boolean): Promise<void> {
  const { team, entry } = await getOwnEntry(tx, viewer, teamId, fail.offerNotFound);
  const offer = await findOffer(tx.db, team.id, tx.now);
  if (offer?.user_id !== viewer.user.id) throw fail.offerNotFound();
  await deleteOffers(tx, [team.id]);
  await notifyAboutOffer(tx, team, offer.offered_by, isTaken ? "ownership_taken" : "ownership_declined", {
    userId: offer.user_id,
  });
  if (isTaken) return handOver(tx, team, entry);
  tx.audit("team.owner.decline", { kind: "team", id: team.id });
}

/** The member who would become the owner, if the caller may transfer ownership. */
async function getHeir(
  tx: Tx,
  viewer: SignedIn,
  teamId: string,
  userId: string,
): Promise<{ team: Team; heir: Row<"team_members"> }> {
  const { team, rights } = await getEditableTeam(tx, viewer, teamId);
  allowOwner(rights);
  if (team.projectId !== null && team.org) throw fail.wrongState(say.states.ofOrganization);
  const heir = await findEntry(tx.db, team.id, userId);
  if (heir?.accepted !== 1) throw fail.memberNotFound();
  if (heir.is_owner === 1) throw fail.alreadyOwner();
  return { team, heir };
}

/**
 * There is exactly one owner before and after: the unique index forbids two, and the old one is demoted only if the new
 * one exists.
 */
async function handOver(tx: Tx, team: Team, heir: Row<"team_members">): Promise<void> {
  const nothing = { permissions: toJson<string[]>([]), org_permissions: toJson<string[]>([]) };
  const former = await tx.db
    .updateTable("team_members")
    .set({ is_owner: 0, role: "Member", ...nothing })
    .where("team_id", "=", team.id)
    .where("is_owner", "=", 1)
    .returning("user_id")
    .execute();
  const { numUpdatedRows } = await tx.db
    .updateTable("team_members")
    .set({ is_owner: 1, role: "Owner", ...nothing })
    .where("id", "=", heir.id)
    .executeTakeFirst();
  // The deletion of an account deletes its entries without locking the teams. In that case the old owner stays.
  if (numUpdatedRows === 0n) throw fail.memberNotFound();
  // The new owner owns the projects of the organization; an entry in one of them would grant less.
  if (team.org) await removeFromProjectsOf(tx, team.org.id, heir.user_id);
  // Offers and invitations of the old owner do not bind the new one.
  await deleteOffers(tx, [team.id]);
  for (const { user_id } of former) await endPendingActionsOf(tx, team, user_id);
  await endUndoOfMoves(tx, team);
  tx.audit("team.owner.set", { kind: "team", id: team.id }, { userId: heir.user_id });
  markChanged(tx, team);
}
