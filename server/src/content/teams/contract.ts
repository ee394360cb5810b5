// Teams of projects and of organizations: the same routes serve both (decisions §4, earlier-service 4.10).
import Type from "typebox";
import { orgPermissionMeanings, projectPermissionMeanings } from "#content/members/permissions.js";
import { Member } from "#content/members/shapes.js";
import { needs, needsOneOf, readable } from "#platform/http/access.js";
import { endpoint } from "#platform/http/endpoint.js";
import { Choice, Described, Done, DoneWith, Id, Ref, Text } from "#platform/http/schemas.js";

const team = { teamId: Ref("Team id") };
const teamOf = Type.Object(team);
const memberOf = Type.Object({ ...team, memberId: Ref("The member's id, not the user's") });

const Role = Text("memberRole", { description: "A label; it gives no rights", examples: ["Artist"] });
const Permissions = Type.Array(Choice(projectPermissionMeanings), {
  maxItems: 32,
  description: "Permissions in the project, or by default in all projects of the organization",
});
const OrgPermissions = Type.Array(Choice(orgPermissionMeanings), {
  maxItems: 32,
  description: "Permissions in the organization; empty for a project",
});

const MemberDone = DoneWith({ data: Member });

/** A token needs the scope for the kind of team: project_write or organization_write. */
const managing = {
  access: needsOneOf("project_write", "organization_write"),
  rate: "write",
  tag: "Teams",
} as const;
const answering = { access: needs("user_write"), rate: "write", tag: "Teams" } as const;

export const getTeamMembers = endpoint({
  id: "getTeamMembers",
  method: "GET",
  path: "/api/team/:teamId/members",
  access: readable("project_read", "organization_read"),
  rate: "read",
  tag: "Teams",
  summary: "List the members of a team",
  description: "Accepted members first. Visible to everyone who can see the project or organization.",
  params: teamOf,
  answer: Type.Array(Member),
  errors: ["teamNotFound"],
});

export const inviteMember = endpoint({
  ...managing,
  id: "inviteMember",
  method: "POST",
  path: "/api/team/:teamId/invite",
  summary: "Invite a user to a team",
  description:
    "Needs manage_invites. The user has no rights before they accept. A member of the organization that the project belongs to is accepted at once and keeps their rights.",
  params: teamOf,
  body: Type.Object({ userName: Ref("Username or id", "ada") }),
  answer: MemberDone,
  errors: ["teamNotFound", "permissionMissing", "userNotFound", "alreadyMember", "alreadyOwner"],
});

export const acceptInvite = endpoint({
  ...answering,
  id: "acceptInvite",
  method: "PATCH",
  path: "/api/team/:teamId/invite",
  summary: "Accept an invitation",
  params: teamOf,
  answer: Done,
  errors: ["teamNotFound", "inviteNotFound"],
});

export const leaveTeam = endpoint({
  ...answering,
  id: "leaveTeam",
  method: "POST",
  path: "/api/team/:teamId/leave",
  summary: "Leave a team, or decline an invitation",
  description: "A user who leaves an organization also leaves the teams of its projects.",
  params: teamOf,
  answer: Done,
  errors: ["teamNotFound", "memberNotFound", "ownerStays", "wrongState"],
});

export const transferOwnership = endpoint({
  ...managing,
  id: "transferOwnership",
  method: "PATCH",
  path: "/api/team/:teamId/owner",
  summary: "Make another member the owner",
  description: "For the owner, who stays as a member without permissions.",
  params: teamOf,
  body: Type.Object({ userId: Described(Id, "Id of the member's user") }),
  answer: Done,
  errors: ["teamNotFound", "ownerOnly", "memberNotFound", "alreadyOwner", "wrongState"],
});

export const overrideMember = endpoint({
  ...managing,
  id: "overrideMember",
  method: "POST",
  path: "/api/team/:teamId/members",
  summary: "Give a member of the organization different rights in one of its projects",
  description: "Needs edit_member. Only the owner can give more than the member has by default.",
  params: teamOf,
  body: Type.Object({
    userId: Described(Id, "Id of the member's user"),
    role: Type.Optional(Role),
    permissions: Type.Optional(Permissions),
  }),
  answer: MemberDone,
  errors: ["teamNotFound", "permissionMissing", "ownerOnly", "memberNotFound", "alreadyMember", "alreadyOwner"],
});

export const editMember = endpoint({
  ...managing,
  id: "editMember",
  method: "PATCH",
  path: "/api/team/:teamId/member/:memberId",
  summary: "Change a member's role and permissions",
  description:
    "Needs edit_member. Only the owner adds permissions; in an organization, members with edit_member_default_permissions can add project permissions that they have themselves.",
  params: memberOf,
  body: Type.Object({
    role: Type.Optional(Role),
    permissions: Type.Optional(Permissions),
    organisationPermissions: Type.Optional(OrgPermissions),
  }),
  answer: MemberDone,
  errors: ["teamNotFound", "memberNotFound", "permissionMissing", "ownerOnly", "wrongState"],
});

export const removeMember = endpoint({
  ...managing,
  id: "removeMember",
  method: "DELETE",
  path: "/api/team/:teamId/member/:memberId",
  summary: "Remove a member, or withdraw an invitation",
  description: "Needs remove_member. A user who is removed from an organization also leaves the teams of its projects.",
  params: memberOf,
  answer: Done,
  errors: ["teamNotFound", "memberNotFound", "permissionMissing", "ownerOnly", "ownerStays"],
});
