// Why something failed, in one line, whatever was thrown.

/** Connections that were tried at several addresses fail with a list of errors and no sentence of their own. */
export function reasonOf(error: unknown): string {
  const { message, code } = (error ?? {}) as { message?: string; code?: string };
  return message || code || String(error);
}
