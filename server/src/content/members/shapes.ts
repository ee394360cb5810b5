// A member of a project's or an organization's team, as answers show it (interface §2).
import Type, { type Static } from "typebox";
import { Choice, Described, Id, ImageUrl, Named } from "#platform/http/schemas.js";
import { orgPermissionMeanings, projectPermissionMeanings } from "./permissions.js";

export const Member = Named(
  "Member",
  {
    id: Described(Id, "Id of the membership"),
    userId: Described(Id, "Id of the user"),
    teamId: Described(Id, "Id of the team"),
    userName: Type.String({ description: "Username" }),
    avatar: Described(ImageUrl, "URL of the user's picture"),
    role: Type.String({ description: "A label such as Owner or Artist; it gives no rights" }),
    isOwner: Type.Boolean({ description: "Whether this member owns the project or organization" }),
    accepted: Type.Boolean({ description: "Whether the user has accepted the invitation" }),
    permissions: Type.Array(Choice(projectPermissionMeanings), {
      description: "Permissions in projects; empty unless the caller is a member or moderator",
    }),
    organisationPermissions: Type.Array(Choice(orgPermissionMeanings), {
      description: "Permissions in the organization; empty in teams of projects",
    }),
  },
  { description: "A member of the team of a project or an organization" },
);
export type Member = Static<typeof Member>;
