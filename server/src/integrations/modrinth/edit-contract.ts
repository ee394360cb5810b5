// Endpoints that publish and edit in Modrinth's form.
import Type, { type Static } from "typebox";
import { needs } from "#platform/http/access.js";
import { endpoint } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { Nullable } from "#platform/http/schemas.js";
import { projectRef, shared } from "./project-contract.js";
import { ModrinthVersion, nothing } from "./shapes.js";
import { versionRef } from "./version-contract.js";

const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }));
const maybe = (maxLength: number) => Type.Optional(Nullable(Type.String({ maxLength })));
const names = Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { maxItems: 1000 }));
/** Longer than any text may be: our own contracts check the lengths, and say so. */
const longest = 131_072;

const versionFields = {
  name: text(longest),
  version_number: text(longest),
  changelog: maybe(longest),
  dependencies: Type.Optional(
    Type.Array(
      Type.Object({
        project_id: maybe(64),
        version_id: maybe(64),
        file_name: maybe(512),
        dependency_type: Type.String({ maxLength: 32 }),
      }),
      { maxItems: 1000 },
    ),
  ),
  game_versions: names,
  version_type: Type.Optional(Type.Enum(["release", "beta", "alpha"])),
  loaders: names,
  featured: Type.Optional(Type.Boolean()),
  status: text(32),
};

/** The part "data" of a new version. */
export const NewVersion = Type.Object({
  ...versionFields,
  project_id: Type.String({ minLength: 1, maxLength: 64 }),
  file_parts: Type.Optional(Type.Array(Type.String({ maxLength: 256 }), { maxItems: 100 })),
  primary_file: maybe(256),
});
export type NewVersion = Static<typeof NewVersion>;

const EditedVersion = Type.Object(versionFields);
export type EditedVersion = Static<typeof EditedVersion>;

const data = Type.String({ maxLength: 262_144 });
/** Clients choose the names of the parts; which file is the primary one is known later, and so is its limit. */
const files = {
  "*": {
    maxBytes: ({ config }: Resources) => Math.max(config.limits.primaryFileBytes, config.limits.additionalFileBytes),
    maxCount: ({ config }: Resources) => config.limits.additionalFiles + 1,
    description: "The files",
  },
};

const editing = { ...shared, rate: "write", answer: nothing } as const;

export const modrinthCreateVersion = endpoint({
  ...shared,
  id: "modrinthCreateVersion",
  method: "POST",
  path: "/v2/version",
  access: needs("version_create"),
  rate: "upload",
  streams: true,
  summary: "Publish a version in Modrinth's form",
  body: Type.Object({ data }),
  files,
  answer: ModrinthVersion,
  errors: ["projectNotFound", "permissionMissing", "fileRefused", "packInvalid", "fileTooLarge", "versionNumberTaken"],
});

export const modrinthAddFiles = endpoint({
  ...editing,
  id: "modrinthAddFiles",
  method: "POST",
  path: "/v2/version/:version/file",
  access: needs("version_write"),
  rate: "upload",
  streams: true,
  summary: "Add files to a version in Modrinth's form",
  params: versionRef,
  body: Type.Object({ data: Type.Optional(data) }),
  files,
  errors: ["versionNotFound", "permissionMissing", "fileRefused", "packInvalid", "fileTooLarge", "fileNameTaken"],
});

export const modrinthUpdateVersion = endpoint({
  ...editing,
  id: "modrinthUpdateVersion",
  method: "PATCH",
  path: "/v2/version/:version",
  access: needs("version_write"),
  summary: "Edit a version in Modrinth's form",
  params: versionRef,
  body: EditedVersion,
  errors: ["versionNotFound", "permissionMissing", "versionNumberTaken"],
});

export const modrinthDeleteVersion = endpoint({
  ...editing,
  id: "modrinthDeleteVersion",
  method: "DELETE",
  path: "/v2/version/:version",
  access: needs("version_delete"),
  summary: "Delete a version",
  params: versionRef,
  errors: ["versionNotFound", "permissionMissing"],
});

const EditedProject = Type.Object({
  title: text(longest),
  slug: text(longest),
  description: text(longest),
  body: maybe(longest),
  categories: names,
  additional_categories: names,
  client_side: text(32),
  server_side: text(32),
  issues_url: maybe(2048),
  source_url: maybe(2048),
  wiki_url: maybe(2048),
  discord_url: maybe(2048),
  donation_urls: Type.Optional(
    Type.Array(Type.Object({ platform: Type.String({ maxLength: 64 }), url: Type.String({ maxLength: 2048 }) }), {
      maxItems: 16,
    }),
  ),
  license_id: text(128),
  license_url: maybe(2048),
  status: text(32),
  requested_status: maybe(32),
});
export type EditedProject = Static<typeof EditedProject>;

export const modrinthUpdateProject = endpoint({
  ...editing,
  id: "modrinthUpdateProject",
  method: "PATCH",
  path: "/v2/project/:ref",
  access: needs("project_write"),
  summary: "Edit a project in Modrinth's form",
  params: projectRef,
  body: EditedProject,
  errors: ["projectNotFound", "permissionMissing", "slugTaken"],
});

const icon = {
  ...editing,
  path: "/v2/project/:ref/icon",
  access: needs("project_write"),
  params: projectRef,
} as const;

export const modrinthUpdateIcon = endpoint({
  ...icon,
  id: "modrinthUpdateIcon",
  method: "PATCH",
  summary: "Upload a project's icon",
  query: Type.Object({ ext: text(16) }),
  pictureBody: true,
  errors: ["projectNotFound", "permissionMissing", "imageUnusable"],
});

export const modrinthRemoveIcon = endpoint({
  ...icon,
  id: "modrinthRemoveIcon",
  method: "DELETE",
  summary: "Remove a project's icon",
  errors: ["projectNotFound", "permissionMissing", "wrongState"],
});
