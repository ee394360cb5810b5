// The instance as verification and repair see it: its records and its stored files, without the server around them.

import type { Config } from "#config/config.js";
import type { Subject } from "#operations/verification/registry-check.js";
import { openBlobStore } from "#platform/blobs/open.js";
import { withInstance } from "./instance.js";

/** No upload takes longer between its bytes and its rows. */
const safetyMs = 60 * 60 * 1000;

export const withSubject = <T>(
  config: Config,
  options: Partial<Pick<Subject, "deep" | "safetyMs">>,
  work: (subject: Subject) => Promise<T>,
): Promise<T> =>
  withInstance(config, async (instance) => {
    const blobs = await openBlobStore(config.storage);
    try {
      return await work({ ...instance, blobs, deep: false, safetyMs, ...options });
    } finally {
      await blobs.close();
    }
  });
