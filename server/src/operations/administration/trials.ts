// Tests the storage on request: writes, reads and deletes a real file.

import { reasonOf } from "#lib/reason-of.js";
import type { Resources } from "#platform/http/resources.js";

export interface StorageTrial {
  /** Undefined if it worked. */
  fault: string | undefined;
}

export async function tryStorage({ blobs }: Resources): Promise<StorageTrial> {
  try {
    await blobs.probe();
    return { fault: undefined };
  } catch (error) {
    return { fault: reasonOf(error) };
  }
}
