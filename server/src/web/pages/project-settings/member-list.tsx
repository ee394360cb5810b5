// The members of a project's team, and the members of its organization.

import { projectPermissions } from "#content/members/permissions.js";
import type { Member } from "#content/members/shapes.js";
import { lengths } from "#lib/lengths.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { Button, ButtonLink } from "#web/parts/button.js";
import { ChoiceBoxes } from "#web/parts/choices.js";
import { Form } from "#web/parts/form.js";
import { Picture } from "#web/parts/picture.js";
import type { SettingsView } from "#web/shared/settings-view.js";
import { texts } from "#words/texts.js";

interface Props {
  view: SettingsView;
  ownId: string;
}

export const MemberList = ({ view, ownId }: Props) => {
  const t = useTexts(texts.projectSettings.member);
  const { members, organisation: org } = view.project;
  const ofOrg = org?.members.filter(
    ({ accepted, userId }) => accepted && !members.some((own) => own.userId === userId),
  );
  return (
    <>
      {members.length === 0 ? (
        <p>{t.noTeam}</p>
      ) : (
        <ul class="rows">
          {members.map((member) => (
            <MemberRow key={member.id} view={view} member={member} isOwn={member.userId === ownId} />
          ))}
        </ul>
      )}
      {org && ofOrg && ofOrg.length > 0 && (
        <section class="stack">
          <h2 dir="auto">{t.fromOrg(org.name)}</h2>
          <p>
            {t.fromOrgText} <a href={`/organization/${org.slug}/settings/members`}>{t.toOrg}</a>
          </p>
          <ul class="rows">
            {ofOrg.map((member) => (
              <li key={member.id} class="card row">
                <Who member={member} isOwn={member.userId === ownId} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
};

const Who = ({ member, isOwn }: { member: Member; isOwn: boolean }) => {
  const t = useTexts(texts.projectSettings.member);
  const shared = useTexts(texts.users.shared);
  const { bracketed } = useTexts(texts.parts.common);
  return (
    <>
      <Picture src={member.avatar} size={40} round />
      <div class="grow">
        <h3>
          <a href={`/user/${member.userName}`}>{member.userName}</a>
          {isOwn && <span class="muted"> {bracketed(t.you)}</span>}
        </h3>
        <p class="small muted" dir="auto">
          {member.isOwner ? t.owner : shared.role(member.role)}
          {!member.accepted && ` · ${t.pending}`}
        </p>
      </div>
    </>
  );
};

interface RowProps {
  view: SettingsView;
  member: Member;
  isOwn: boolean;
}

const MemberRow = ({ view, member, isOwn }: RowProps) => {
  const t = useTexts(texts.projectSettings.member);
  const { isOwner, permissions, project } = view;
  const path = `${projectPath(project.slug)}/settings/members/${member.id}`;
  const canEdit = permissions.has("edit_member") && !member.isOwner;
  const canRemove = permissions.has("remove_member") && !member.isOwner && !isOwn;
  const canTransfer = isOwner && member.accepted && !member.isOwner && project.orgId === null;
  return (
    <li class="card stack">
      <div class="row">
        <Who member={member} isOwn={isOwn} />
        <div class="actions">
          {canTransfer && (
            <ButtonLink kind="quiet" small href={`${path}/transfer`}>
              {t.transfer}
            </ButtonLink>
          )}
          {canRemove && (
            <ButtonLink kind="quiet" small href={`${path}/remove`}>
              {member.accepted ? t.remove : t.takeBack}
            </ButtonLink>
          )}
          {isOwn && !member.isOwner && (
            <ButtonLink kind="quiet" small href={`${projectPath(project.slug)}/settings/leave`}>
              {t.leave}
            </ButtonLink>
          )}
        </div>
      </div>
      {canEdit && <EditMember member={member} action={path} />}
      {!canEdit && !member.isOwner && <Permissions member={member} />}
    </li>
  );
};

const Permissions = ({ member }: { member: Member }) => {
  const t = useTexts(texts.projectSettings.frame);
  if (member.permissions.length === 0) return null;
  return (
    <ul class="tags">
      {member.permissions.map((permission) => (
        <li key={permission}>{t.permissions[permission]}</li>
      ))}
    </ul>
  );
};

const EditMember = ({ member, action }: { member: Member; action: string }) => {
  const t = useTexts(texts.projectSettings.member);
  const { permissions } = useTexts(texts.projectSettings.frame);
  return (
    <details>
      <summary>{t.edit}</summary>
      <Form class="form" action={action}>
        <div class="field">
          <label for={`role-${member.id}`}>{t.role}</label>
          <input
            id={`role-${member.id}`}
            name="role"
            value={member.role}
            maxlength={lengths.memberRole[1]}
            autocomplete="off"
            dir="auto"
          />
        </div>
        <fieldset class="field">
          <legend>{t.single}</legend>
          <ChoiceBoxes
            name="permissions"
            options={projectPermissions.map((value) => ({ value, text: permissions[value] }))}
            chosen={member.permissions}
          />
        </fieldset>
        <Button>{t.save}</Button>
      </Form>
    </details>
  );
};
