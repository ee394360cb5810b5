// Endpoints about versions, by id and by hash of a file, in Modrinth's form.
import Type from "typebox";
import { maxHashes } from "#content/version-files/contract.js";
import { readable } from "#platform/http/access.js";
import { endpoint } from "#platform/http/endpoint.js";
import { Choice, fileContent, Ref } from "#platform/http/schemas.js";
import { say } from "#words/said.js";
import { JsonList, projectRef, shared } from "./project-contract.js";
import { ByHash, ModrinthVersion } from "./shapes.js";

const access = readable("version_read");

export const modrinthGetProjectVersions = endpoint({
  ...shared,
  id: "modrinthGetProjectVersions",
  path: "/v2/project/:ref/version",
  access,
  ready: true,
  summary: "List the versions of a project in Modrinth's form",
  params: projectRef,
  query: Type.Object({
    loaders: Type.Optional(JsonList),
    game_versions: Type.Optional(JsonList),
    featured: Type.Optional(Type.Enum(["true", "false"])),
    version_type: Type.Optional(Type.Enum(["release", "beta", "alpha"])),
    include_changelog: Type.Optional(Type.Enum(["true", "false"])),
    limit: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  }),
  answer: Type.Array(ModrinthVersion),
  errors: ["projectNotFound"],
});

export const modrinthGetProjectVersion = endpoint({
  ...shared,
  id: "modrinthGetProjectVersion",
  path: "/v2/project/:ref/version/:version",
  access,
  ready: true,
  summary: "Get a version of a project by id or number in Modrinth's form",
  params: Type.Object({ ...projectRef.properties, version: Ref("Version id or number", "1.4.0") }),
  answer: ModrinthVersion,
  errors: ["projectNotFound", "versionNotFound"],
});

export const versionRef = Type.Object({ version: Ref("Version id") });

export const modrinthGetVersion = endpoint({
  ...shared,
  id: "modrinthGetVersion",
  path: "/v2/version/:version",
  access,
  ready: true,
  summary: "Get a version in Modrinth's form",
  params: versionRef,
  answer: ModrinthVersion,
  errors: ["versionNotFound"],
});

export const modrinthGetVersions = endpoint({
  ...shared,
  id: "modrinthGetVersions",
  path: "/v2/versions",
  access,
  ready: true,
  rate: "bulk",
  summary: "Get several versions in Modrinth's form",
  query: Type.Object({ ids: JsonList }),
  answer: Type.Array(ModrinthVersion),
});

/** If it is absent, the length of the hash tells. */
const algorithm = Type.Optional(Choice({ sha1: "SHA-1", sha512: "SHA-512" }));
const hashRef = Type.Object({
  hash: Type.String({ pattern: "^[0-9A-Fa-f]{1,128}$", "x-problem": say.problems.sha1OrSha512 }),
});

const names = Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { maxItems: 100 }));
const filter = {
  loaders: names,
  game_versions: names,
  version_types: Type.Optional(Type.Array(Type.Enum(["release", "beta", "alpha"]), { maxItems: 8 })),
};
/** One malformed hash must not make the whole request fail. */
const hashes = Type.Array(Type.String(), { maxItems: maxHashes, "x-lenient": true });

const byHash = { ...shared, access, ready: true, crossOrigin: true } as const;
const posted = { ...byHash, method: "POST", rate: "bulk" } as const;

export const modrinthGetVersionByHash = endpoint({
  ...byHash,
  id: "modrinthGetVersionByHash",
  path: "/v2/version_file/:hash",
  summary: "Get the version of a file in Modrinth's form",
  params: hashRef,
  query: Type.Object({ algorithm }),
  answer: ModrinthVersion,
  errors: ["versionNotFound"],
});

export const modrinthDownloadByHash = endpoint({
  ...shared,
  access,
  crossOrigin: true,
  id: "modrinthDownloadByHash",
  path: "/v2/version_file/:hash/download",
  rate: "content",
  summary: "Download a file by its hash",
  params: hashRef,
  query: Type.Object({ algorithm }),
  answer: fileContent,
  errors: ["fileNotFound"],
});

export const modrinthGetUpdateByHash = endpoint({
  ...posted,
  id: "modrinthGetUpdateByHash",
  path: "/v2/version_file/:hash/update",
  rate: "read",
  summary: "Get the update of a file in Modrinth's form",
  params: hashRef,
  query: Type.Object({ algorithm }),
  body: Type.Object(filter),
  answer: ModrinthVersion,
  errors: ["versionNotFound"],
});

export const modrinthGetVersionsByHashes = endpoint({
  ...posted,
  id: "modrinthGetVersionsByHashes",
  path: "/v2/version_files",
  summary: "Get the versions of files in Modrinth's form",
  body: Type.Object({ algorithm, hashes }),
  answer: ByHash(ModrinthVersion),
});

export const modrinthGetUpdatesByHashes = endpoint({
  ...posted,
  id: "modrinthGetUpdatesByHashes",
  path: "/v2/version_files/update",
  summary: "Get the updates of files in Modrinth's form",
  body: Type.Object({ algorithm, hashes, ...filter }),
  answer: ByHash(ModrinthVersion),
});

export const modrinthGetUpdateLists = endpoint({
  ...posted,
  id: "modrinthGetUpdateLists",
  path: "/v2/version_files/update_many",
  summary: "Get the updates of files as lists in Modrinth's form",
  body: Type.Object({ algorithm, hashes, ...filter }),
  answer: ByHash(Type.Array(ModrinthVersion)),
});

export const modrinthGetUpdatesApart = endpoint({
  ...posted,
  id: "modrinthGetUpdatesApart",
  path: "/v2/version_files/update_individual",
  summary: "Get the updates of files with filters for each in Modrinth's form",
  body: Type.Object({
    algorithm,
    hashes: Type.Array(Type.Object({ hash: Type.String({ maxLength: 128 }), ...filter }), { maxItems: maxHashes }),
  }),
  answer: ByHash(ModrinthVersion),
});
