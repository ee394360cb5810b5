// The log: what its lines hold of errors, and what they never hold.
import { type DestinationStream, type Logger, pino } from "pino";

/**
 * These fields and no others: errors of the query builder carry the whole statement with its values, hashes and all.
 * The code is what an operator searches for; it has a name of its own because every other code may open something.
 */
export const toLoggedError = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error;
  const { name, message, stack, cause } = error;
  const { code: errorCode } = error as NodeJS.ErrnoException;
  return {
    type: name,
    message,
    stack,
    ...(errorCode && { errorCode }),
    ...(cause !== undefined && { cause: toLoggedError(cause) }),
  };
};

/** Nothing of these is logged on purpose; this is the net below. */
export const secretPaths = ["authorization", "cookie", "password", "token", "code", "secret"].flatMap((name) => [
  name,
  `*.${name}`,
  `*.*.${name}`,
]);

/** JSON lines to stdout, or to the given place. */
export const createLog = (level: string, destination: DestinationStream = pino.destination(1)): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: toLoggedError },
      redact: { paths: secretPaths, censor: "[secret]" },
    },
    destination,
  );
