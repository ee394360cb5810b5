// Versions, writing: publish, edit, withdraw, delete (earlier-service 4.8, decisions §6).
import Type, { type Static } from "typebox";
import { needs } from "../http/access.js";
import { endpoint } from "../http/endpoint.js";
import type { Resources } from "../http/resources.js";
import { Done, Line, Nullable, Ref, Text } from "../http/schemas.js";
import { projectRef } from "../projects/contract.js";
import { channels, Version, versionNumberPattern } from "./shapes.js";

const versionRef = Type.Object({ ...projectRef.properties, version: Ref("Version id or slug") });

/** Forms can only hold texts; JSON holds the list itself. */
const list = (what: string) =>
  Type.Union([
    Type.String({ maxLength: 65_536, description: `JSON text: array of ${what}` }),
    Type.Array(Type.Unknown(), { maxItems: 1000, description: `Array of ${what}` }),
  ]);

/** What a version is made of; the meaning is checked in input.ts, which knows the taxonomy. */
export const versionParts = Type.Object({
  title: Type.Optional(Line("versionTitle")),
  changelog: Type.Optional(Nullable(Text("changelog"))),
  featured: Type.Optional(
    Type.Union([Type.String({ maxLength: 16, description: "true, anything else is false" }), Type.Boolean()]),
  ),
  releaseChannel: Type.Optional(Type.Enum([...channels])),
  versionNumber: Type.Optional(
    Text("versionNumber", {
      pattern: versionNumberPattern,
      "x-problem": "must be 1 to 64 letters, digits, dots, _, + or -, beginning with a letter or digit",
    }),
  ),
  loaders: Type.Optional(list("loader names")),
  gameVersions: Type.Optional(list("game versions")),
  dependencies: Type.Optional(list("{projectId, versionId, dependencyType}")),
});
export type VersionParts = Static<typeof versionParts>;

/** Files that came before, in parts (uploads/contract.ts). */
const uploads = {
  primaryUpload: Type.Optional(Ref("Id of an upload, instead of the part primaryFile")),
  additionalUploads: Type.Optional(list("ids of uploads, besides the parts additionalFiles")),
};

const files = {
  primaryFile: {
    maxBytes: ({ config }: Resources) => config.limits.primaryFileBytes,
    description: "The file that players download",
  },
  additionalFiles: {
    maxBytes: ({ config }: Resources) => config.limits.additionalFileBytes,
    maxCount: ({ config }: Resources) => config.limits.additionalFiles,
    description: "Repeatable",
  },
};

const Saved = { success: Type.Literal(true), message: Type.String(), slug: Type.String(), data: Version };
const notThere = ["projectNotFound", "versionNotFound", "permissionMissing"] as const;

const shared = { tag: "Versions", rate: "write" } as const;

export const createVersion = endpoint({
  ...shared,
  streams: true,
  id: "createVersion",
  method: "POST",
  path: "/api/project/:ref/version",
  access: needs("version_create"),
  rate: "upload",
  summary: "Publish a version",
  description:
    "multipart/form-data, or JSON where the files were uploaded before (see beginUpload). Needs the permission upload_version. What is left out is taken from the archive's own manifest where it has one. The same number with the same primary file again answers the existing version with unchanged: true.",
  params: projectRef,
  body: Type.Object({ ...versionParts.properties, ...uploads }),
  files,
  answer: Type.Object({
    ...Saved,
    unchanged: Type.Optional(Type.Boolean({ description: "Nothing was done: this very version was there" })),
  }),
  errors: [
    "projectNotFound",
    "permissionMissing",
    "addressUnconfirmed",
    "projectArchived",
    "fileRefused",
    "contentDenied",
    "fileTooLarge",
    "fileNameTaken",
    "versionNumberTaken",
    "nameRetired",
    "uploadNotFound",
    "uploadUnfinished",
  ],
});

export const updateVersion = endpoint({
  ...shared,
  streams: true,
  id: "updateVersion",
  method: "PATCH",
  path: "/api/project/:ref/version/:version",
  access: needs("version_write"),
  summary: "Edit a version",
  description:
    "multipart/form-data or JSON with the same names. Parts that are absent stay. New additionalFiles are added; a file that is there is never replaced or removed. The slug stays. Needs the permission upload_version.",
  params: versionRef,
  body: Type.Object({ ...versionParts.properties, additionalUploads: uploads.additionalUploads }),
  files: { additionalFiles: files.additionalFiles },
  answer: Type.Object(Saved),
  errors: [
    ...notThere,
    "addressUnconfirmed",
    "fileRefused",
    "contentDenied",
    "fileTooLarge",
    "fileNameTaken",
    "versionNumberTaken",
    "nameRetired",
    "uploadNotFound",
    "uploadUnfinished",
  ],
});

export const updateLatestVersion = endpoint({
  ...updateVersion,
  id: "updateLatestVersion",
  path: "/api/project/:ref/version/latest",
  summary: "Edit the newest version of channel release",
  description: "The version that everybody gets under that name. Otherwise as updateVersion.",
  params: projectRef,
});

export const deleteVersion = endpoint({
  ...shared,
  id: "deleteVersion",
  method: "DELETE",
  path: "/api/project/:ref/version/:version",
  access: needs("version_delete"),
  summary: "Delete a version with its files",
  description: "Needs the permission delete_version.",
  params: versionRef,
  answer: Done,
  errors: notThere,
});

export const yankVersion = endpoint({
  ...shared,
  id: "yankVersion",
  method: "POST",
  path: "/api/project/:ref/version/:version/yank",
  access: needs("version_write"),
  summary: "Withdraw a version",
  description:
    "It stays downloadable for those who ask for it by name, and is no longer offered as latest or as an update. Needs the permission upload_version.",
  params: versionRef,
  body: Type.Object({
    reason: Type.Optional(Nullable(Type.String({ maxLength: 256 }))),
    replacement: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 64,
          description: "Id or number of another version of the project, to be taken instead",
        }),
      ),
    ),
    security: Type.Optional(
      Type.Boolean({ description: "true: it endangers those who use it; all followers of the project are told" }),
    ),
  }),
  answer: Done,
  errors: notThere,
});

export const unyankVersion = endpoint({
  ...shared,
  id: "unyankVersion",
  method: "DELETE",
  path: "/api/project/:ref/version/:version/yank",
  access: needs("version_write"),
  summary: "Offer a withdrawn version again",
  params: versionRef,
  answer: Done,
  errors: notThere,
});
