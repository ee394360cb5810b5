// Invitations from a page: one field takes a username or an email address.

import Type from "typebox";
import { Email } from "#accounts/users/contract.js";
import * as contract from "#content/teams/contract.js";
import { invite } from "#content/teams/invitations.js";
import { inviteByMail } from "#content/teams/mail-invites.js";
import { editMember, type MemberEdit } from "#content/teams/members.js";
import { lengths } from "#lib/lengths.js";
import { type Tx, write } from "#platform/changes/write.js";
import { Failure, fail, invalid } from "#platform/errors.js";
import type { Call } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { parse } from "#platform/http/validation.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { type FormProblems, renamed } from "#web/context/form.js";
import { useTexts } from "#web/context/texts.js";
import { TextField } from "#web/parts/text-field.js";
import type { Locale } from "#words/languages.js";
import { texts, textsIn } from "#words/texts.js";

interface InviteCall extends Pick<Call, "actor"> {
  viewer: SignedIn;
  locale: Locale;
}

/** `edit`: role and permissions of the new member; absent if the caller may only invite. */
export async function inviteFromPage(
  resources: Resources,
  { viewer, actor, locale }: InviteCall,
  teamId: string,
  given: string,
  edit?: MemberEdit,
): Promise<void> {
  const whom = given.trim();
  const work = whom.includes("@")
    ? await byMail(resources, viewer, locale, teamId, whom, edit)
    : byName(viewer, teamId, whom, edit);
  await write(resources, actor, work);
}

const named = (userName: string): string =>
  parse<{ userName: string }>("body", contract.inviteMember.body, { userName }, "body").userName;

const byName = (viewer: SignedIn, teamId: string, whom: string, edit?: MemberEdit) => {
  const userName = named(whom);
  return async (tx: Tx) => {
    const memberId = await invite(tx, viewer, teamId, userName);
    if (edit) await editMember(tx, viewer, teamId, memberId, edit);
  };
};

async function byMail(
  { mailer, limiter }: Resources,
  viewer: SignedIn,
  locale: Locale,
  teamId: string,
  whom: string,
  edit: MemberEdit = {},
) {
  if (!mailer.enabled) throw invalid({ path: "userName", message: textsIn(texts.teams.waiting, locale).noMail });
  const email = addressOf(whom);
  // Limits how many mails a user can send to other people.
  const quota = await limiter.take("mail", `invitations of ${viewer.user.id}`);
  if (!quota.allowed)
    throw new Failure("rateLimited", 429, fail.rateLimited(quota.retryAfterSeconds).said, {
      headers: { "retry-after": String(quota.retryAfterSeconds) },
    });
  const { role = "Member", permissions = [], organisationPermissions: orgPermissions = [] } = edit;
  return (tx: Tx) => inviteByMail(tx, viewer, teamId, { email, role, permissions, orgPermissions });
}

function addressOf(text: string): string {
  try {
    return parse<{ email: string }>("body", Type.Object({ email: Email }), { email: text }, "body").email;
  } catch (error) {
    throw renamed(error, "userName");
  }
}

/** Refusals that are shown beside the field. */
export const inviteFields = {
  userNotFound: "userName",
  alreadyMember: "userName",
  alreadyOwner: "userName",
  addressInvited: "userName",
  limitReached: "userName",
  rateLimited: "userName",
} as const;

interface FieldProps {
  hasMail: boolean;
  value: string | undefined;
  problems: FormProblems | undefined;
}

/** A script suggests usernames (scripts/suggest.ts). */
export const InviteeField = ({ hasMail, value, problems }: FieldProps) => {
  const t = useTexts(texts.teams.waiting);
  return (
    <>
      <TextField
        name="userName"
        label={hasMail ? t.userName : t.userNameOnly}
        hint={hasMail ? t.userNameHint : t.userNameOnlyHint}
        required
        lengths={lengths.email}
        value={value}
        list="people"
        problems={problems}
      />
      <datalist id="people" data-suggest="/dashboard/people" />
    </>
  );
};
