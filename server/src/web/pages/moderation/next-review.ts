// The next project for a moderator: the one that has waited longest without a claim. Finding and claiming it is one
// step, so that two moderators at the same time get two projects.

import { listQueue } from "#moderation/desk/read.js";
import { claimProject, lockVisibleProject } from "#moderation/desk/write.js";
import { type Actor, write } from "#platform/changes/write.js";
import { Failure } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import type { SignedIn } from "#platform/http/viewer.js";

/** Searches behind this position of the queue. Returns the id, or undefined at the end of the queue. */
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

/** Returns false if another moderator has just claimed it or decided. */
async function tryToTake(resources: Resources, viewer: SignedIn, actor: Actor, id: string): Promise<boolean> {
  try {
    await write(resources, actor, async (tx) =>
      claimProject(tx, await lockVisibleProject(tx, viewer, id), viewer.user.id),
    );
    return true;
  } catch (error) {
    if (error instanceof Failure && ["claimed", "wrongState", "projectNotFound"].includes(error.code)) return false;
    throw error;
  }
}
