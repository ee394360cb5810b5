// Endpoints that publish, edit, withdraw and delete versions (earlier-service 4.8, decisions §6).

import Type, { type Static } from "typebox";
import { projectRef } from "#content/projects/contract.js";
import {
  ChannelOf,
  channelMeanings,
  dependencyMeanings,
  Version,
  versionNumberPattern,
} from "#content/shapes/version.js";
import { needs } from "#platform/http/access.js";
import { endpoint } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { Choice, Done, DoneWith, FormList, Line, Nullable, Ref, Shown, Text } from "#platform/http/schemas.js";
import { say } from "#words/said.js";

const versionRef = Type.Object({ ...projectRef.properties, version: Ref("Version id or slug", "1.4.0") });

const GivenDependency = Type.Object({
  projectId: Type.String({ maxLength: 64, description: "Id or slug of the project", examples: ["grass-api"] }),
  versionId: Type.Optional(
    Nullable(Type.String({ maxLength: 64 }), "Id or slug of the required version; any version unless given"),
  ),
  dependencyType: Choice(dependencyMeanings, { description: "How the version depends on it" }),
});

/** The text parts, for publishing or for editing; version-input.ts checks the values, because it knows the taxonomy. */
const partsWith = (number: string, games: string, channel: typeof ChannelOf) => ({
  title: Type.Optional(
    Line("versionTitle", { description: "Title. When publishing, made from the file's name unless given" }),
  ),
  changelog: Type.Optional(Nullable(Text("changelog"), "Changelog in Markdown")),
  featured: Type.Optional(
    Shown(
      Type.Union([Type.String({ maxLength: 16 }), Type.Boolean()]),
      Type.Boolean({ description: "Whether you recommend this version. When publishing, false unless given" }),
    ),
  ),
  releaseChannel: Type.Optional(channel),
  versionNumber: Type.Optional(
    Text("versionNumber", {
      pattern: versionNumberPattern,
      description: `The version number, unique in the project. ${number}`,
      examples: ["1.4.0"],
      "x-problem": say.problems.versionNumber,
    }),
  ),
  loaders: Type.Optional(
    FormList(Type.String({ maxLength: 64 }), {
      description:
        "Loaders that the version works with; see getLoaders. When publishing, taken from the archive's manifest unless given. One part for each, or one part with a JSON list",
      examples: [["quilt"]],
    }),
  ),
  gameVersions: Type.Optional(
    FormList(Type.String({ maxLength: 64 }), {
      description: `Game versions that the version works with; see getGameVersions. ${games} One part for each, or one part with a JSON list`,
      examples: [["0.4.8"]],
    }),
  ),
  dependencies: Type.Optional(
    FormList(GivenDependency, {
      description:
        "Other projects that the version requires, can use or is incompatible with. One part with a JSON object for each, or one part with a JSON list of them",
    }),
  ),
});

const byManifest = "Required unless the archive's manifest says it.";

export const versionParts = Type.Object(
  partsWith(
    byManifest,
    byManifest,
    Shown(ChannelOf, Choice(channelMeanings, { description: "How finished the version is", default: "release" })),
  ),
);
export type VersionParts = Static<typeof versionParts>;
const editedParts = partsWith("It stays unless given.", "They stay unless given.", ChannelOf);

/** Files that were uploaded in parts before (content/uploads/contract.ts). */
const uploads = {
  primaryUpload: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: "Id of a finished upload (see beginUpload), in place of the part primaryFile",
    }),
  ),
  additionalUploads: Type.Optional(
    FormList(Type.String({ maxLength: 64 }), {
      description: "Ids of finished uploads, besides the parts additionalFiles. One part for each",
    }),
  ),
};

const files = {
  primaryFile: {
    maxBytes: ({ config }: Resources) => config.limits.primaryFileBytes,
    description: "The file that players install. Required unless primaryUpload is given",
    example: "better-grass-1.4.0.jar",
  },
  additionalFiles: {
    maxBytes: ({ config }: Resources) => config.limits.additionalFileBytes,
    maxCount: ({ config }: Resources) => config.limits.additionalFiles,
    description: "Further files, such as sources or documentation. One part for each",
    example: "better-grass-1.4.0-sources.jar",
  },
};

const Saved = { slug: Type.String({ description: "Name of the version in URLs" }), data: Version };
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
    "Send a form (multipart/form-data) with the parts primaryFile, versionNumber and gameVersions; the last two may be left out where the archive's own manifest says them. All other parts are optional. Needs the permission upload_version. The same number with the same primary file again answers the existing version with unchanged: true.",
  params: projectRef,
  body: Type.Object({ ...versionParts.properties, ...uploads }),
  files,
  answer: DoneWith({
    ...Saved,
    unchanged: Type.Optional(
      Type.Boolean({ description: "true: the same version exists already, and nothing was changed" }),
    ),
  }),
  errors: [
    "projectNotFound",
    "permissionMissing",
    "addressUnconfirmed",
    "projectArchived",
    "fileRefused",
    "packInvalid",
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
    "Absent fields stay unchanged. New additionalFiles are added; existing files are never replaced or removed. The slug stays. Needs the permission upload_version.",
  params: versionRef,
  body: Type.Object({ ...editedParts, additionalUploads: uploads.additionalUploads }),
  files: { additionalFiles: files.additionalFiles },
  answer: DoneWith(Saved),
  errors: [
    ...notThere,
    "addressUnconfirmed",
    "fileRefused",
    "packInvalid",
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
  description: "Edits the version that getLatestVersion returns. Otherwise like updateVersion.",
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
    "It can still be downloaded by name, but is no longer offered as latest or as an update. Needs the permission upload_version.",
  params: versionRef,
  body: Type.Object({
    reason: Type.Optional(Nullable(Type.String({ maxLength: 256 }), "Reason, for users of the version")),
    replacement: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 64,
          description: "Id or number of the version of the project that replaces it",
        }),
      ),
    ),
    security: Type.Optional(
      Type.Boolean({ description: "true: the version is dangerous; all followers of the project are notified" }),
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
