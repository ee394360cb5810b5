// A cache of answers for anonymous callers, until anything in the catalogue changes, so they are never stale. Answers
// for members are not cached.
import { catalogOf } from "#content/catalog/catalog.js";
import { perServer } from "#platform/changes/server-memory.js";
import { ReadyAnswer } from "#platform/http/answers.js";
import type { Resources } from "#platform/http/resources.js";
import type { Viewer } from "#platform/http/viewer.js";

const cacheOf = perServer((resources: Resources) =>
  resources.memory.createCache<ReadyAnswer>({
    name: "plans",
    // Requests with a thousand hashes are worth caching too.
    longestKey: 256 * 1024,
    edition: () => catalogOf(resources).edition,
  }),
);

/** `question` must contain everything that the answer depends on, except for the caller and the catalogue. */
export async function cachedPlan(
  resources: Resources,
  viewer: Viewer,
  query: unknown,
  make: () => Promise<object>,
): Promise<ReadyAnswer> {
  const makeReady = async () => new ReadyAnswer(Buffer.from(JSON.stringify(await make())));
  if (viewer.kind !== "anonymous") return makeReady();
  return cacheOf(resources).load(JSON.stringify(query), makeReady, ({ bytes }) => 2 * bytes.length);
}
