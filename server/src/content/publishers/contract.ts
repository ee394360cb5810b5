// Trusted publishers: builds that may publish versions of a project without a secret, because their build service
// vouches for them. They are managed with a session only: a token must not create access that outlives it.

import Type, { type Static } from "typebox";
import { projectRef } from "#content/projects/contract.js";
import { open, sessionOnly } from "#platform/http/access.js";
import { endpoint } from "#platform/http/endpoint.js";
import { Described, Done, DoneWith, Id, Named, Nullable, Ref, Text, Timestamp } from "#platform/http/schemas.js";
import { say } from "#words/said.js";

const tag = "Trusted publishers";
export const maxPublishers = 20;
export const tokenMinutes = 15;

const Issuer = Type.String({
  maxLength: 300,
  description: "Issuer of the tokens of the build service; one that this site trusts",
  examples: ["https://token.actions.githubusercontent.com"],
});
const Repository = Text("repository", {
  pattern: "^[A-Za-z0-9_.\\-]+(/[A-Za-z0-9_.\\-]+)+$",
  description: "Owner and name; for GitLab with all groups",
  examples: ["octocat/better-grass"],
  "x-problem": say.problems.repository,
});
const Workflow = Text("workflow", {
  pattern: "^(?![./]*/)[A-Za-z0-9_./\\-]*\\.ya?ml$",
  description:
    "GitHub: the name of the file in .github/workflows. GitLab: the path of the file, usually .gitlab-ci.yml",
  examples: ["publish.yml"],
  "x-problem": say.problems.workflow,
});
const Environment = Text("environment", {
  pattern: "^[^\\p{Cc}]*$",
  description: "The build must run in this environment; empty: in any or none",
  examples: ["release"],
  "x-problem": say.problems.visible255,
});

export const TrustedPublisher = Named(
  "TrustedPublisher",
  {
    id: Described(Id, "Id of the trusted publisher"),
    projectId: Described(Id, "Id of the project"),
    userId: Type.String({ description: "Id of the user who added it; versions are published in their name" }),
    issuer: Type.String({ description: "The build service" }),
    repository: Type.String({ description: "Owner and name of the repository" }),
    workflow: Type.String({ description: "The build file that may publish" }),
    environment: Nullable(Type.String(), "The environment that the build must run in; null for any"),
    ownerId: Nullable(
      Type.String({
        description: "Id of the account that owned the repository at the first use, and must still own it",
      }),
    ),
    dateCreated: Described(Timestamp, "When it was added"),
    dateLastUsed: Nullable(Timestamp, "When a build last published through it; null before the first"),
  },
  { description: "A build that may publish versions of a project" },
);
export type TrustedPublisher = Static<typeof TrustedPublisher>;

const ofProject = { path: "/api/project/:ref/trusted-publishers", params: projectRef, tag } as const;

export const listTrustedPublishers = endpoint({
  ...ofProject,
  id: "listTrustedPublishers",
  method: "GET",
  access: sessionOnly("pat_read"),
  rate: "read",
  summary: "List the builds that may publish versions of a project",
  description: "Needs upload_version. Oldest first.",
  answer: Type.Array(TrustedPublisher),
  errors: ["projectNotFound", "permissionMissing"],
});

export const createTrustedPublisher = endpoint({
  ...ofProject,
  id: "createTrustedPublisher",
  method: "POST",
  access: sessionOnly("pat_create"),
  rate: "write",
  summary: "Let the builds of a repository publish versions of a project",
  description: `Needs upload_version. It works as long as the user who adds it may publish versions. At most ${maxPublishers} each.`,
  body: Type.Object({
    issuer: Issuer,
    repository: Repository,
    workflow: Workflow,
    environment: Type.Optional(Nullable(Environment)),
  }),
  answer: DoneWith({ publisher: TrustedPublisher }),
  errors: ["projectNotFound", "permissionMissing", "publisherKnown", "limitReached"],
});

export const deleteTrustedPublisher = endpoint({
  id: "deleteTrustedPublisher",
  method: "DELETE",
  path: "/api/project/:ref/trusted-publishers/:publisherId",
  access: sessionOnly("pat_delete"),
  rate: "write",
  tag,
  summary: "Remove a trusted publisher; its tokens are revoked at once",
  description: "Needs upload_version.",
  params: Type.Object({ ...projectRef.properties, publisherId: Ref("The trusted publisher's id") }),
  answer: Done,
  errors: ["projectNotFound", "permissionMissing", "publisherNotFound"],
});

export const getPublishingAudience = endpoint({
  id: "getPublishingAudience",
  method: "GET",
  path: "/api/trusted-publishing",
  access: open,
  rate: "read",
  tag,
  summary: "Get the audience for the identity token of a build",
  answer: Type.Object({
    audience: Type.String({ description: "For the claim aud of the identity token" }),
    issuers: Type.Array(Type.String(), { description: "Build services that are trusted here" }),
  }),
});

export const createPublishingToken = endpoint({
  id: "createPublishingToken",
  method: "POST",
  path: "/api/project/:ref/publishing-token",
  access: open,
  rate: "upload",
  tag,
  summary: "Exchange the identity token of a build for a publishing token",
  description: `The answer's token works for ${tokenMinutes} minutes and can only publish versions of this project. An identity token is accepted once.`,
  params: projectRef,
  body: Type.Object({
    token: Type.String({
      minLength: 1,
      maxLength: 16_384,
      description: "The OpenID Connect token of the build, signed by its service with RS256",
    }),
  }),
  answer: Type.Object({
    success: Type.Literal(true, { description: "Always true" }),
    token: Type.String({ description: "For the Authorization header" }),
    dateExpires: Described(Timestamp, "When it expires"),
    projectId: Described(Id, "Id of the project"),
  }),
  errors: ["identityRefused", "issuerSilent"],
  secretAnswer: true,
});
