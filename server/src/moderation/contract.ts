// What moderators decide about projects (earlier-service 4.15, decisions §5), and what authors see of it.
import Type, { type Static } from "typebox";
import { moderators, needs, open } from "../http/access.js";
import { endpoint } from "../http/endpoint.js";
import { Done, Id, ImageUrl, Named, Nullable, Text, Timestamp } from "../http/schemas.js";
import { projectRef } from "../projects/contract.js";
import { Status, VisibilityOf } from "../projects/shapes.js";
import { reasonIds } from "./reasons.js";
import { Claim, MaybeClaim, page } from "./shapes.js";

const shared = { tag: "Moderation" } as const;
const ReasonOf = Type.Enum([...reasonIds], { description: "Class of the reason; see /api/moderation/reasons" });
const Wait = Nullable(
  Type.Integer({ description: "Seconds; the median of the last 100 decisions within 90 days, null before the first" }),
);

export const ModerationItem = Named("ModerationItem", {
  id: Id,
  slug: Type.String(),
  name: Type.String(),
  summary: Type.String(),
  type: Type.Array(Type.String()),
  icon: Nullable(ImageUrl),
  downloads: Type.Integer(),
  followers: Type.Integer(),
  dateQueued: Timestamp,
  status: Status,
  requestedStatus: Nullable(Type.Literal("approved")),
  visibility: VisibilityOf,
  author: Type.Object({
    name: Type.String(),
    slug: Type.String(),
    icon: Nullable(ImageUrl),
    isOrg: Type.Boolean(),
  }),
  position: Type.Integer({ description: "In the queue, beginning with 1" }),
  decisions: Type.Integer({ description: "How often it was decided about before" }),
  claim: MaybeClaim,
});
export type ModerationItem = Static<typeof ModerationItem>;

export const getModerationQueue = endpoint({
  ...shared,
  id: "getModerationQueue",
  method: "GET",
  path: "/api/moderation/projects",
  access: moderators(needs("project_read")),
  rate: "search",
  summary: "List projects that wait for review, the longest waiting first",
  description: "For moderators.",
  query: Type.Object({
    type: Type.Optional(
      Type.String({
        pattern: "^[a-z0-9][a-z0-9_+.-]{0,63}$",
        description: "Only those of this project type",
        examples: ["mod"],
        "x-problem": "must be a project type",
      }),
    ),
    claimed: Type.Optional(
      Type.Enum(["any", "free", "mine"], { default: "any", description: "free: in nobody else's hand" }),
    ),
    ...page,
  }),
  answer: Type.Array(ModerationItem),
});

const DecisionReason = Named("DecisionReason", {
  id: ReasonOf,
  title: Type.String(),
  statuses: Type.Array(Status, { description: "The decisions it can stand behind" }),
  message: Type.String({ description: "To begin the message with" }),
});

export const getDecisionReasons = endpoint({
  ...shared,
  id: "getDecisionReasons",
  method: "GET",
  path: "/api/moderation/reasons",
  access: open,
  rate: "read",
  summary: "List the reasons of decisions",
  cacheControl: "public, max-age=300",
  answer: Type.Array(DecisionReason),
});

export const getModerationSummary = endpoint({
  ...shared,
  id: "getModerationSummary",
  method: "GET",
  path: "/api/moderation",
  access: moderators(needs("project_read")),
  rate: "search",
  summary: "See how much there is to do",
  description: "For moderators.",
  answer: Named("ModerationSummary", {
    queueLength: Type.Integer(),
    oldestQueued: Nullable(Timestamp),
    medianWaitSeconds: Wait,
    openCases: Type.Integer(),
    urgentCases: Type.Integer(),
    standingQuarantines: Type.Integer(),
    claims: Type.Array(Type.Object({ kind: Type.Enum(["project", "report"]), id: Id, dateExpires: Timestamp }), {
      description: "What you have in hand",
    }),
  }),
});

export const setProjectStatus = endpoint({
  ...shared,
  id: "setProjectStatus",
  method: "POST",
  path: "/api/moderation/project/:ref",
  access: moderators(needs("project_write")),
  rate: "write",
  summary: "Decide about a project",
  description:
    "For moderators. The message goes into the project's thread, and its owner is notified. What another moderator has in hand is his to decide.",
  params: projectRef,
  body: Type.Object({
    status: Status,
    reason: Type.Optional(Nullable(ReasonOf)),
    message: Type.Optional(Nullable(Text("threadMessage"))),
  }),
  answer: Type.Object({ success: Type.Literal(true), message: Type.String(), status: Status }),
  errors: ["projectNotFound", "claimed", "wrongState"],
});

export const claimProject = endpoint({
  ...shared,
  id: "claimProject",
  method: "POST",
  path: "/api/moderation/project/:ref/claim",
  access: moderators(needs("project_write")),
  rate: "write",
  summary: "Take a project of the queue in hand",
  description: "For moderators. For 30 minutes nobody else decides about it; the same call again holds it longer.",
  params: projectRef,
  answer: Type.Object({ ...Done.properties, claim: Claim }),
  errors: ["projectNotFound", "claimed", "wrongState"],
});

export const releaseProject = endpoint({
  ...shared,
  id: "releaseProject",
  method: "DELETE",
  path: "/api/moderation/project/:ref/claim",
  access: moderators(needs("project_write")),
  rate: "write",
  summary: "Let go of a project",
  description: "For whoever has it in hand, and administrators.",
  params: projectRef,
  answer: Done,
  errors: ["projectNotFound", "claimed", "wrongState"],
});

export const ProjectReview = Named("ProjectReview", {
  status: Status,
  dateQueued: Nullable(Timestamp),
  position: Nullable(Type.Integer({ description: "In the queue, beginning with 1; null where it is not in review" })),
  queueLength: Type.Integer(),
  medianWaitSeconds: Wait,
  threadId: Nullable(Id),
  history: Type.Array(
    Named("Decision", {
      status: Status,
      reason: Nullable(ReasonOf),
      problems: Type.Array(ReasonOf, { description: "What has to be mended" }),
      message: Type.String(),
      dateDecided: Timestamp,
      moderatorId: Type.Optional(Nullable(Type.String({ description: "For moderators" }))),
    }),
    { description: "The last twenty decisions, newest first" },
  ),
});
export type ProjectReview = Static<typeof ProjectReview>;

export const getProjectReview = endpoint({
  ...shared,
  id: "getProjectReview",
  method: "GET",
  path: "/api/project/:ref/review",
  access: needs("project_read"),
  rate: "read",
  summary: "See how far the review of your project is",
  description:
    "For members of the project and moderators: its place in the queue, how long reviews take, and past decisions.",
  params: projectRef,
  answer: ProjectReview,
  errors: ["projectNotFound", "membersOnly"],
});
