// Endpoints that read versions (interface §4, "Versions").
import Type from "typebox";
import { projectRef } from "#content/projects/contract.js";
import { Version } from "#content/shapes/version.js";
import { latestFilter, versionFilter } from "#content/shapes/version-filter.js";
import { readable } from "#platform/http/access.js";
import { endpoint } from "#platform/http/endpoint.js";
import { Described, fileContent, Id, IdList, Ref, Switch } from "#platform/http/schemas.js";

const versionRef = Type.Object({ ...projectRef.properties, version: Ref("Version id or slug", "1.4.0") });
const fileName = Type.String({
  minLength: 1,
  maxLength: 255,
  description: "File name, or the file's id",
  examples: ["better-grass-1.4.0.jar"],
});

const success = Type.Literal(true, { description: "Always true" });
const one = Type.Object({ success, data: Version });
const many = Type.Object({ success, data: Type.Array(Version, { description: "The versions, newest first" }) });

const shared = { method: "GET", tag: "Versions", access: readable("version_read"), rate: "read" } as const;

export const getVersions = endpoint({
  ...shared,
  id: "getVersions",
  ready: true,
  path: "/api/project/:ref/version",
  summary: "List a project's versions, newest first",
  params: projectRef,
  query: Type.Object({
    featured: Switch("true: only versions that the author recommends"),
  }),
  answer: many,
  errors: ["projectNotFound"],
});

export const getVersion = endpoint({
  ...shared,
  id: "getVersion",
  ready: true,
  path: "/api/project/:ref/version/:version",
  summary: "Get a version",
  params: versionRef,
  answer: one,
  errors: ["projectNotFound", "versionNotFound"],
});

export const getLatestVersion = endpoint({
  ...shared,
  id: "getLatestVersion",
  ready: true,
  path: "/api/project/:ref/version/latest",
  summary: "Get the newest version that matches the filters",
  description: "Without releaseChannel: of the channel release. Withdrawn versions are skipped.",
  params: projectRef,
  query: Type.Object(latestFilter),
  answer: one,
  errors: ["projectNotFound", "versionNotFound"],
});

export const downloadPrimaryFile = endpoint({
  ...shared,
  rate: "content",
  id: "downloadPrimaryFile",
  path: "/api/project/:ref/version/:version/primary-file",
  summary: "Download a version's primary file",
  description: "The version may be latest; then the filters choose it, and releaseChannel is release unless given.",
  params: versionRef,
  query: Type.Object(latestFilter),
  answer: fileContent,
  errors: ["projectNotFound", "versionNotFound"],
});

export const downloadFile = endpoint({
  ...shared,
  rate: "content",
  id: "downloadFile",
  path: "/api/project/:ref/version/:version/:fileName",
  summary: "Download a file of a version by its name",
  description: "The version may be latest; then the filters choose it, and releaseChannel is release unless given.",
  params: Type.Object({ ...versionRef.properties, fileName }),
  query: Type.Object(latestFilter),
  answer: fileContent,
  errors: ["projectNotFound", "versionNotFound", "fileNotFound"],
});

export const getVersionById = endpoint({
  ...shared,
  id: "getVersionById",
  ready: true,
  path: "/api/version/:version",
  summary: "Get a version by its id",
  params: Type.Object({ version: Described(Id, "Version id") }),
  answer: Version,
  errors: ["versionNotFound"],
});

export const getVersionsByIds = endpoint({
  ...shared,
  rate: "bulk",
  id: "getVersionsByIds",
  ready: true,
  path: "/api/version",
  summary: "Get several versions by their ids",
  description: "In the order of the request; unknown and invisible ids are left out.",
  query: Type.Object({ ids: IdList("version ids") }),
  answer: Type.Array(Version),
});

export const getProjectsVersions = endpoint({
  ...shared,
  id: "getProjectsVersions",
  ready: true,
  path: "/api/projects/versions",
  access: readable("project_read", "version_read"),
  tag: "Projects",
  rate: "bulk",
  summary: "Get the versions of several projects",
  description:
    "A map from the id of each visible project to its versions, newest first; the list is empty where nothing fits. The keys are project ids, also for projects that were named by their slug.",
  query: Type.Object({
    ids: IdList("project ids or slugs, or both"),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, default: 15, description: "Maximum number of versions per project" }),
    ),
    ...versionFilter,
  }),
  answer: Type.Record(Type.String(), Type.Array(Version)),
});
