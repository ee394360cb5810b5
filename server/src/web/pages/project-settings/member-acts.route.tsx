// The routes of the page in member-acts.tsx.
import Type from "typebox";
import { isFresh } from "#accounts/users/policy.js";
import type { Member } from "#content/members/shapes.js";
import { leaveTeam } from "#content/teams/invitations.js";
import { removeMember } from "#content/teams/members.js";
import { offerOwnership } from "#content/teams/ownership.js";
import { type Tx, write } from "#platform/changes/write.js";
import { fail } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import { Ref } from "#platform/http/schemas.js";
import { attempt, type FormProblems } from "#web/context/form.js";
import { seeOther } from "#web/context/paths.js";
import { projectPath } from "#web/context/project-path.js";
import { FreshNeeded } from "#web/parts/fresh-needed.js";
import type { SettingsView } from "#web/shared/settings-view.js";
import { texts, textsIn } from "#words/texts.js";
import { ConfirmMemberAct } from "./member-acts.js";
import { backTo, type SettingsCall, settingsFormRoute, settingsPageRoute } from "./settings-page.js";

const membersPath = ({ project }: SettingsView): string => `${projectPath(project.slug)}/settings/members`;

const memberParams = { memberId: Ref("Member id") };

function memberOf({ project }: SettingsView, { params }: SettingsCall): Member {
  const member = project.members.find(({ id }) => id === params.memberId);
  if (!member) throw fail.memberNotFound();
  return member;
}

const change = (resources: Resources, { actor }: SettingsCall, work: (tx: Tx) => Promise<void>) =>
  attempt(() => write(resources, actor, work), { wrongState: "confirm", ownerStays: "confirm" });

const nothing = Type.Object({});

export const memberActRoutes = [
  settingsPageRoute(
    {
      id: "getRemoveMemberPage",
      below: "/settings/members/:memberId/remove",
      params: memberParams,
      summary: "Ask for confirmation before a member is removed",
    },
    async (view, call) => removal(view, call),
  ),
  settingsFormRoute(
    {
      id: "submitRemoveMember",
      once: true,
      below: "/settings/members/:memberId/remove",
      params: memberParams,
      summary: "Remove a member from a project's team",
      body: nothing,
    },
    async (view, call, resources) => {
      const problems = await change(resources, call, (tx) =>
        removeMember(tx, call.viewer, view.project.teamId, call.params.memberId!),
      );
      return problems ? removal(view, call, problems) : backTo(call.reply, undefined, membersPath(view));
    },
  ),

  settingsPageRoute(
    {
      id: "getTransferPage",
      below: "/settings/members/:memberId/transfer",
      params: memberParams,
      summary: "Ask for confirmation before a project is transferred",
    },
    async (view, call, { clock }) => transfer(view, call, isFresh(call.viewer, clock.now())),
  ),
  settingsFormRoute(
    {
      id: "submitTransfer",
      once: true,
      below: "/settings/members/:memberId/transfer",
      params: memberParams,
      summary: "Offer a project to another member",
      body: nothing,
    },
    async (view, call, resources) => {
      if (!isFresh(call.viewer, resources.clock.now())) return { ...transfer(view, call, false), status: 403 };
      const { userId } = memberOf(view, call);
      const problems = await change(resources, call, (tx) =>
        offerOwnership(tx, call.viewer, view.project.teamId, userId),
      );
      return problems ? transfer(view, call, true, problems) : backTo(call.reply, undefined, membersPath(view));
    },
  ),

  settingsPageRoute(
    { id: "getLeavePage", below: "/settings/leave", summary: "Ask for confirmation before a member leaves" },
    async (view, call) => leaving(view, call),
  ),
  settingsFormRoute(
    { id: "submitLeave", once: true, below: "/settings/leave", summary: "Leave a project's team", body: nothing },
    async (view, call, resources) => {
      const problems = await change(resources, call, (tx) => leaveTeam(tx, call.viewer, view.project.teamId));
      return problems ? leaving(view, call, problems) : seeOther(call.reply, "/dashboard/projects?done=left");
    },
  ),
];

function removal(view: SettingsView, call: SettingsCall, problems?: FormProblems) {
  const member = memberOf(view, call);
  const t = textsIn(texts.projectSettings.member, call.locale);
  return {
    title: t.removeTitle(member.userName),
    status: problems?.status,
    content: (
      <ConfirmMemberAct
        action={`${membersPath(view)}/${member.id}/remove`}
        back={membersPath(view)}
        button={t.removeButton}
        problems={problems}
      >
        {t.removeText}
      </ConfirmMemberAct>
    ),
  };
}

function transfer(view: SettingsView, call: SettingsCall, fresh: boolean, problems?: FormProblems) {
  const member = memberOf(view, call);
  const t = textsIn(texts.projectSettings.member, call.locale);
  const action = `${membersPath(view)}/${member.id}/transfer`;
  return {
    title: t.transferTitle(member.userName),
    status: problems?.status,
    content: fresh ? (
      <ConfirmMemberAct action={action} back={membersPath(view)} button={t.transferButton} problems={problems}>
        {t.transferText}
      </ConfirmMemberAct>
    ) : (
      <FreshNeeded next={action} />
    ),
  };
}

function leaving(view: SettingsView, call: SettingsCall, problems?: FormProblems) {
  const t = textsIn(texts.projectSettings.member, call.locale);
  return {
    title: t.leaveTitle,
    status: problems?.status,
    content: (
      <ConfirmMemberAct
        action={`${projectPath(view.project.slug)}/settings/leave`}
        back={membersPath(view)}
        button={t.leaveButton}
        problems={problems}
      >
        {t.leaveText}
      </ConfirmMemberAct>
    ),
  };
}
