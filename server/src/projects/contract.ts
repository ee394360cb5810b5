// Projects, reading (interface §4, "Projects").
import Type from "typebox";
import { needs, readable } from "../http/access.js";
import { endpoint } from "../http/endpoint.js";
import { Id, Ref } from "../http/schemas.js";
import { Version } from "../versions/shapes.js";
import { Project, ProjectListItem } from "./shapes.js";

export const projectRef = Type.Object({ ref: Ref("Project id or slug") });
const isTrue = (description: string) =>
  Type.Optional(Type.String({ maxLength: 16, description: `true or false, default false: ${description}` }));
const ids = Type.String({ description: "Up to 100 ids, separated by commas" });

/** A filter on versions; all parts must hold on the same version. */
export const versionFilter = {
  gameVersion: Type.Optional(Type.String({ maxLength: 64 })),
  loader: Type.Optional(Type.String({ maxLength: 64 })),
  releaseChannel: Type.Optional(
    Type.String({
      maxLength: 32,
      description: "release, beta, alpha or dev: that one and all more stable ones; with -only exactly that one",
    }),
  ),
};

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
    includeVersions: isTrue("adds the versions"),
    featuredOnly: isTrue("only the featured ones of them"),
  }),
  answer: Type.Object({ success: Type.Literal(true), project: Project }),
  errors: ["projectNotFound"],
});

export const checkProject = endpoint({
  ...shared,
  id: "checkProject",
  path: "/api/project/:ref/check",
  rate: "read",
  summary: "Get the id behind an id or slug",
  params: projectRef,
  answer: Type.Object({ id: Id }),
  errors: ["projectNotFound"],
});

export const getProjects = endpoint({
  ...shared,
  id: "getProjects",
  ready: true,
  path: "/api/projects",
  rate: "bulk",
  summary: "Get several projects",
  description: "In the order of the request; unknown and invisible ids are left out.",
  query: Type.Object({
    ids,
    include: Type.Optional(
      Type.Union([Type.String({ maxLength: 64 }), Type.Array(Type.String({ maxLength: 64 }), { maxItems: 8 })], {
        description: "version-list: version numbers; version-slug: their slugs; version-info: whole versions",
      }),
    ),
    "version-info-limit": Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 15 })),
    ...versionFilter,
  }),
  answer: Type.Array(ProjectListItem),
});

export const getRandomProjects = endpoint({
  ...shared,
  id: "getRandomProjects",
  path: "/api/projects/random",
  rate: "bulk",
  summary: "Get some listed projects by chance",
  query: Type.Object({ count: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })) }),
  cacheControl: "no-store",
  answer: Type.Array(ProjectListItem),
});

export const getHomePageCarousel = endpoint({
  ...shared,
  id: "getHomePageCarousel",
  path: "/api/projects/home-page-carousel",
  rate: "bulk",
  summary: "Get projects for a front page: 20 by chance, then 10 that are trending",
  description: "Each project comes once.",
  cacheControl: "public, max-age=600",
  answer: Type.Array(ProjectListItem),
});

export const getProjectsVersions = endpoint({
  ...shared,
  id: "getProjectsVersions",
  ready: true,
  path: "/api/projects/versions",
  access: readable("project_read", "version_read"),
  rate: "bulk",
  summary: "Get the versions of several projects",
  description: "A key for every visible project, with an empty list where nothing fits.",
  query: Type.Object({
    ids,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 15, description: "Per project" })),
    ...versionFilter,
  }),
  answer: Type.Record(Type.String(), Type.Array(Version)),
});

export const getOwnProjects = endpoint({
  ...shared,
  id: "getOwnProjects",
  ready: true,
  path: "/api/project",
  access: needs("project_read"),
  rate: "bulk",
  summary: "List the own projects",
  query: Type.Object({ listedOnly: isTrue("only listed and archived ones") }),
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
  params: Type.Object({ ref: Ref("User id or user name") }),
  query: Type.Object({ listedOnly: isTrue("only listed and archived ones") }),
  answer: Type.Array(ProjectListItem),
  errors: ["userNotFound"],
});
