// Answers that guests have asked for before, kept until anything in the catalogue changes: they can never be out of
// date. What members see is made for each of them.
import { catalogOf } from "#content/catalog/catalog.js";
import { perServer } from "#platform/changes/server-memory.js";
import { ReadyAnswer } from "#platform/http/answers.js";
import type { Resources } from "#platform/http/resources.js";
import type { Viewer } from "#platform/http/viewer.js";

const keepOf = perServer((resources: Resources) =>
  resources.memory.keep<ReadyAnswer>({
    name: "plans",
    bytes: 16 * 1024 * 1024,
    // Questions with a thousand hashes are worth keeping too.
    longestKey: 256 * 1024,
    edition: () => catalogOf(resources).edition,
  }),
);

/** The question must say everything that the answer hangs on, but for the caller and the catalogue. */
export async function keptPlan(
  resources: Resources,
  viewer: Viewer,
  question: unknown,
  make: () => Promise<object>,
): Promise<ReadyAnswer> {
  const makeReady = async () => new ReadyAnswer(Buffer.from(JSON.stringify(await make())));
  if (viewer.kind !== "anonymous") return makeReady();
  return keepOf(resources).load(JSON.stringify(question), makeReady, ({ bytes }) => 2 * bytes.length);
}
