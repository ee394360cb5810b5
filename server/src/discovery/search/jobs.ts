// Background work of the search: the index is made where there is none.
import { write } from "#platform/changes/write.js";
import type { Resources } from "#platform/http/resources.js";
import { keeperOf } from "./keeper.js";
import { needsRebuild, rebuildIndex } from "./rebuild.js";

/** Projects in one run: other jobs must not wait for all of them. */
const projectsAtOnce = 5000;

export async function rebuildSearch(resources: Resources): Promise<void> {
  if (!(await rebuildIndex(resources, { anew: false, most: projectsAtOnce }))) await enqueueRebuild(resources);
}

const enqueueRebuild = (resources: Resources): Promise<void> =>
  write(resources, { credential: "search index" }, async (tx) =>
    tx.enqueue("rebuild-search", {}, { dedupeKey: "rebuild-search" }),
  );

/** At the start: so that the first question need not wait, and that there is something to be found. */
export async function prepareSearch(resources: Resources): Promise<void> {
  const { db, changeLog, log } = resources;
  try {
    if (await needsRebuild(db)) await enqueueRebuild(resources);
    await keeperOf(resources).current();
  } catch (error) {
    // The first question loads it then. At a stop that comes early the database is gone.
    if (changeLog.isFollowing) log.warn({ err: error }, "The search index is not loaded yet");
  }
}
