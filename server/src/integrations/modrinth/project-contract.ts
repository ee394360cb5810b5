// Endpoints about projects in Modrinth's form. They are not in the API reference: docs/modrinth.md lists them.
import Type from "typebox";
import { readable } from "#platform/http/access.js";
import { endpoint } from "#platform/http/endpoint.js";
import { Ref } from "#platform/http/schemas.js";
import { ModrinthMember, ModrinthProject, ModrinthVersion } from "./shapes.js";

export const shared = { method: "GET", tag: "Modrinth", internal: true, rate: "read" } as const;
export const projectRef = Type.Object({ ref: Ref("Id or slug") });
/** As long as a URL may be. */
export const JsonList = Type.String({ maxLength: 16_384 });

const access = readable("project_read");

export const modrinthGetProject = endpoint({
  ...shared,
  id: "modrinthGetProject",
  path: "/v2/project/:ref",
  access,
  ready: true,
  summary: "Get a project in Modrinth's form",
  params: projectRef,
  answer: ModrinthProject,
  errors: ["projectNotFound"],
});

export const modrinthGetProjects = endpoint({
  ...shared,
  id: "modrinthGetProjects",
  path: "/v2/projects",
  access,
  ready: true,
  rate: "bulk",
  summary: "Get several projects in Modrinth's form",
  query: Type.Object({ ids: JsonList }),
  answer: Type.Array(ModrinthProject),
});

export const modrinthGetRandomProjects = endpoint({
  ...shared,
  id: "modrinthGetRandomProjects",
  path: "/v2/projects_random",
  access,
  ready: true,
  rate: "bulk",
  cacheControl: "no-store",
  summary: "Get random projects in Modrinth's form",
  query: Type.Object({ count: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })) }),
  answer: Type.Array(ModrinthProject),
});

export const modrinthCheckProject = endpoint({
  ...shared,
  id: "modrinthCheckProject",
  path: "/v2/project/:ref/check",
  access,
  summary: "Get the id of a project",
  params: projectRef,
  answer: Type.Object({ id: Type.String() }),
  errors: ["projectNotFound"],
});

export const modrinthGetDependencies = endpoint({
  ...shared,
  id: "modrinthGetDependencies",
  path: "/v2/project/:ref/dependencies",
  access: readable("project_read", "version_read"),
  rate: "bulk",
  summary: "Get the dependencies of a project in Modrinth's form",
  params: projectRef,
  answer: Type.Object({ projects: Type.Array(ModrinthProject), versions: Type.Array(ModrinthVersion) }),
  errors: ["projectNotFound"],
});

export const modrinthGetMembers = endpoint({
  ...shared,
  id: "modrinthGetMembers",
  path: "/v2/project/:ref/members",
  access,
  summary: "List the members of a project in Modrinth's form",
  params: projectRef,
  answer: Type.Array(ModrinthMember),
  errors: ["projectNotFound"],
});

export const modrinthGetTeamMembers = endpoint({
  ...shared,
  id: "modrinthGetTeamMembers",
  path: "/v2/team/:teamId/members",
  access: readable("project_read", "organization_read"),
  summary: "List the members of a team in Modrinth's form",
  params: Type.Object({ teamId: Ref("Team id") }),
  answer: Type.Array(ModrinthMember),
  errors: ["teamNotFound"],
});
