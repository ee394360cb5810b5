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
    id: Nullable(Type.String(), "Id that the manifest gives"),
    name: Nullable(Type.String(), "Name that the manifest gives"),
    version: Nullable(Type.String(), "Version number that the manifest gives"),
    description: Nullable(Type.String(), "Description that the manifest gives"),
    loaders: Type.Array(Type.String(), { description: "Loaders that the archive is for" }),
    gameVersionRange: Nullable(Type.String({ description: "In the notation of the manifest" })),
    dependencies: Type.Array(
      Type.Object({
        id: Type.String({ description: "Id, as the manifest names it" }),
        required: Type.Boolean({ description: "Whether it does not work without it" }),
      }),
      { description: "What the manifest says that it depends on" },
    ),
  },
  { description: "What the archive's own manifest says" },
);
export type FileFacts = Static<typeof FileFacts>;

export const Upload = Named(
  "Upload",
  {
    id: Described(Id, "Id of the upload"),
    name: Type.String({ description: "Name that the file will have" }),
    size: Type.Integer({ description: "Bytes of the whole file" }),
    offset: Type.Integer({ description: "Bytes that have arrived: where the next part begins" }),
    isFinished: Type.Boolean({ description: "Whether everything has arrived and was inspected" }),
    sha512: Nullable(Type.String({ description: "SHA-512 of the file in hex; null before it is finished" })),
    dateExpires: Described(Timestamp, "When it is deleted unless a version was published with it"),
    file: Nullable(FileFacts, "What the archive's own manifest says; null before it is finished"),
  },
  { description: "A file that is uploaded in parts" },
);
export type Upload = Static<typeof Upload>;

const UploadDone = DoneWith({ upload: Upload });
const uploadParams = Type.Object({ uploadId: Ref("Upload id") });
const shared = { tag: "Uploads", access: needs("version_create") } as const;

export const beginUpload = endpoint({
  ...shared,
  id: "beginUpload",
  method: "POST",
  path: "/api/upload",
  rate: "upload",
  summary: "Begin to upload a file in parts",
  description: `Send the parts one after the other, each of ${smallestPartBytes} to ${largestPartBytes} bytes, the last as long as is left; then finish, and publish a version with the id in primaryUpload or additionalUploads. What has arrived is kept for 24 hours. The upload is yours alone.`,
  body: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 255, description: "Name of the file", examples: ["lamps-1.0.0.jar"] }),
    size: Type.Integer({ minimum: 1, maximum: 2 ** 50, description: "Bytes of the whole file" }),
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
  summary: "List the uploads that no version has come of yet",
  description: "Newest first.",
  answer: Type.Array(Upload),
});

export const getUpload = endpoint({
  ...shared,
  id: "getUpload",
  method: "GET",
  path: "/api/upload/:uploadId",
  rate: "read",
  summary: "See how far an upload has come",
  params: uploadParams,
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
  description:
    "A part that has arrived already is answered like a new one, so that it can be sent again when its answer was lost.",
  params: uploadParams,
  body: Type.Object({
    offset: Type.Integer({ minimum: 0, maximum: 2 ** 50, description: "Where in the file the part begins" }),
    sha512: Type.Optional(
      Type.String({
        pattern: "^[0-9a-fA-F]{128}$",
        examples: ["0".repeat(128)],
        description: "Of the part: one that arrives otherwise is refused",
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
  summary: "Put the parts of an upload together and look into the file",
  description: "May be repeated. Publishing does it too, where it was left out.",
  params: uploadParams,
  answer: UploadDone,
  errors: ["uploadNotFound", "uploadUnfinished"],
});

export const deleteUpload = endpoint({
  ...shared,
  id: "deleteUpload",
  method: "DELETE",
  path: "/api/upload/:uploadId",
  rate: "write",
  summary: "Give an upload up",
  params: uploadParams,
  answer: Done,
  errors: ["uploadNotFound"],
});
