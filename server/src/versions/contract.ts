// Versions, reading (interface §4, "Versions").
import Type from "typebox";
import { readable } from "../http/access.js";
import { endpoint } from "../http/endpoint.js";
import { Id, Ref } from "../http/schemas.js";
import { projectRef, versionFilter } from "../projects/contract.js";
import { Version } from "./shapes.js";

const versionRef = Type.Object({ ...projectRef.properties, version: Ref("Version id or slug") });
const fileName = Type.String({ minLength: 1, maxLength: 255, description: "File name, or the file's id" });

const one = Type.Object({ success: Type.Literal(true), data: Version });
const many = Type.Object({ success: Type.Literal(true), data: Type.Array(Version) });
const content = { raw: "application/octet-stream", description: "The file's content" } as const;

const shared = { method: "GET", tag: "Versions", access: readable("version_read"), rate: "read" } as const;

export const getVersions = endpoint({
  ...shared,
  id: "getVersions",
  ready: true,
  path: "/api/project/:ref/version",
  summary: "List a project's versions, newest first",
  params: projectRef,
  query: Type.Object({
    featured: Type.Optional(Type.String({ maxLength: 16, description: "true: only featured ones" })),
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
  summary: "Get the newest version that passes the filters",
  description:
    "Without releaseChannel: of the channel release. Versions that their author has withdrawn are passed over.",
  params: projectRef,
  query: Type.Object(versionFilter),
  answer: one,
  errors: ["projectNotFound", "versionNotFound"],
});

export const downloadPrimaryFile = endpoint({
  ...shared,
  rate: "content",
  id: "downloadPrimaryFile",
  path: "/api/project/:ref/version/:version/primary-file",
  summary: "Download a version's primary file",
  description: "The version may be latest; then the same filters apply.",
  params: versionRef,
  query: Type.Object(versionFilter),
  answer: content,
  errors: ["projectNotFound", "versionNotFound"],
});

export const downloadFile = endpoint({
  ...shared,
  rate: "content",
  id: "downloadFile",
  path: "/api/project/:ref/version/:version/:fileName",
  summary: "Download a file of a version by its name",
  description: "The version may be latest; then the same filters apply.",
  params: Type.Object({ ...versionRef.properties, fileName }),
  query: Type.Object(versionFilter),
  answer: content,
  errors: ["projectNotFound", "versionNotFound", "fileNotFound"],
});

export const getVersionById = endpoint({
  ...shared,
  id: "getVersionById",
  ready: true,
  path: "/api/version/:version",
  summary: "Get a version by its id alone",
  params: Type.Object({ version: Id }),
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
  query: Type.Object({ ids: Type.String({ description: "Up to 100 ids, separated by commas" }) }),
  answer: Type.Array(Version),
});
