// Limits the size of the public change log.
import { write } from "#platform/changes/write.js";
import type { Resources } from "#platform/http/resources.js";
import { forgetObsolete } from "./write.js";

/** Long enough for a mirror that is out of service for weeks. */
const keptMs = 90 * 24 * 60 * 60 * 1000;
const batchSize = 1000;

export async function forgetOldPublicChanges(resources: Resources): Promise<void> {
  const before = resources.clock.now() - keptMs;
  const forget = () => write(resources, { credential: "housekeeping" }, (tx) => forgetObsolete(tx, before, batchSize));
  while ((await forget()) === batchSize);
}
