// Everything that this package throws, except the reason of an aborted signal and mistakes in the arguments (TypeError).

export interface ErrorFacts {
  /** HTTP status of the answer, if there was one. */
  status?: number | undefined;
  /** The server's code for the refusal, or a code of this package, such as "network". */
  code: string;
  /** Problems of single fields. */
  issues?: readonly unknown[] | undefined;
  /** To be named in questions to the operator. */
  requestId?: string | undefined;
  /** Seconds after which the server accepts the request again. */
  retryAfter?: number | undefined;
  cause?: unknown;
}

export class RegistryError extends Error {
  override name = "RegistryError";
  readonly status: number | undefined;
  readonly code: string;
  readonly issues: readonly unknown[];
  readonly requestId: string | undefined;
  readonly retryAfter: number | undefined;
  constructor(message: string, { status, code, issues = [], requestId, retryAfter, cause }: ErrorFacts) {
    super(message, { cause });
    this.status = status;
    this.code = code;
    this.issues = issues;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}

/** 404: it does not exist, or you may not see it. */
export class NotFoundError extends RegistryError {
  override name = "NotFoundError";
}
/** 401: there is no credential, or it is not valid. */
export class UnauthorizedError extends RegistryError {
  override name = "UnauthorizedError";
}
/** 403: a scope of the token or a permission is missing. */
export class ForbiddenError extends RegistryError {
  override name = "ForbiddenError";
}
/** 409: it contradicts the present state, such as a version number that is taken. */
export class ConflictError extends RegistryError {
  override name = "ConflictError";
}
/** 429: too many requests. */
export class RateLimitedError extends RegistryError {
  override name = "RateLimitedError";
}
/** 400, 413, 415 or 422: the request itself is wrong. */
export class ValidationError extends RegistryError {
  override name = "ValidationError";
}

/** There was no complete answer: no connection, a broken one, or silence. */
export class NetworkError extends RegistryError {
  override name = "NetworkError";
  constructor(message: string, cause?: unknown) {
    super(message, { code: "network", cause });
  }
}
/** The answer is not what the interface promises, such as HTML in place of JSON. */
export class InvalidAnswerError extends RegistryError {
  override name = "InvalidAnswerError";
  constructor(message: string, status?: number, cause?: unknown) {
    super(message, { code: "invalidAnswer", status, cause });
  }
}
/** The server redirects to a place that the request must not go to. */
export class RedirectError extends RegistryError {
  override name = "RedirectError";
  constructor(message: string, status?: number) {
    super(message, { code: "redirect", status });
  }
}
/** The bytes of a file are not those that were announced. */
export class IntegrityError extends RegistryError {
  override name = "IntegrityError";
  constructor(message: string) {
    super(message, { code: "integrity" });
  }
}
/** A file cannot be stored under the name that the server gave it. */
export class FileNameError extends RegistryError {
  override name = "FileNameError";
  constructor(message: string) {
    super(message, { code: "fileName" });
  }
}
/** Another file has the name already. */
export class FileExistsError extends RegistryError {
  override name = "FileExistsError";
  constructor(message: string) {
    super(message, { code: "fileExists" });
  }
}

const byStatus: Record<number, typeof RegistryError> = {
  400: ValidationError,
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  413: ValidationError,
  415: ValidationError,
  422: ValidationError,
  429: RateLimitedError,
};

/** The error for an answer that is not a success; `body` is its JSON, or undefined. */
export function toError(status: number, headers: Pick<Headers, "get">, body: unknown): RegistryError {
  const { code, message, issues, requestId } = (body ?? {}) as Record<string, unknown>;
  const ErrorOf = byStatus[status] ?? RegistryError;
  return new ErrorOf(typeof message === "string" ? message : `The server answered with status ${status}.`, {
    status,
    code: typeof code === "string" ? code : `status${status}`,
    issues: Array.isArray(issues) ? issues : [],
    requestId: typeof requestId === "string" ? requestId : (headers.get("x-request-id") ?? undefined),
    retryAfter: readRetryAfter(headers.get("retry-after")),
  });
}

/** Seconds, from either form of the header. */
function readRetryAfter(value: string | null): number | undefined {
  if (!value) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}
