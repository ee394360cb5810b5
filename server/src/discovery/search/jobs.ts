// Background job of the search: builds the index if there is none.
import { write } from "#platform/changes/write.js";
import type { Resources } from "#platform/http/resources.js";
import { liveIndexOf } from "./live-index.js";
import { prepareNamed } from "./named.js";
import { needsRebuild, rebuildIndex } from "./rebuild.js";

/** Projects per run, so that other jobs do not wait for all of them. */
const projectsAtOnce = 5000;

export async function rebuildSearch(resources: Resources): Promise<void> {
  if (!(await rebuildIndex(resources, { fromScratch: false, most: projectsAtOnce }))) await enqueueRebuild(resources);
}

const enqueueRebuild = (resources: Resources): Promise<void> =>
  write(resources, { credential: "search index" }, async (tx) =>
    tx.enqueue("rebuild-search", {}, { dedupeKey: "rebuild-search" }),
  );

/** Runs at the start, so that the first query does not wait, and that an index exists. */
export async function prepareSearch(resources: Resources): Promise<void> {
  const { db, changeLog, log } = resources;
  try {
    if (await needsRebuild(db)) await enqueueRebuild(resources);
    await liveIndexOf(resources).current();
    await prepareNamed(resources);
  } catch (error) {
    // The first query loads it then. During an early stop the database is closed already.
    if (changeLog.isFollowing) log.warn({ err: error }, "The search index is not loaded yet");
  }
}
