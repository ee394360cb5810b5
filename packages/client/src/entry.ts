// The entry point of the package: everything that a program can import from "modshelf-client".
// biome-ignore-start lint/performance/noBarrelFile: a package has one place that names its public parts.
export type { Fetch } from "./answers.js";
export type * from "./api.js";
export type { AnswerOf, BodyOf, CallOptions, InputOf, OperationId, QueryOf } from "./calls.js";
export { type Client, createClient, type ExportRequest } from "./client.js";
export type { FileFacts, Progress, TransferOptions } from "./downloads.js";
export {
  ConflictError,
  FileExistsError,
  FileNameError,
  ForbiddenError,
  IntegrityError,
  InvalidAnswerError,
  NetworkError,
  NotFoundError,
  RateLimitedError,
  RedirectError,
  RegistryError,
  UnauthorizedError,
  ValidationError,
} from "./errors.js";
export { safeFileName } from "./file-names.js";
export { type Algorithm, hashBlob } from "./hash.js";
export type { RetrySettings, Settings } from "./transport.js";
export type { Published, PublishOptions, SentFile, VersionInput } from "./uploads.js";
// biome-ignore-end lint/performance/noBarrelFile: as above.
