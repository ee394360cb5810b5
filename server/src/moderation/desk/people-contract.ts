// The API of moderators' views of a user and actions on them.
import Type, { type Static } from "typebox";
import { User } from "#accounts/users/contract.js";
import { moderators, needs, sessionOnly } from "#platform/http/access.js";
import { endpoint } from "#platform/http/endpoint.js";
import { Described, Done, Line, Named, Nullable, Ref, Timestamp } from "#platform/http/schemas.js";

const shared = { tag: "Moderation" } as const;
const ref = Type.Object({ ref: Ref("Id or username, in any case", "ada") });

export const ModeratedUser = Named(
  "ModeratedUser",
  {
    user: User,
    suspension: Nullable(
      Type.Object({
        dateSuspended: Described(Timestamp, "Since when"),
        reason: Type.String({ description: "Why" }),
      }),
      "The suspension in force; null where there is none",
    ),
    projects: Type.Integer({ description: "How many projects the user works on" }),
    reports: Type.Object(
      {
        made: Type.Integer({ description: "All" }),
        open: Type.Integer({ description: "Still open" }),
        actionTaken: Type.Integer({ description: "That led to something" }),
      },
      { description: "Reports that the user made" },
    ),
    cases: Type.Object(
      { open: Type.Integer({ description: "Still open" }), closed: Type.Integer({ description: "Closed" }) },
      { description: "Cases about the user or their projects" },
    ),
    decisions: Type.Object(
      { approved: Type.Integer({ description: "Approvals" }), turnedDown: Type.Integer({ description: "Refusals" }) },
      { description: "Decisions about projects that the user owns" },
    ),
  },
  { description: "A user as moderators see them" },
);
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
    "For moderators; administrators also suspend moderators. The user's sessions and tokens stop working immediately; their published content stays. An administrator can be suspended from the command line only.",
  params: ref,
  body: Type.Object({
    reason: Line("moderationReason", {
      description: "Why; the user is told",
      examples: ["Publishes others' work again and again"],
    }),
  }),
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
