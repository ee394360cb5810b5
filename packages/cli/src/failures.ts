// Failures as people and scripts see them: a sentence, what to do, and an exit code.
import {
  ConflictError,
  FileExistsError,
  ForbiddenError,
  InvalidAnswerError,
  NetworkError,
  NotFoundError,
  RegistryError,
  UnauthorizedError,
} from "modshelf-client";

export const exitCodes = {
  ok: 0,
  failure: 1,
  differences: 2,
  notAllowed: 3,
  notFound: 4,
  conflict: 5,
  network: 6,
  interrupted: 130,
} as const;

export class Failure extends Error {
  override name = "Failure";
  readonly exitCode: number;
  /** What the user can do about it, such as a command. */
  readonly advice: string | undefined;
  readonly code: string;
  constructor(message: string, { advice, exitCode = exitCodes.failure, code = "failure" }: Partial<Failure> = {}) {
    super(message);
    this.advice = advice;
    this.exitCode = exitCode;
    this.code = code;
  }
}

interface Described {
  message: string;
  code: string;
  exitCode: number;
  advice?: string | undefined;
  requestId?: string | undefined;
}

const byError: readonly [kind: abstract new (...args: never[]) => Error, exitCode: number, advice?: string][] = [
  [UnauthorizedError, exitCodes.notAllowed, "Sign in with: shelf login"],
  [ForbiddenError, exitCodes.notAllowed, "Ask for the permission, or sign in with another account: shelf login"],
  [NotFoundError, exitCodes.notFound],
  [ConflictError, exitCodes.conflict],
  [FileExistsError, exitCodes.conflict, "Move that file away, and try again."],
  [NetworkError, exitCodes.network, "Check the address and your connection, and try again."],
  [InvalidAnswerError, exitCodes.network, "Check that the address is that of a Modshelf registry: shelf host list"],
];

/** Sentences for errors of the operating system that users can do something about. */
const bySystemCode: Record<string, (path: string) => [message: string, advice: string]> = {
  ENOSPC: (path) => [`The disk is full${path && `: ${path}`}.`, "Free some space, and try again."],
  EDQUOT: (path) => [`Your disk quota is used up${path && `: ${path}`}.`, "Free some space, and try again."],
  EACCES: (path) => [`You have no rights to ${path || "a file"}.`, "Change its rights, or choose another folder."],
  EPERM: (path) => [
    `The system does not allow it: ${path || "a file"}.`,
    "Change its rights, or choose another folder.",
  ],
  EROFS: (path) => [`${path || "The folder"} is on a file system that cannot be written to.`, "Choose another folder."],
  EBUSY: (path) => [`Another program uses ${path || "a file"}.`, "Close the game, and try again."],
  ENOENT: (path) => [`${path || "A file"} does not exist.`, "Check the path."],
  ENOTDIR: (path) => [`${path || "A path"} is not a folder.`, "Check the path."],
};

export function describe(error: unknown): Described {
  if (error instanceof Failure) return error;
  const { message = String(error), code, path = "", requestId } = (error ?? {}) as Record<string, string | undefined>;
  const known = byError.find(([kind]) => error instanceof kind);
  if (known) return { message, code: code ?? "failure", exitCode: known[1], advice: known[2], requestId };
  if (error instanceof RegistryError) return { message, code: error.code, exitCode: exitCodes.failure, requestId };
  const ofSystem = bySystemCode[code ?? ""]?.(path);
  if (ofSystem) return { message: ofSystem[0], advice: ofSystem[1], code: code!, exitCode: exitCodes.failure };
  return { message, code: code ?? "failure", exitCode: exitCodes.failure };
}
