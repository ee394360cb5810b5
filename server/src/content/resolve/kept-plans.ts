// Answers that strangers have asked for before, kept until anything in the catalogue changes: they can never be out of
// date. What members see is made for each of them.
import { catalogOf } from "#content/catalog/catalog.js";
import type { ChangeLog } from "#platform/changes/change-log.js";
import { ReadyAnswer } from "#platform/http/answers.js";
import type { Resources } from "#platform/http/resources.js";
import type { Viewer } from "#platform/http/viewer.js";

const mostBytes = 16 * 1024 * 1024;

interface Kept {
  edition: number;
  bytes: number;
  answers: Map<string, ReadyAnswer>;
}

/** By feed: each server in a process (tests run several) keeps its own. */
const keptBy = new WeakMap<ChangeLog, Kept>();

/** The question must say everything that the answer hangs on, but for the caller and the catalogue. */
export async function keptPlan(
  resources: Resources,
  viewer: Viewer,
  question: unknown,
  make: () => Promise<object>,
): Promise<ReadyAnswer> {
  if (viewer.kind !== "anonymous" || !resources.changeLog.isFollowing) return toReady(await make());
  const catalog = catalogOf(resources);
  const { edition } = catalog;
  let kept = keptBy.get(resources.changeLog);
  if (kept?.edition !== edition) {
    kept = { edition, bytes: 0, answers: new Map() };
    keptBy.set(resources.changeLog, kept);
  }
  const key = JSON.stringify(question);
  const known = kept.answers.get(key);
  if (known) return known;
  const answer = toReady(await make());
  // What was read while something changed may be half old.
  if (catalog.edition === edition) keep(kept, key, answer);
  return answer;
}

const toReady = (value: object): ReadyAnswer => new ReadyAnswer(Buffer.from(JSON.stringify(value)));

function keep(kept: Kept, key: string, answer: ReadyAnswer): void {
  const size = key.length + 2 * answer.bytes.length;
  if (size > mostBytes / 4) return;
  if (kept.bytes + size > mostBytes) {
    kept.answers.clear();
    kept.bytes = 0;
  }
  kept.answers.set(key, answer);
  kept.bytes += size;
}
