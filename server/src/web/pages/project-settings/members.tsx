// The members of a project: inviting, listing, and changing permissions. Irreversible actions have a confirmation page
// (member-acts.tsx).
import Type, { type Static } from "typebox";
import { projectPermissions } from "#content/members/permissions.js";
import type { UndoableMove } from "#content/organizations/move-project.js";
import { lengths } from "#lib/lengths.js";
import { type FormProblems, formFields, formLists, listOf } from "#web/context/form.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { Button, ButtonLink } from "#web/parts/button.js";
import { ChoiceBoxes } from "#web/parts/choices.js";
import { Form } from "#web/parts/form.js";
import { ProblemSummary } from "#web/parts/problem-summary.js";
import { TextField } from "#web/parts/text-field.js";
import { UndoNotice } from "#web/parts/undo-move.js";
import { InviteeField } from "#web/shared/inviting.js";
import type { SettingsView } from "#web/shared/settings-view.js";
import { MailedInvites, OfferNotice, type Waiting } from "#web/shared/waiting.js";
import { texts } from "#words/texts.js";
import { MemberList } from "./member-list.js";
import { templateNames } from "./role-templates.js";

export const below = "/settings/members";

export const pathOf = ({ project }: SettingsView): string => `${projectPath(project.slug)}${below}`;

export const inviteBody = Type.Object({
  ...formFields("userName", "template", "role").properties,
  ...formLists("permissions").properties,
});

type Invitation = Static<typeof inviteBody>;

export interface Tried {
  typed?: Invitation;
  problems?: FormProblems;
  memberProblems?: FormProblems;
}

interface Props extends Tried {
  view: SettingsView;
  ownId: string;
  waiting: Waiting;
  move: UndoableMove | undefined;
}

export const Members = ({ view, ownId, waiting, move, typed, problems, memberProblems }: Props) => {
  const t = useTexts(texts.projectSettings.member);
  const { userName } = useTexts(texts.teams.waiting);
  const canInvite = view.permissions.has("manage_invites");
  return (
    <>
      {problems && <ProblemSummary problems={problems} labels={{ userName, role: t.role }} />}
      {memberProblems && <ProblemSummary problems={memberProblems} labels={{ permissions: t.single, role: t.role }} />}
      <OfferNotice
        waiting={waiting}
        name={view.project.name}
        members={view.project.members}
        canWithdraw={view.isOwner}
      />
      <MemberList view={view} ownId={ownId} />
      {canInvite && <MailedInvites waiting={waiting} />}
      {canInvite && <InviteForm view={view} hasMail={waiting.hasMail} typed={typed} problems={problems} />}
      <Organization view={view} move={move} />
    </>
  );
};

const InviteForm = ({
  view,
  hasMail,
  typed,
  problems,
}: Pick<Props, "view" | "typed" | "problems"> & { hasMail: boolean }) => {
  const t = useTexts(texts.projectSettings.member);
  const { permissions } = useTexts(texts.projectSettings.frame);
  const { colon } = useTexts(texts.parts.common);
  return (
    <Form class="form card" action={pathOf(view)}>
      <h2>{t.inviteTitle}</h2>
      <InviteeField hasMail={hasMail} value={typed?.userName} problems={problems} />
      {view.isOwner ? (
        <>
          <fieldset class="field">
            <legend>{t.template}</legend>
            {templateNames.map((name) => {
              const { title, text } = t.templates[name];
              return (
                <label key={name} class="check">
                  <input
                    type="radio"
                    name="template"
                    value={name}
                    checked={(typed?.template ?? "publisher") === name}
                  />
                  <span>
                    <b>{title}</b>
                    {colon}
                    {text}
                  </span>
                </label>
              );
            })}
          </fieldset>
          <details open={typed?.template === "custom"}>
            <summary>{t.single}</summary>
            <ChoiceBoxes
              name="permissions"
              options={projectPermissions.map((value) => ({ value, text: permissions[value] }))}
              chosen={listOf(typed?.permissions)}
            />
          </details>
          <TextField
            name="role"
            label={t.role}
            hint={t.roleHint}
            lengths={lengths.memberRole}
            value={typed?.role}
            problems={problems}
          />
        </>
      ) : (
        <p class="hint">{t.ownerGives}</p>
      )}
      <Button>{t.invite}</Button>
    </Form>
  );
};

const Organization = ({ view: { project, isOwner }, move }: Pick<Props, "view" | "move">) => {
  const t = useTexts(texts.projectSettings.member);
  const path = `${projectPath(project.slug)}/settings/move`;
  const { organisation: org } = project;
  return (
    <section class="card stack">
      <h2>{t.orgTitle}</h2>
      <p dir="auto">{org ? t.inOrg(org.name) : t.notInOrg}</p>
      {move && <UndoNotice move={move} />}
      {isOwner && (
        <p>
          <ButtonLink kind="quiet" href={path}>
            {org ? t.takeOut : t.move}
          </ButtonLink>
        </p>
      )}
    </section>
  );
};
