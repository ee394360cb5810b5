// Distinguishes deleted things that were public from things that never existed.
import { type ErrorCode, Failure } from "#platform/errors.js";

/** Returns the result of `get`. If it is refused with `code`, throws the failure of `why` instead, if there is one. */
export async function explainMissing<T>(
  code: ErrorCode,
  get: () => Promise<T>,
  why: () => Promise<Failure | undefined>,
): Promise<T> {
  try {
    return await get();
  } catch (error) {
    if (!(error instanceof Failure && error.code === code)) throw error;
    throw (await why()) ?? error;
  }
}
