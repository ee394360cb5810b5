// Uploads in parts: a file comes piece by piece, a lost connection goes on where it was, and a version is published from
// it when all is here.
import Type, { type Static } from "typebox";
import { needs } from "../http/access.js";
import { endpoint } from "../http/endpoint.js";
import { Done, Id, Named, Nullable, Ref, Timestamp } from "../http/schemas.js";
import { largestPartBytes, smallestPartBytes } from "./limits.js";

const FileFacts = Named(
  "UploadedFileFacts",
  {
    problem: Nullable(
      Type.String({ description: "Why it could not be published; null where nothing is wrong with it" }),
    ),
    type: Nullable(Type.String({ description: "jar, zip …" })),
    id: Nullable(Type.String()),
    name: Nullable(Type.String()),
    version: Nullable(Type.String()),
    description: Nullable(Type.String()),
    loaders: Type.Array(Type.String()),
    gameVersionRange: Nullable(Type.String({ description: "In the notation of the manifest" })),
    dependencies: Type.Array(Type.Object({ id: Type.String(), required: Type.Boolean() })),
  },
  { description: "What the archive's own manifest says" },
);
export type FileFacts = Static<typeof FileFacts>;

export const Upload = Named("Upload", {
  id: Id,
  name: Type.String({ description: "As the file will be called" }),
  size: Type.Integer(),
  offset: Type.Integer({ description: "Bytes that have arrived: where the next part begins" }),
  isFinished: Type.Boolean({ description: "All has arrived and was looked at" }),
  sha512: Nullable(Type.String({ description: "Once it is finished" })),
  dateExpires: Timestamp,
  file: Nullable(FileFacts),
});
export type Upload = Static<typeof Upload>;

const UploadDone = Type.Object({ ...Done.properties, upload: Upload });
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
    "multipart/form-data. A part that is here already is answered like a new one, so that it can be sent again when its answer was lost.",
  params: uploadParams,
  body: Type.Object({
    offset: Type.Integer({ minimum: 0, maximum: 2 ** 50, description: "Where in the file the part begins" }),
    sha512: Type.Optional(
      Type.String({
        pattern: "^[0-9a-fA-F]{128}$",
        examples: ["0".repeat(128)],
        description: "Of the part: one that arrives otherwise is refused",
        "x-problem": "must be 128 hexadecimal digits",
      }),
    ),
  }),
  files: { part: { required: true, maxBytes: () => largestPartBytes, description: "The bytes" } },
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
