// The next project for a moderator: the longest waiting that is in nobody's hand. Taking it is one step with finding it,
// so that two who ask at once get two projects.

import { listQueue } from "#moderation/desk/read.js";
import { claimProject, holdProject } from "#moderation/desk/write.js";
import { type Actor, write } from "#platform/changes/write.js";
import { Failure } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import type { SignedIn } from "#platform/http/viewer.js";

/** Those behind this place in the queue. Returns the id, or nothing where the queue ends. */
export async function takeNext(
  resources: Resources,
  viewer: SignedIn,
  actor: Actor,
  behind = 0,
): Promise<string | undefined> {
  const free = await listQueue(resources, viewer, { claimed: "free", limit: 100 });
  for (const { id } of free.filter(({ position }) => position > behind)) {
    if (await tryToTake(resources, viewer, actor, id)) return id;
  }
  return undefined;
}

/** False where somebody was quicker: he has it in hand, or has decided. */
async function tryToTake(resources: Resources, viewer: SignedIn, actor: Actor, id: string): Promise<boolean> {
  try {
    await write(resources, actor, async (tx) => claimProject(tx, await holdProject(tx, viewer, id), viewer.user.id));
    return true;
  } catch (error) {
    if (error instanceof Failure && ["claimed", "wrongState", "projectNotFound"].includes(error.code)) return false;
    throw error;
  }
}
