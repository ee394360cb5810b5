// The reason of a failure in one line, for any thrown value.

/** A connection that failed at several addresses has a list of errors and an empty message. */
export function reasonOf(error: unknown): string {
  const { message, code } = (error ?? {}) as { message?: string; code?: string };
  return message || code || String(error);
}
