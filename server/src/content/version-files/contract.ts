// Endpoints that look up versions by file hash (interface §4).

import Type from "typebox";
import { Version } from "#content/shapes/version.js";
import { ChannelFilter } from "#content/shapes/version-filter.js";
import { readable } from "#platform/http/access.js";
import { endpoint } from "#platform/http/endpoint.js";
import { Choice, fileContent } from "#platform/http/schemas.js";
import { say } from "#words/said.js";

export const maxHashes = 1000;

export const algorithm = Type.Optional(
  Choice({ sha1: "SHA-1", sha512: "SHA-512" }, { default: "sha512", description: "Hash algorithm" }),
);
// The format is checked only for unknown hashes (read.ts): a pattern over a thousand long strings costs more than the
// look-up.
const Hash = Type.String({ description: "Hex, in either case", examples: ["a".repeat(128)] });
// One malformed hash must not make the whole request fail.
const hashes = Type.Array(Hash, {
  minItems: 1,
  maxItems: maxHashes,
  description: "Hashes of files",
  "x-lenient": true,
});
const params = Type.Object({
  hash: Type.String({
    pattern: "^[0-9A-Fa-f]{1,128}$",
    description: "Hash of the file in hex, in either case",
    "x-problem": say.problems.hash,
    examples: ["a".repeat(128)],
  }),
});
const filter = {
  gameVersions: Type.Optional(
    Type.Array(Type.String({ maxLength: 64 }), {
      maxItems: 500,
      description: "Only versions for at least one of these game versions",
    }),
  ),
  loader: Type.Optional(Type.String({ maxLength: 64, description: "Only versions for this loader" })),
  releaseChannel: ChannelFilter("Only versions of these channels; all channels unless given"),
};

const shared = { tag: "Look-up by file hash", access: readable("version_read"), crossOrigin: true } as const;

export const getVersionByHash = endpoint({
  ...shared,
  id: "getVersionByHash",
  ready: true,
  method: "GET",
  path: "/api/version-file/:hash",
  rate: "read",
  summary: "Get the version that a file belongs to",
  params,
  query: Type.Object({ algorithm }),
  answer: Version,
  errors: ["versionNotFound"],
});

export const downloadByHash = endpoint({
  ...shared,
  id: "downloadByHash",
  method: "GET",
  path: "/api/version-file/:hash/download",
  rate: "content",
  summary: "Download the file with this hash",
  params,
  query: Type.Object({ algorithm }),
  answer: fileContent,
  errors: ["fileNotFound"],
});

export const getVersionsByHashes = endpoint({
  ...shared,
  id: "getVersionsByHashes",
  ready: true,
  method: "POST",
  path: "/api/version-files",
  rate: "bulk",
  summary: "Get the versions that files belong to",
  description: "A map from each known hash, as it was sent, to its version. Unknown and malformed ones are left out.",
  body: Type.Object({ algorithm, hashes }),
  answer: Type.Record(Type.String(), Version),
});

export const getUpdatesByHashes = endpoint({
  ...shared,
  id: "getUpdatesByHashes",
  ready: true,
  method: "POST",
  path: "/api/version-files/update",
  rate: "bulk",
  summary: "Get the latest versions of the projects that files belong to",
  description:
    "A map from each known hash, as it was sent, to the newest version that passes the filters. Unknown and malformed hashes, and those whose project has no such version, are left out.",
  body: Type.Object({ algorithm, hashes, ...filter }),
  answer: Type.Record(Type.String(), Version),
});

export const getUpdateByHash = endpoint({
  ...shared,
  id: "getUpdateByHash",
  ready: true,
  method: "POST",
  path: "/api/version-file/:hash/update",
  rate: "read",
  summary: "Get the latest version of the project that a file belongs to",
  params,
  body: Type.Object({ algorithm, ...filter }),
  answer: Version,
  errors: ["versionNotFound"],
});
