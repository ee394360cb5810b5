// Versions, writing: publish, edit, withdraw, delete (earlier-service 4.8, decisions §6).
import Type from "typebox";
import { needs } from "../http/access.js";
import { endpoint } from "../http/endpoint.js";
import { Done, Ref, Text } from "../http/schemas.js";
import { projectRef } from "../projects/contract.js";
import { Version } from "./shapes.js";

const versionRef = Type.Object({ ...projectRef.properties, version: Ref("Version id or slug, or latest") });
const jsonText = (what: string) => Type.String({ maxLength: 65_536, description: `JSON text: ${what}` });

/** The parts of the form as texts; their meaning is checked in input.ts, which knows the taxonomy. */
export const versionParts = Type.Object({
  title: Type.Optional(Text("versionTitle", { pattern: "^(?=.*\\S)[^\\p{Cc}\\p{Cs}]*$" })),
  changelog: Type.Optional(Text("changelog")),
  featured: Type.Optional(Type.String({ maxLength: 16, description: "true, anything else is false" })),
  releaseChannel: Type.Optional(Type.Enum(["release", "beta", "alpha", "dev"])),
  versionNumber: Type.Optional(
    Text("versionNumber", {
      pattern: "^[A-Za-z0-9][A-Za-z0-9._+-]*$",
      "x-problem": "must be 1 to 64 letters, digits, dots, _, + or -, beginning with a letter or digit",
    }),
  ),
  loaders: Type.Optional(jsonText("array of loader names")),
  gameVersions: Type.Optional(jsonText("array of game versions")),
  dependencies: Type.Optional(jsonText("array of {projectId, versionId, dependencyType}")),
});

const files = {
  primaryFile: {
    maxBytes: ({ config }: { config: { limits: { primaryFileBytes: number } } }) => config.limits.primaryFileBytes,
    description: "The file that players download",
  },
  additionalFiles: {
    maxBytes: ({ config }: { config: { limits: { additionalFileBytes: number } } }) =>
      config.limits.additionalFileBytes,
    description: "Repeatable",
  },
};

const shared = { tag: "Versions", streams: true } as const;

export const createVersion = endpoint({
  ...shared,
  id: "createVersion",
  method: "POST",
  path: "/api/project/:ref/version",
  access: needs("version_create"),
  rate: "upload",
  summary: "Publish a version",
  description:
    "multipart/form-data. Needs the permission upload_version. What is left out is taken from the archive's own manifest where it has one. The same number with the same primary file again answers the existing version with unchanged: true.",
  params: projectRef,
  body: versionParts,
  files,
  answer: Type.Object({
    success: Type.Literal(true),
    message: Type.String(),
    slug: Type.String(),
    unchanged: Type.Optional(Type.Boolean()),
    data: Version,
  }),
  errors: [
    "projectNotFound",
    "permissionMissing",
    "projectArchived",
    "fileRefused",
    "fileTooLarge",
    "versionNumberTaken",
  ],
});

export const updateVersion = endpoint({
  ...shared,
  id: "updateVersion",
  method: "PATCH",
  path: "/api/project/:ref/version/:version",
  access: needs("version_write"),
  rate: "write",
  summary: "Edit a version",
  description:
    "multipart/form-data or JSON with the same names. Parts that are absent stay. New additionalFiles are added; a file that is there is never replaced or removed. The slug stays.",
  params: versionRef,
  body: versionParts,
  files: { additionalFiles: files.additionalFiles },
  answer: Type.Object({ success: Type.Literal(true), message: Type.String(), slug: Type.String(), data: Version }),
  errors: ["projectNotFound", "versionNotFound", "permissionMissing", "versionNumberTaken", "fileNameTaken"],
});

export const deleteVersion = endpoint({
  tag: "Versions",
  id: "deleteVersion",
  method: "DELETE",
  path: "/api/project/:ref/version/:version",
  access: needs("version_delete"),
  rate: "write",
  summary: "Delete a version with its files",
  description: "Needs the permission delete_version.",
  params: versionRef,
  answer: Done,
  errors: ["projectNotFound", "versionNotFound", "permissionMissing"],
});

export const yankVersion = endpoint({
  tag: "Versions",
  id: "yankVersion",
  method: "POST",
  path: "/api/project/:ref/version/:version/yank",
  access: needs("version_write"),
  rate: "write",
  summary: "Withdraw a version",
  description: "It stays downloadable for those who have it, and is no longer offered as latest or as an update.",
  params: versionRef,
  body: Type.Object({ reason: Type.Optional(Type.String({ maxLength: 256 })) }),
  answer: Done,
  errors: ["projectNotFound", "versionNotFound", "permissionMissing"],
});

export const unyankVersion = endpoint({
  tag: "Versions",
  id: "unyankVersion",
  method: "DELETE",
  path: "/api/project/:ref/version/:version/yank",
  access: needs("version_write"),
  rate: "write",
  summary: "Offer a withdrawn version again",
  params: versionRef,
  answer: Done,
  errors: ["projectNotFound", "versionNotFound", "permissionMissing"],
});
