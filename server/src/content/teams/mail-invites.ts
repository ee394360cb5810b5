// Invitations by email address. The inviter does not learn whether an account has the address before someone accepts:
// the rows, the list and the answer are the same either way.

import {
  deleteInviteNotifications,
  deleteMailInvite,
  findHolder,
  notifyInvitee,
} from "#content/members/invite-notifications.js";
import type { OrgPermission, ProjectPermission } from "#content/members/permissions.js";
import { allowAdding } from "#content/members/policy.js";
import { findEntry } from "#content/members/read.js";
import { addMember, markChanged, removeEntry } from "#content/members/write.js";
import { fromJson, toJson } from "#lib/json.js";
import { newId } from "#lib/random.js";
import { newSecretToken, readSecretToken, tokenDigest } from "#lib/secret-token.js";
import type { Tx } from "#platform/changes/write.js";
import type { Db, Row } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { say } from "#words/said.js";
import { getAnyTeam, getEditableTeam } from "./change.js";
import { findOrgEntry, permissionsOf } from "./invitations.js";

export type MailInvite = Row<"mail_invites">;

const lifeMs = 30 * 24 * 60 * 60 * 1000;
const mostOpen = 50;

export interface MailInvitation {
  email: string;
  role: string;
  permissions: readonly ProjectPermission[];
  orgPermissions: readonly OrgPermission[];
}

/** A separate job sends the mail. A user who has verified the address also sees the invitation on the site. */
export async function inviteByMail(
  tx: Tx,
  viewer: SignedIn,
  teamId: string,
  { role, permissions, orgPermissions, ...input }: MailInvitation,
): Promise<void> {
  const { team, rights } = await getEditableTeam(tx, viewer, teamId, "manage_invites");
  allowAdding(rights, { project: permissions, org: orgPermissions });
  const email = input.email.toLowerCase();
  const open = await listMailInvites(tx.db, team.id, tx.now);
  if (open.some((each) => each.email === email)) throw fail.addressInvited();
  if (open.length >= mostOpen) throw fail.limitReached(say.limits.mailInvitations(mostOpen));
  // An expired invitation may still be stored.
  await tx.db.deleteFrom("mail_invites").where("team_id", "=", team.id).where("email", "=", email).execute();
  const id = newId(tx.random);
  await tx.db
    .insertInto("mail_invites")
    .values({
      id,
      team_id: team.id,
      email,
      role,
      permissions: toJson<string[]>([...new Set(permissions)]),
      org_permissions: toJson<string[]>([...new Set(orgPermissions)]),
      invited_by: viewer.user.id,
      code_digest: null,
      date_created: tx.now,
      date_expires: tx.now + lifeMs,
    })
    .execute();
  const userId = await findHolder(tx.db, email);
  if (userId !== undefined && !(await findEntry(tx.db, team.id, userId)))
    await notifyInvitee(tx, team, { userId, invitedBy: viewer.user.id, role });
  tx.enqueue("mail-invitation", { inviteId: id });
  tx.audit("team.invite.mail", { kind: "team", id: team.id });
}

export async function withdrawMailInvite(tx: Tx, viewer: SignedIn, teamId: string, inviteId: string): Promise<void> {
  const { team } = await getEditableTeam(tx, viewer, teamId, "manage_invites");
  const invite = await tx.db
    .selectFrom("mail_invites")
    .selectAll()
    .where("id", "=", inviteId)
    .where("team_id", "=", team.id)
    .executeTakeFirst();
  if (!invite) throw fail.inviteNotFound();
  await deleteMailInvite(tx, invite);
  tx.audit("team.invite.mail.withdraw", { kind: "team", id: team.id });
}

/** Open invitations, newest first. */
export const listMailInvites = (db: Db, teamId: string, now: number): Promise<MailInvite[]> =>
  db
    .selectFrom("mail_invites")
    .selectAll()
    .where("team_id", "=", teamId)
    .where("date_expires", ">", now)
    .orderBy("date_created", "desc")
    .orderBy("id")
    .execute();

/** The invitation to this user's verified address. */
export const findInviteToHolder = (
  db: Db,
  userId: string,
  teamId: string,
  now: number,
): Promise<MailInvite | undefined> =>
  db
    .selectFrom("mail_invites")
    .innerJoin("users", "users.email", "mail_invites.email")
    .selectAll("mail_invites")
    .where("users.id", "=", userId)
    .where("users.email_verified", "=", 1)
    .where("mail_invites.team_id", "=", teamId)
    .where("mail_invites.date_expires", ">", now)
    .executeTakeFirst();

/** Anyone with the code has read the mail. */
export async function findInviteByCode(db: Db, code: string, now: number): Promise<MailInvite | undefined> {
  const digest = readSecretToken(code)?.digest;
  if (!digest) return undefined;
  return db
    .selectFrom("mail_invites")
    .selectAll()
    .where("code_digest", "=", digest)
    .where("date_expires", ">", now)
    .executeTakeFirst();
}

/** A new code for the mail that is about to be sent; the code of an earlier attempt stops working. */
export async function createInviteCode(tx: Tx, inviteId: string): Promise<string> {
  const code = newSecretToken("msc_", tx.random);
  await tx.db
    .updateTable("mail_invites")
    .set({ code_digest: tokenDigest(code) })
    .where("id", "=", inviteId)
    .execute();
  return code;
}

/** The caller has checked that the user has verified the address or has the code. */
export async function answerMailInvite(
  tx: Tx,
  viewer: SignedIn,
  invite: MailInvite,
  isAccepted: boolean,
): Promise<void> {
  const team = await getAnyTeam(tx, invite.team_id);
  await deleteMailInvite(tx, invite);
  await deleteInviteNotifications(tx, [team.id], viewer.user.id);
  if (!isAccepted) return tx.audit("team.leave", { kind: "team", id: team.id });
  const before = await findEntry(tx.db, team.id, viewer.user.id);
  if (before?.accepted === 1) throw fail.alreadyMember();
  const orgEntry = await findOrgEntry(tx, team, viewer.user.id);
  if (orgEntry?.is_owner === 1) throw fail.alreadyOwner();
  if (before) await removeEntry(tx, team, before);
  const given = fromJson(invite.permissions) as ProjectPermission[];
  await addMember(tx, {
    teamId: team.id,
    userId: viewer.user.id,
    role: invite.role,
    // A member of the organization keeps their permissions in the project when they are invited to it.
    permissions: [...given, ...(orgEntry ? permissionsOf(orgEntry) : [])],
    orgPermissions: fromJson(invite.org_permissions) as OrgPermission[],
  });
  tx.audit("team.accept", { kind: "team", id: team.id });
  markChanged(tx, team);
}
