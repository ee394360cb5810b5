// What moderators see of a user and do about him.
import Type, { type Static } from "typebox";
import { moderators, needs, sessionOnly } from "../http/access.js";
import { endpoint } from "../http/endpoint.js";
import { Done, Line, Named, Nullable, Ref, Timestamp } from "../http/schemas.js";
import { User } from "../users/contract.js";

const shared = { tag: "Moderation" } as const;
const ref = Type.Object({ ref: Ref("Id or user name, in any case", "ada") });

export const ModeratedUser = Named("ModeratedUser", {
  user: User,
  suspension: Nullable(Type.Object({ dateSuspended: Timestamp, reason: Type.String() })),
  projects: Type.Integer(),
  reports: Type.Object(
    { made: Type.Integer(), open: Type.Integer(), actionTaken: Type.Integer() },
    { description: "That he made" },
  ),
  cases: Type.Object({ open: Type.Integer(), closed: Type.Integer() }, { description: "About him or his projects" }),
  decisions: Type.Object(
    { approved: Type.Integer(), turnedDown: Type.Integer() },
    { description: "About projects that he owns" },
  ),
});
export type ModeratedUser = Static<typeof ModeratedUser>;

export const getModeratedUser = endpoint({
  ...shared,
  id: "getModeratedUser",
  method: "GET",
  path: "/api/moderation/user/:ref",
  access: moderators(needs("user_read")),
  rate: "read",
  summary: "See what moderators should know of a user",
  description: "For moderators.",
  params: ref,
  answer: ModeratedUser,
  errors: ["userNotFound"],
});

export const suspendUser = endpoint({
  ...shared,
  id: "suspendUser",
  method: "POST",
  path: "/api/moderation/user/:ref/suspension",
  access: moderators(sessionOnly("user_auth_write")),
  rate: "write",
  summary: "Suspend a user",
  description:
    "For moderators; administrators also suspend moderators. No session and no token of his works from now on. What he published stays. An administrator can be suspended from the command line only.",
  params: ref,
  body: Type.Object({ reason: Line("moderationReason", { examples: ["Publishes others' work again and again"] }) }),
  answer: Done,
  errors: ["userNotFound", "staffProtected", "wrongState"],
});

export const unsuspendUser = endpoint({
  ...shared,
  id: "unsuspendUser",
  method: "DELETE",
  path: "/api/moderation/user/:ref/suspension",
  access: moderators(sessionOnly("user_auth_write")),
  rate: "write",
  summary: "End a suspension",
  params: ref,
  answer: Done,
  errors: ["userNotFound", "staffProtected", "wrongState"],
});
