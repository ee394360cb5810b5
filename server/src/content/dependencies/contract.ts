// Endpoints for the dependencies and dependents of projects (earlier-service 5.8).
import Type from "typebox";
import { projectRef } from "#content/projects/contract.js";
import { ProjectListItem } from "#content/shapes/project.js";
import { ChannelOf, dependencyMeanings } from "#content/shapes/version.js";
import { readable } from "#platform/http/access.js";
import { endpoint } from "#platform/http/endpoint.js";
import { Choice, Described, Id, Named, Timestamp } from "#platform/http/schemas.js";

const DependedVersion = Named(
  "DependedVersion",
  {
    id: Described(Id, "Id of the version"),
    projectId: Described(Id, "Id of the project"),
    authorId: Described(Id, "Id of the user who published it"),
    title: Type.String({ description: "Title" }),
    versionNumber: Type.String({ description: "Version number as the author wrote it" }),
    changelog: Type.String({ description: "Changelog in Markdown; may be empty" }),
    slug: Type.String({ description: "Name of the version in URLs" }),
    datePublished: Described(Timestamp, "When it was published"),
    featured: Type.Boolean({ description: "Whether the author recommends it" }),
    downloads: Type.Integer({ description: "How often its primary file was downloaded" }),
    releaseChannel: ChannelOf,
    gameVersions: Type.Array(Type.String(), { description: "Game versions that it works with, newest first" }),
    loaders: Type.Array(Type.String(), { description: "Loaders that it works with" }),
  },
  { description: "A version that another one depends on" },
);

const shared = {
  method: "GET",
  tag: "Projects",
  access: readable("project_read"),
  params: projectRef,
  errors: ["projectNotFound"],
} as const;

export const getDependencies = endpoint({
  ...shared,
  id: "getDependencies",
  path: "/api/project/:ref/dependencies",
  rate: "read",
  summary: "List everything that a project's versions depend on",
  description:
    "Projects that any version names, whatever the kind of dependency, the most downloaded first; and the versions that are named. Projects that you cannot see are left out.",
  answer: Type.Object({
    projects: Type.Array(ProjectListItem, { description: "Projects that are depended on" }),
    versions: Type.Array(DependedVersion, { description: "Versions that are named" }),
  }),
});

export const getDependents = endpoint({
  ...shared,
  id: "getDependents",
  path: "/api/project/:ref/dependents",
  rate: "bulk",
  summary: "List the projects with versions that depend on a project",
  description: "The most downloaded first. Projects that you cannot see are left out.",
  query: Type.Object({
    type: Type.Optional(Choice(dependencyMeanings, { description: "Only this kind of dependency" })),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, default: 20, description: "Maximum number of projects per page" }),
    ),
    page: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 10_000, default: 1, description: "Page number, starting with 1" }),
    ),
  }),
  answer: Type.Object({
    projects: Type.Array(ProjectListItem, { description: "Projects on this page" }),
    total: Type.Integer({ description: "Number of projects on all pages" }),
    limit: Type.Integer({ description: "Maximum number of projects per page" }),
    page: Type.Integer({ description: "Page number, starting with 1" }),
  }),
});
