// The view of the members page in an organization's settings.

import type { Member } from "#content/members/shapes.js";
import { lengths } from "#lib/lengths.js";
import type { FormProblems } from "#web/context/form.js";
import { useTexts } from "#web/context/texts.js";
import { Button, ButtonLink } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { FormCard } from "#web/parts/form-card.js";
import { Picture } from "#web/parts/picture.js";
import { ProblemSummary } from "#web/parts/problem-summary.js";
import { InviteeField } from "#web/shared/inviting.js";
import { MailedInvites, OfferNotice, type Waiting } from "#web/shared/waiting.js";
import { texts } from "#words/texts.js";
import { type Granted, PermissionTicks } from "./permission-ticks.js";
import { roleNames } from "./roles.js";
import { type Managed, Missing, OrgFrame } from "./settings-frame.js";

export interface InviteFields {
  userName?: string;
  role?: string;
  granted: Granted;
}

interface Props {
  managed: Managed;
  waiting: Waiting;
  invite: InviteFields;
  problems?: FormProblems | undefined;
  /** A refused change of a member, and its problems. */
  edited?: { memberId: string; title: string; granted: Granted; problems: FormProblems } | undefined;
}

export const OrgMembers = ({ managed, waiting, invite, problems, edited }: Props) => {
  const t = useTexts(texts.organizations.members);
  const { org, rights, path, owner, viewerId } = managed;
  const isMember = org.members.some(({ userId, accepted }) => accepted && userId === viewerId);
  return (
    <OrgFrame managed={managed} section="members">
      <OfferNotice waiting={waiting} name={org.name} members={org.members} canWithdraw={rights.isOwner} />
      {edited && <ProblemSummary problems={edited.problems} labels={{}} />}
      <ul class="project-roll card">
        {org.members.map((member) => (
          <MemberRow
            key={member.id}
            managed={managed}
            member={member}
            edited={edited?.memberId === member.id ? edited : undefined}
          />
        ))}
      </ul>
      {rights.permissions.has("manage_invites") && <MailedInvites waiting={waiting} />}
      <section class="stack">
        <h2>{t.invite}</h2>
        {rights.permissions.has("manage_invites") ? (
          <InviteForm managed={managed} waiting={waiting} invite={invite} problems={problems} />
        ) : (
          <Missing managed={managed} permission="manage_invites" />
        )}
      </section>
      <div class="actions">
        {rights.isOwner && (
          <ButtonLink kind="quiet" href={`${path}/members/transfer`}>
            {t.transfer}
          </ButtonLink>
        )}
        {isMember && owner.userId !== viewerId && (
          <ButtonLink kind="quiet" href={`${path}/leave`}>
            {t.leave}
          </ButtonLink>
        )}
      </div>
    </OrgFrame>
  );
};

const InviteForm = ({ managed, waiting, invite, problems }: Omit<Props, "edited">) => {
  const t = useTexts(texts.organizations.members);
  const { userName } = useTexts(texts.teams.waiting);
  const words = useTexts(texts.organizations.permissions);
  const { path, rights } = managed;
  const { role = "viewer" } = invite;
  return (
    <FormCard
      action={`${path}/members`}
      button={t.inviteButton}
      problems={problems}
      labels={{ userName, role: t.role }}
    >
      <InviteeField hasMail={waiting.hasMail} value={invite.userName} problems={problems} />
      {rights.isOwner ? (
        <>
          <fieldset class="picks" id="role">
            <legend>{t.role}</legend>
            {[...roleNames, "custom" as const].map((name) => (
              <label key={name} class="pick-row">
                <input type="radio" name="role" value={name} checked={name === role} />
                <strong>{words.roles[name]}</strong>
                <span class="muted small">{words.roleHints[name]}</span>
              </label>
            ))}
          </fieldset>
          <details open={role === "custom"}>
            <summary>{words.single}</summary>
            <PermissionTicks granted={invite.granted} canGive={() => true} />
          </details>
        </>
      ) : (
        <p class="muted small">{t.viewerOnly}</p>
      )}
    </FormCard>
  );
};

interface RowProps {
  managed: Managed;
  member: Member;
  edited: Props["edited"];
}

const MemberRow = ({ managed, member, edited }: RowProps) => {
  const t = useTexts(texts.organizations.members);
  const shared = useTexts(texts.users.shared);
  const { bracketed } = useTexts(texts.parts.common);
  const { rights, path, viewerId } = managed;
  const { id, userName, role, isOwner, accepted } = member;
  const remove = accepted ? t.remove : t.withdraw;
  return (
    <li>
      <Picture src={member.avatar} size={40} round />
      <span>
        <span>
          <a href={`/user/${userName}`}>{userName}</a>
          {member.userId === viewerId && <span class="muted"> {bracketed(t.you)}</span>}
        </span>
        <span class="muted small" dir="auto">
          {isOwner ? shared.owner : shared.role(role)}
          {!accepted && ` · ${shared.pending}`}
        </span>
      </span>
      {!isOwner && rights.permissions.has("remove_member") && member.userId !== viewerId && (
        <Form action={`${path}/members/${id}/remove`}>
          <Button kind="quiet" small aria-label={`${remove}: ${userName}`}>
            {remove}
          </Button>
        </Form>
      )}
      {!isOwner && rights.permissions.has("edit_member") && (
        <MemberForm managed={managed} member={member} edited={edited} />
      )}
    </li>
  );
};

const MemberForm = ({ managed: { rights, path }, member, edited }: RowProps) => {
  const t = useTexts(texts.organizations.members);
  const granted = edited?.granted ?? { project: member.permissions, org: member.organisationPermissions };
  const mayPassOn = rights.permissions.has("edit_member_default_permissions");
  const name = `title-${member.id}`;
  return (
    <details class="member-form" open={edited !== undefined}>
      <summary>{t.edit(member.userName)}</summary>
      <Form class="form" action={`${path}/members/${member.id}`}>
        <div class="field">
          <label for={name}>{t.roleName}</label>
          <span class="hint" id={`${name}-hint`}>
            {t.roleHint}
          </span>
          <input
            id={name}
            name="title"
            value={edited?.title ?? member.role}
            maxlength={lengths.memberRole[1]}
            aria-describedby={`${name}-hint`}
            dir="auto"
          />
        </div>
        <PermissionTicks
          granted={granted}
          canGive={(kind, permission) =>
            rights.isOwner ||
            (kind === "project" && mayPassOn && rights.defaults.has(permission as Granted["project"][number]))
          }
        />
        <Button>{t.save}</Button>
      </Form>
    </details>
  );
};
