// Mails that invite to a team. The code is created just before the mail is sent, so that no queue ever contains one.

import { findEntry } from "#content/members/read.js";
import type { JobPayloads } from "#platform/changes/job-kinds.js";
import { write } from "#platform/changes/write.js";
import type { Resources } from "#platform/http/resources.js";
import { invitationMail } from "#platform/mail/messages.js";
import { createInviteCode } from "./mail-invites.js";

export async function mailInvitation(
  resources: Resources,
  { inviteId }: JobPayloads["mail-invitation"],
): Promise<void> {
  const { db, mailer, config } = resources;
  if (!mailer.enabled) return;
  const invite = await db
    .selectFrom("mail_invites as invite")
    .innerJoin("users as inviter", "inviter.id", "invite.invited_by")
    .leftJoin("users as holder", "holder.email", "invite.email")
    .leftJoin("projects", "projects.team_id", "invite.team_id")
    .leftJoin("organizations", "organizations.team_id", "invite.team_id")
    .select(["invite.email", "invite.team_id", "inviter.user_name as invited_by", "holder.id as holder_id"])
    .select(["holder.locale", "inviter.locale as inviter_locale"])
    .select(["projects.name as project_name", "organizations.name as org_name"])
    .where("invite.id", "=", inviteId)
    .executeTakeFirst();
  // The invitation was withdrawn.
  if (!invite) return;
  const entry = invite.holder_id === null ? undefined : await findEntry(db, invite.team_id, invite.holder_id);
  // The user is already a member. The inviter must not learn that from this mail address.
  if (entry?.accepted === 1) return;
  const code = await write(resources, { credential: "job" }, (tx) => createInviteCode(tx, inviteId));
  const siteUrl = config.http.url;
  const locale = invite.locale ?? invite.inviter_locale;
  const name = invite.project_name ?? invite.org_name ?? "";
  await mailer.send({
    to: invite.email,
    ...invitationMail({ siteUrl, locale, code, name, invitedBy: invite.invited_by }),
  });
}
