// Routes of teams, their members and invitations.

import { getMember, listMembers, membersFor } from "#content/members/read.js";
import { write } from "#platform/changes/write.js";
import { fail } from "#platform/errors.js";
import { type Route, route } from "#platform/http/endpoint.js";
import { done } from "#platform/http/schemas.js";
import { answerInvite, leaveOrDecline } from "./answer-invitation.js";
import * as contract from "./contract.js";
import { invite } from "./invitations.js";
import { editMember, overrideMember, removeMember } from "./members.js";
import { transferOwnership } from "./ownership.js";
import { findVisibleTeam } from "./read.js";

export const teamRoutes: Route[] = [
  route(contract.getTeamMembers, async ({ params, viewer }, { db, config }) => {
    const team = await findVisibleTeam(db, viewer, params.teamId);
    if (!team) throw fail.teamNotFound();
    const teams = await listMembers(db, [team.id, team.org?.teamId ?? team.id], config.http.cdnUrl);
    return membersFor(viewer, teams.get(team.id) ?? [], [...teams.values()].flat());
  }),

  route(contract.inviteMember, async ({ params, body, viewer, actor }, resources) => {
    const data = await write(resources, actor, async (tx) => {
      const memberId = await invite(tx, viewer, params.teamId, body.userName);
      return getMember(tx.db, memberId, resources.config.http.cdnUrl);
    });
    return { ...done(data.accepted ? "Member added" : "Invitation sent"), data };
  }),

  route(contract.acceptInvite, async ({ params, viewer, actor }, resources) => {
    await write(resources, actor, (tx) => answerInvite(tx, viewer, params.teamId, true));
    return done("You have joined the team");
  }),

  route(contract.leaveTeam, async ({ params, viewer, actor }, resources) => {
    await write(resources, actor, (tx) => leaveOrDecline(tx, viewer, params.teamId));
    return done("You have left the team");
  }),

  route(contract.transferOwnership, async ({ params, body, viewer, actor }, resources) => {
    await write(resources, actor, (tx) => transferOwnership(tx, viewer, params.teamId, body.userId));
    return done("Ownership transferred");
  }),

  route(contract.overrideMember, async ({ params, body, viewer, actor }, resources) => {
    const { userId, role = "Member", permissions = [] } = body;
    const data = await write(resources, actor, async (tx) => {
      const memberId = await overrideMember(tx, viewer, params.teamId, { userId, role, permissions });
      return getMember(tx.db, memberId, resources.config.http.cdnUrl);
    });
    return { ...done("Member added"), data };
  }),

  route(contract.editMember, async ({ params, body, viewer, actor }, resources) => {
    const data = await write(resources, actor, async (tx) => {
      await editMember(tx, viewer, params.teamId, params.memberId, body);
      return getMember(tx.db, params.memberId, resources.config.http.cdnUrl);
    });
    return { ...done("Member saved"), data };
  }),

  route(contract.removeMember, async ({ params, viewer, actor }, resources) => {
    await write(resources, actor, (tx) => removeMember(tx, viewer, params.teamId, params.memberId));
    return done("Member removed");
  }),
];
