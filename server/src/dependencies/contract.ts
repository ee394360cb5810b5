// What projects depend on, and what depends on them (earlier-service 5.8).
import Type from "typebox";
import { readable } from "../http/access.js";
import { endpoint } from "../http/endpoint.js";
import { Id, Named, Timestamp } from "../http/schemas.js";
import { projectRef } from "../projects/contract.js";
import { ProjectListItem } from "../projects/shapes.js";
import { channels, dependencyTypes } from "../versions/shapes.js";

const DependedVersion = Named("DependedVersion", {
  id: Id,
  projectId: Id,
  authorId: Id,
  title: Type.String(),
  versionNumber: Type.String(),
  changelog: Type.String(),
  slug: Type.String(),
  datePublished: Timestamp,
  featured: Type.Boolean(),
  downloads: Type.Integer(),
  releaseChannel: Type.Enum([...channels]),
  gameVersions: Type.Array(Type.String()),
  loaders: Type.Array(Type.String()),
});

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
    "Projects that any version names, whatever the kind of dependency, the most downloaded first; and the versions that are named. What you cannot see is left out.",
  answer: Type.Object({ projects: Type.Array(ProjectListItem), versions: Type.Array(DependedVersion) }),
});

export const getDependents = endpoint({
  ...shared,
  id: "getDependents",
  path: "/api/project/:ref/dependents",
  rate: "bulk",
  summary: "List the projects with versions that depend on a project",
  description: "The most downloaded first. What you cannot see is left out.",
  query: Type.Object({
    type: Type.Optional(Type.Enum([...dependencyTypes], { description: "Only this kind of dependency" })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
    page: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, default: 1 })),
  }),
  answer: Type.Object({
    projects: Type.Array(ProjectListItem),
    total: Type.Integer({ description: "Of all pages together" }),
    limit: Type.Integer(),
    page: Type.Integer(),
  }),
});
