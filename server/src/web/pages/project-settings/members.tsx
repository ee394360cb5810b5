// Who works on a project: invite, see and change what each may do. What ends something is asked about on a page of its own
// (member-acts.tsx).

import Type, { type Static } from "typebox";
import { projectPermissions } from "#content/members/permissions.js";
import { findUndoableMove, type UndoableMove } from "#content/organizations/move-project.js";
import * as contract from "#content/teams/contract.js";
import { editMember } from "#content/teams/members.js";
import { lengths } from "#lib/lengths.js";
import { write } from "#platform/changes/write.js";
import type { Resources } from "#platform/http/resources.js";
import { Ref } from "#platform/http/schemas.js";
import { parse } from "#platform/http/validation.js";
import { attempt, type FormProblems, formFields, formLists, listOf } from "#web/context/form.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { Button, ButtonLink } from "#web/parts/button.js";
import { ChoiceBoxes } from "#web/parts/choices.js";
import { Form } from "#web/parts/form.js";
import { ProblemSummary } from "#web/parts/problem-summary.js";
import { TextField } from "#web/parts/text-field.js";
import { UndoNotice } from "#web/parts/undo-move.js";
import { inviteFields, inviteFromPage, WhomField } from "#web/shared/inviting.js";
import type { SettingsView } from "#web/shared/settings-view.js";
import { loadWaiting, MailedInvites, OfferNotice, type Waiting } from "#web/shared/waiting.js";
import { texts, textsIn } from "#words/texts.js";
import { MemberList } from "./member-list.js";
import { permissionsFor, templateNames } from "./role-templates.js";
import { backTo, type SettingsCall, settingsFormRoute, settingsPageRoute } from "./settings-page.js";

const below = "/settings/members";
const pathOf = ({ project }: SettingsView): string => `${projectPath(project.slug)}${below}`;

const inviteBody = Type.Object({
  ...formFields("userName", "template", "role").properties,
  ...formLists("permissions").properties,
});
type Invitation = Static<typeof inviteBody>;

const memberBody = Type.Object({ ...formFields("role").properties, ...formLists("permissions").properties });

export const memberRoutes = [
  settingsPageRoute(
    { id: "getMemberSettingsPage", below, summary: "Who works on a project" },
    (view, call, resources) => shown(view, call, resources),
  ),

  settingsFormRoute(
    { id: "submitInvitation", once: true, below, summary: "Invite a user to a project's team", body: inviteBody },
    async (view, call, resources) => {
      const typed = call.body;
      const problems = await attempt(async () => {
        // Permissions are the owner's to give; of others nothing but the invitation is asked.
        const edit = view.isOwner && {
          permissions: permissionsFor(typed.template, listOf(typed.permissions)),
          ...(typed.role?.trim() && { role: typed.role.trim() }),
        };
        if (edit) parse("body", contract.editMember.body, { ...edit }, "body");
        await inviteFromPage(resources, call, view.project.teamId, typed.userName ?? "", edit || undefined);
      }, inviteFields);
      if (!problems) return backTo(call.reply, undefined, pathOf(view));
      return shown(view, call, resources, { typed, problems });
    },
  ),

  settingsFormRoute(
    {
      id: "submitMember",
      below: `${below}/:memberId`,
      params: { memberId: Ref("Member id") },
      summary: "Change a member of a project's team",
      body: memberBody,
    },
    async (view, call, resources) => {
      const given = { role: call.body.role?.trim() ?? "", permissions: listOf(call.body.permissions) };
      const problems = await attempt(
        async () => {
          const edit = parse<{ role: string; permissions: (typeof projectPermissions)[number][] }>(
            "body",
            contract.editMember.body,
            { ...given },
            "body",
          );
          const { memberId } = call.params;
          await write(resources, call.actor, (tx) => editMember(tx, call.viewer, view.project.teamId, memberId!, edit));
        },
        { ownerOnly: "permissions", wrongState: "permissions" },
      );
      if (!problems) return backTo(call.reply, undefined, pathOf(view));
      return shown(view, call, resources, { memberProblems: problems });
    },
  ),
];

interface Tried {
  typed?: Invitation;
  problems?: FormProblems;
  memberProblems?: FormProblems;
}

async function shown(view: SettingsView, { viewer, locale }: SettingsCall, resources: Resources, tried: Tried = {}) {
  const { project } = view;
  const { db, clock } = resources;
  const waiting = await loadWaiting(resources, project.teamId, pathOf(view));
  const move = await findUndoableMove(db, viewer.user.id, project.id, clock.now());
  return {
    title: textsIn(texts.projectSettings.frame, locale).members,
    status: (tried.problems ?? tried.memberProblems)?.status,
    scripts: ["suggest"] as const,
    content: <Members view={view} ownId={viewer.user.id} waiting={waiting} move={move} {...tried} />,
  };
}

interface Props extends Tried {
  view: SettingsView;
  ownId: string;
  waiting: Waiting;
  move: UndoableMove | undefined;
}

const Members = ({ view, ownId, waiting, move, typed, problems, memberProblems }: Props) => {
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
  return (
    <Form class="form card" action={pathOf(view)}>
      <h2>{t.inviteTitle}</h2>
      <WhomField hasMail={hasMail} value={typed?.userName} problems={problems} />
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
                    <b>{title}</b>: {text}
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
