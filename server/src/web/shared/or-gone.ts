// What is not there any more but was there for all to see, told apart from what never was.
import { type ErrorCode, Failure } from "#platform/errors.js";

/** What `get` gives. Where it refuses with this code, the reason that `why` knows, if it knows one. */
export async function orGone<T>(
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
