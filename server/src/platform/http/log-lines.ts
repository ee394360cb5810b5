// The log: how errors are logged, and what is never logged.
import { type DestinationStream, type Logger, pino } from "pino";

/**
 * Only these fields are logged: errors of the query builder contain the whole statement with its values. The error's
 * code is logged under another name, because the log redacts every field called "code".
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

/** None of these is logged on purpose; this is a safety net. */
export const secretPaths = ["authorization", "cookie", "password", "token", "code", "secret"].flatMap((name) => [
  name,
  `*.${name}`,
  `*.*.${name}`,
]);

/** Writes JSON lines to stdout or to the given destination, with these fields in each. */
export const createLog = (
  level: string,
  destination: DestinationStream = pino.destination(1),
  fields: object | null = null,
): Logger =>
  pino(
    {
      level,
      base: fields as Record<string, unknown> | null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: toLoggedError },
      redact: { paths: secretPaths, censor: "[secret]" },
    },
    destination,
  );
