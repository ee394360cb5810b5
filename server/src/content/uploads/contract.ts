// Uploads in parts: a client sends a file piece by piece, continues after a lost connection, and publishes a version
// from it once it is complete.

import Type, { type Static } from "typebox";
import { needs } from "#platform/http/access.js";
import { endpoint } from "#platform/http/endpoint.js";
import { Described, Done, DoneWith, Id, Named, Nullable, Ref, Timestamp } from "#platform/http/schemas.js";
import { say } from "#words/said.js";
import { largestPartBytes, smallestPartBytes } from "./limits.js";

const FileFacts = Named(
  "UploadedFileFacts",
  {
    problem: Nullable(
      Type.String({
        description: "Why it could not be published; null where nothing is wrong with it",
      }),
    ),
    type: Nullable(
      Type.String({ description: "Kind of file, such as jar or zip; null where it is none that can be published" }),
    ),
    id: Nullable(Type.String(), "Id in the manifest"),
    name: Nullable(Type.String(), "Name in the manifest"),
    version: Nullable(Type.String(), "Version number in the manifest"),
    description: Nullable(Type.String(), "Description in the manifest"),
    license: Nullable(Type.String(), "License in the manifest, as it is written there"),
    loaders: Type.Array(Type.String(), { description: "Loaders that the archive is for" }),
    gameVersionRange: Nullable(Type.String({ description: "In the notation of the manifest" })),
    gameVersions: Type.Array(Type.String(), {
      description: "Known game versions in that range, newest first; empty where the range means any version",
    }),
    dependencies: Type.Array(
      Type.Object({
        id: Type.String({ description: "Id in the manifest" }),
        required: Type.Boolean({ description: "Whether it is required" }),
      }),
      { description: "Dependencies according to the manifest" },
    ),
  },
  { description: "Metadata from the archive's manifest" },
);
export type FileFacts = Static<typeof FileFacts>;

export const Upload = Named(
  "Upload",
  {
    id: Described(Id, "Id of the upload"),
    name: Type.String({ description: "Name of the file" }),
    size: Type.Integer({ description: "Size of the whole file in bytes" }),
    offset: Type.Integer({ description: "Bytes that have arrived: where the next part begins" }),
    isFinished: Type.Boolean({ description: "Whether all parts have arrived and the file was inspected" }),
    sha512: Nullable(Type.String({ description: "SHA-512 of the file in hex; null before it is finished" })),
    dateExpires: Described(Timestamp, "When it is deleted unless a version was published with it"),
    file: Nullable(FileFacts, "Metadata from the archive's manifest; null before it is finished"),
  },
  { description: "A file that is uploaded in parts" },
);
export type Upload = Static<typeof Upload>;

const UploadDone = DoneWith({ upload: Upload });
/** For the pages, whose script shows the problem of a file in the language of the page. */
const problemQuery = Type.Object({
  lang: Type.Optional(
    Type.String({
      maxLength: 35,
      description: "Language of `file.problem` as a BCP 47 tag; English where the site does not have it",
      examples: ["de"],
    }),
  ),
});

const uploadParams = Type.Object({ uploadId: Ref("Upload id") });
const shared = { tag: "Uploads", access: needs("version_create") } as const;

export const beginUpload = endpoint({
  ...shared,
  id: "beginUpload",
  method: "POST",
  path: "/api/upload",
  rate: "upload",
  summary: "Start an upload in parts",
  description: `Send the parts one after the other, each of ${smallestPartBytes} to ${largestPartBytes} bytes, the last one may be shorter; then finish, and publish a version with the id in primaryUpload or additionalUploads. Parts are kept for 24 hours. Only you can see the upload.`,
  body: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 255, description: "Name of the file", examples: ["lamps-1.0.0.jar"] }),
    size: Type.Integer({ minimum: 1, maximum: 2 ** 50, description: "Size of the whole file in bytes" }),
  }),
  answer: UploadDone,
  errors: ["addressUnconfirmed", "fileTooLarge", "fileRefused", "limitReached"],
});

export const listUploads = endpoint({
  ...shared,
  id: "listUploads",
  method: "GET",
  path: "/api/upload",
  rate: "read",
  summary: "List the uploads that no version uses yet",
  description: "Newest first.",
  answer: Type.Array(Upload),
});

export const getUpload = endpoint({
  ...shared,
  id: "getUpload",
  method: "GET",
  path: "/api/upload/:uploadId",
  rate: "read",
  summary: "Get the progress of an upload",
  params: uploadParams,
  query: problemQuery,
  answer: Upload,
  errors: ["uploadNotFound"],
});

export const sendPart = endpoint({
  ...shared,
  streams: true,
  id: "sendPart",
  method: "PATCH",
  path: "/api/upload/:uploadId",
  rate: "content",
  summary: "Send the next part of an upload",
  description: "A part can be sent again if its answer was lost: a repeated part gets the same answer.",
  params: uploadParams,
  body: Type.Object({
    offset: Type.Integer({ minimum: 0, maximum: 2 ** 50, description: "Offset of the part in the file" }),
    sha512: Type.Optional(
      Type.String({
        pattern: "^[0-9a-fA-F]{128}$",
        examples: ["0".repeat(128)],
        description: "SHA-512 of the part; a part with another hash is refused",
        "x-problem": say.problems.digits128,
      }),
    ),
  }),
  files: {
    part: { required: true, maxBytes: () => largestPartBytes, description: "The bytes of the part", example: "part-1" },
  },
  answer: UploadDone,
  errors: ["uploadNotFound", "uploadOffsetWrong", "checksumWrong", "fileTooLarge"],
});

export const finishUpload = endpoint({
  ...shared,
  id: "finishUpload",
  method: "POST",
  path: "/api/upload/:uploadId/finish",
  rate: "write",
  summary: "Join the parts of an upload and inspect the file",
  description: "May be repeated. Publishing does it too, where it was left out.",
  params: uploadParams,
  query: problemQuery,
  answer: UploadDone,
  errors: ["uploadNotFound", "uploadUnfinished"],
});

export const deleteUpload = endpoint({
  ...shared,
  id: "deleteUpload",
  method: "DELETE",
  path: "/api/upload/:uploadId",
  rate: "write",
  summary: "Delete an upload",
  params: uploadParams,
  answer: Done,
  errors: ["uploadNotFound"],
});
