// Who owns a team. The API hands it over at once; on the website the owner offers it and the other takes it.

import { findOffer, forgetOffers, tellOfOffer } from "#content/members/offers.js";
import { endMovesInto, endPromisesOf } from "#content/members/promises.js";
import { findEntry, type Team } from "#content/members/read.js";
import { allowOwner } from "#content/members/standing.js";
import { markChanged, removeFromProjectsOf } from "#content/members/write.js";
import { toJson } from "#lib/json.js";
import type { Tx } from "#platform/changes/write.js";
import type { Row } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { say } from "#words/said.js";
import { getEditableTeam, getOwnEntry } from "./change.js";

/** At once, as the interface has it. */
export async function transferOwnership(tx: Tx, viewer: SignedIn, teamId: string, userId: string): Promise<void> {
  const { team, heir } = await getHeir(tx, viewer, teamId, userId);
  await handOver(tx, team, heir);
}

const offerLifeMs = 14 * 24 * 60 * 60 * 1000;

/** Takes the place of an offer to another: there is one owner, and one heir. */
export async function offerOwnership(tx: Tx, viewer: SignedIn, teamId: string, userId: string): Promise<void> {
  const { team } = await getHeir(tx, viewer, teamId, userId);
  await forgetOffers(tx, [team.id]);
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
  await tellOfOffer(tx, team, userId, "ownership_offer", { invitedBy: viewer.user.id });
  tx.audit("team.owner.offer", { kind: "team", id: team.id }, { userId });
}

/** By the owner. */
export async function withdrawOffer(tx: Tx, viewer: SignedIn, teamId: string): Promise<void> {
  const { team, standing } = await getEditableTeam(tx, viewer, teamId);
  allowOwner(standing);
  if (!(await findOffer(tx.db, team.id, tx.now))) throw fail.offerNotFound();
  await forgetOffers(tx, [team.id]);
  tx.audit("team.owner.withdraw", { kind: "team", id: team.id });
}

/** By the one to whom it was offered: he takes it, or leaves it. */
export async function answerOffer(tx: Tx, viewer: SignedIn, teamId: string, isTaken: boolean): Promise<void> {
  const { team, entry } = await getOwnEntry(tx, viewer, teamId, fail.offerNotFound);
  const offer = await findOffer(tx.db, team.id, tx.now);
  if (offer?.user_id !== viewer.user.id) throw fail.offerNotFound();
  await forgetOffers(tx, [team.id]);
  await tellOfOffer(tx, team, offer.offered_by, isTaken ? "ownership_taken" : "ownership_declined", {
    userId: offer.user_id,
  });
  if (isTaken) return handOver(tx, team, entry);
  tx.audit("team.owner.decline", { kind: "team", id: team.id });
}

/** The member who may become the owner, if the caller may make him it. */
async function getHeir(
  tx: Tx,
  viewer: SignedIn,
  teamId: string,
  userId: string,
): Promise<{ team: Team; heir: Row<"team_members"> }> {
  const { team, standing } = await getEditableTeam(tx, viewer, teamId);
  allowOwner(standing);
  if (team.projectId !== null && team.org) throw fail.wrongState(say.states.ofOrganization);
  const heir = await findEntry(tx.db, team.id, userId);
  if (heir?.accepted !== 1) throw fail.memberNotFound();
  if (heir.is_owner === 1) throw fail.alreadyOwner();
  return { team, heir };
}

/** Exactly one owner before and after: the unique index allows no two, and the old one goes only if the new one is there. */
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
  // The end of an account takes its entries without asking the teams: then the old owner stays.
  if (numUpdatedRows === 0n) throw fail.memberNotFound();
  // He owns the organization's projects now; entries of his own in them would say less.
  if (team.org) await removeFromProjectsOf(tx, team.org.id, heir.user_id);
  // What the old owner has promised does not bind the new one.
  await forgetOffers(tx, [team.id]);
  for (const { user_id } of former) await endPromisesOf(tx, team, user_id);
  await endMovesInto(tx, team);
  tx.audit("team.owner.set", { kind: "team", id: team.id }, { userId: heir.user_id });
  markChanged(tx, team);
}
