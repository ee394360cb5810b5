// The routes of the page in members.tsx.
import Type from "typebox";
import type { projectPermissions } from "#content/members/permissions.js";
import { findUndoableMove } from "#content/organizations/move-project.js";
import * as contract from "#content/teams/contract.js";
import { editMember } from "#content/teams/members.js";
import { write } from "#platform/changes/write.js";
import type { Resources } from "#platform/http/resources.js";
import { Ref } from "#platform/http/schemas.js";
import { parse } from "#platform/http/validation.js";
import { attempt, formFields, formLists, listOf } from "#web/context/form.js";
import { inviteFields, inviteFromPage } from "#web/shared/inviting.js";
import type { SettingsView } from "#web/shared/settings-view.js";
import { loadWaiting } from "#web/shared/waiting.js";
import { texts, textsIn } from "#words/texts.js";
import { below, inviteBody, Members, pathOf, type Tried } from "./members.js";
import { permissionsFor } from "./role-templates.js";
import { backTo, type SettingsCall, settingsFormRoute, settingsPageRoute } from "./settings-page.js";

const memberBody = Type.Object({ ...formFields("role").properties, ...formLists("permissions").properties });

export const memberRoutes = [
  settingsPageRoute(
    { id: "getMemberSettingsPage", below, summary: "The members of a project" },
    (view, call, resources) => shown(view, call, resources),
  ),

  settingsFormRoute(
    { id: "submitInvitation", once: true, below, summary: "Invite a user to a project's team", body: inviteBody },
    async (view, call, resources) => {
      const typed = call.body;
      const problems = await attempt(async () => {
        // Only the owner gives permissions; other members can only invite.
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
