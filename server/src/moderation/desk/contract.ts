// Decisions of moderators about projects (earlier-service 4.15, decisions §5), and the part of them that authors see.

import Type, { type Static } from "typebox";
import { projectRef } from "#content/projects/contract.js";
import { Status, VisibilityOf } from "#content/shapes/project.js";
import { moderators, needs, open } from "#platform/http/access.js";
import { endpoint } from "#platform/http/endpoint.js";
import {
  Choice,
  Described,
  Done,
  DoneWith,
  Id,
  ImageUrl,
  Named,
  Nullable,
  Text,
  Timestamp,
} from "#platform/http/schemas.js";
import { say } from "#words/said.js";
import { reasonTitles } from "./reasons.js";
import { Claim, MaybeClaim, page } from "./shapes.js";

const shared = { tag: "Moderation" } as const;
const ReasonOf = Choice(reasonTitles, { description: "Class of the reason; see getDecisionReasons" });
const Wait = Nullable(
  Type.Integer({ description: "Seconds; the median of the last 100 decisions within 90 days, null before the first" }),
);

export const ModerationItem = Named(
  "ModerationItem",
  {
    id: Described(Id, "Id of the project"),
    slug: Type.String({ description: "Name in addresses" }),
    name: Type.String({ description: "Name of the project" }),
    summary: Type.String({ description: "The meaning, in a sentence" }),
    type: Type.Array(Type.String(), { description: "Project types" }),
    icon: Nullable(ImageUrl, "Address of the icon; null where there is none"),
    downloads: Type.Integer({ description: "Downloads of all versions together" }),
    followers: Type.Integer({ description: "How many users follow it" }),
    dateQueued: Described(Timestamp, "Since when it waits"),
    status: Status,
    requestedStatus: Nullable(Type.Literal("approved"), "The status that was asked for"),
    visibility: VisibilityOf,
    author: Type.Object(
      {
        name: Type.String({ description: "Name" }),
        slug: Type.String({ description: "Username, or the organization's slug" }),
        icon: Nullable(ImageUrl, "Address of the picture; null where there is none"),
        isOrg: Type.Boolean({ description: "Whether it is an organization" }),
      },
      { description: "The user or organization that owns the project" },
    ),
    position: Type.Integer({ description: "In the queue, beginning with 1" }),
    decisions: Type.Integer({ description: "How often it was decided about before" }),
    claim: MaybeClaim,
  },
  { description: "A project that waits for review" },
);
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
        "x-problem": say.problems.projectType,
      }),
    ),
    claimed: Type.Optional(
      Choice(
        { any: "All", free: "Not claimed by another moderator", mine: "Claimed by you" },
        { default: "any", description: "Which ones, by who works on them" },
      ),
    ),
    ...page,
  }),
  answer: Type.Array(ModerationItem),
});

const DecisionReason = Named(
  "DecisionReason",
  {
    id: ReasonOf,
    title: Type.String({ description: "The reason in words" }),
    statuses: Type.Array(Status, { description: "Statuses that it can be given for" }),
    message: Type.String({ description: "A sentence to begin the message with" }),
  },
  { description: "A reason that a decision can have" },
);

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
  answer: Named(
    "ModerationSummary",
    {
      queueLength: Type.Integer({ description: "Projects that wait for review" }),
      oldestQueued: Nullable(Timestamp, "Since when the oldest of them waits; null where none does"),
      medianWaitSeconds: Wait,
      openCases: Type.Integer({ description: "Cases with open reports" }),
      urgentCases: Type.Integer({ description: "Cases with reports of malicious content" }),
      standingQuarantines: Type.Integer({ description: "Quarantines in force" }),
      claims: Type.Array(
        Type.Object({
          kind: Choice(
            { project: "A project of the queue", report: "A case" },
            { description: "The type of the object" },
          ),
          id: Described(Id, "Id of the project or case"),
          dateExpires: Described(Timestamp, "When the claim ends by itself"),
        }),
        { description: "Your claims" },
      ),
    },
    { description: "How much there is to do" },
  ),
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
    "For moderators. The message goes into the project's thread, and its owner is notified. A project that another moderator has claimed is refused.",
  params: projectRef,
  body: Type.Object({
    status: Status,
    reason: Type.Optional(Nullable(ReasonOf)),
    message: Type.Optional(Nullable(Text("threadMessage"), "The message to the owner, in the project's thread")),
  }),
  answer: DoneWith({ status: Status }),
  errors: ["projectNotFound", "claimed", "wrongState"],
});

export const claimProject = endpoint({
  ...shared,
  id: "claimProject",
  method: "POST",
  path: "/api/moderation/project/:ref/claim",
  access: moderators(needs("project_write")),
  rate: "write",
  summary: "Claim a project of the queue",
  description:
    "For moderators. For 30 minutes no other moderator can decide about it; calling it again extends the claim.",
  params: projectRef,
  answer: DoneWith({ claim: Claim }),
  errors: ["projectNotFound", "claimed", "wrongState"],
});

export const releaseProject = endpoint({
  ...shared,
  id: "releaseProject",
  method: "DELETE",
  path: "/api/moderation/project/:ref/claim",
  access: moderators(needs("project_write")),
  rate: "write",
  summary: "Release a claimed project",
  description: "For the moderator who claimed it, and administrators.",
  params: projectRef,
  answer: Done,
  errors: ["projectNotFound", "claimed", "wrongState"],
});

export const ProjectReview = Named(
  "ProjectReview",
  {
    status: Status,
    dateQueued: Nullable(Timestamp, "Since when it waits; null where it is not in review"),
    position: Nullable(Type.Integer({ description: "In the queue, beginning with 1; null where it is not in review" })),
    queueLength: Type.Integer({ description: "How many projects wait for review" }),
    medianWaitSeconds: Wait,
    threadId: Nullable(Id, "Id of the conversation with moderators; null where there is none yet"),
    history: Type.Array(
      Named(
        "Decision",
        {
          status: Status,
          reason: Nullable(ReasonOf, "Class of the reason; null where none was given"),
          problems: Type.Array(ReasonOf, { description: "The problems that the author must fix" }),
          message: Type.String({ description: "The moderator's message; may be empty" }),
          dateDecided: Described(Timestamp, "When it was decided"),
          moderatorId: Type.Optional(Nullable(Type.String({ description: "For moderators" }))),
        },
        { description: "A moderator's decision about a project" },
      ),
      { description: "The last twenty decisions, newest first" },
    ),
  },
  { description: "How far the review of a project is" },
);
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
