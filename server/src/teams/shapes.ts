// A member as answers show him (interface §2), of a project's team or an organization's.
import Type, { type Static } from "typebox";
import { Id, ImageUrl, Named } from "../http/schemas.js";
import { orgPermissions, projectPermissions } from "./permissions.js";

export const Member = Named("Member", {
  id: Id,
  userId: Id,
  teamId: Id,
  userName: Type.String(),
  avatar: ImageUrl,
  role: Type.String(),
  isOwner: Type.Boolean(),
  accepted: Type.Boolean(),
  permissions: Type.Array(Type.Enum([...projectPermissions]), {
    description: "Empty unless the caller is a member or moderator",
  }),
  organisationPermissions: Type.Array(Type.Enum([...orgPermissions])),
});
export type Member = Static<typeof Member>;
