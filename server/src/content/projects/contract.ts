// Endpoints that read projects (interface §4, "Projects").
import Type from "typebox";
import { Project, ProjectListItem } from "#content/shapes/project.js";
import { versionFilter } from "#content/shapes/version-filter.js";
import { needs, readable } from "#platform/http/access.js";
import { endpoint } from "#platform/http/endpoint.js";
import { Choice, Described, Id, IdList, Ref, Shown, Switch } from "#platform/http/schemas.js";

export const projectRef = Type.Object({ ref: Ref("Project id or slug", "better-grass") });

const shared = { method: "GET", tag: "Projects", access: readable("project_read") } as const;

export const getProject = endpoint({
  ...shared,
  id: "getProject",
  ready: true,
  path: "/api/project/:ref",
  rate: "read",
  summary: "Get a project",
  params: projectRef,
  query: Type.Object({
    includeVersions: Switch("true: the project has its versions in the field versions"),
    featuredOnly: Switch("With includeVersions: only versions that the author recommends"),
  }),
  answer: Type.Object({ success: Type.Literal(true, { description: "Always true" }), project: Project }),
  errors: ["projectNotFound"],
});

export const checkProject = endpoint({
  ...shared,
  id: "checkProject",
  path: "/api/project/:ref/check",
  rate: "read",
  summary: "Get the id of a project by id or slug",
  params: projectRef,
  answer: Type.Object({ id: Described(Id, "Id of the project") }),
  errors: ["projectNotFound"],
});

export const getProjects = endpoint({
  ...shared,
  id: "getProjects",
  ready: true,
  path: "/api/projects",
  rate: "bulk",
  summary: "Get several projects",
  description:
    "In the order of the request. Unknown and invisible projects are left out; a project that is named twice, such as by its id and its slug, is returned once.",
  query: Type.Object({
    ids: IdList("project ids or slugs, or both"),
    include: Type.Optional(
      Shown(
        Type.Union([Type.String({ maxLength: 64 }), Type.Array(Type.String({ maxLength: 64 }), { maxItems: 8 })]),
        Choice(
          {
            "version-list": "Version numbers",
            "version-slug": "Slugs of versions",
            "version-info": "Whole versions, as many as version-info-limit says",
          },
          { description: "Form of the field versions; without it the field is absent" },
        ),
      ),
    ),
    "version-info-limit": Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        default: 15,
        description: "With version-info: maximum number of versions per project",
      }),
    ),
    ...versionFilter,
  }),
  answer: Type.Array(ProjectListItem),
});

export const getRandomProjects = endpoint({
  ...shared,
  id: "getRandomProjects",
  path: "/api/projects/random",
  rate: "bulk",
  summary: "Get random listed projects",
  query: Type.Object({
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20, description: "How many projects" })),
  }),
  cacheControl: "no-store",
  answer: Type.Array(ProjectListItem),
});

export const getOwnProjects = endpoint({
  ...shared,
  id: "getOwnProjects",
  ready: true,
  path: "/api/project",
  access: needs("project_read"),
  rate: "bulk",
  summary: "List your projects",
  query: Type.Object({ listedOnly: Switch("true: only listed and archived projects") }),
  answer: Type.Array(ProjectListItem),
});

export const getUserProjects = endpoint({
  ...shared,
  id: "getUserProjects",
  ready: true,
  path: "/api/user/:ref/projects",
  access: readable("user_read", "project_read"),
  rate: "bulk",
  summary: "List a user's projects",
  params: Type.Object({ ref: Ref("User id or username", "ada") }),
  query: Type.Object({ listedOnly: Switch("true: only listed and archived projects") }),
  answer: Type.Array(ProjectListItem),
  errors: ["userNotFound"],
});
