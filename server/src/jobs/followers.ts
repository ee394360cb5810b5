// Who follows the change feed and writes: kept up to date in the background on every node.
import { type Follower, keepFollowing } from "../changes/follower.js";
import type { Resources } from "../http/resources.js";

export const followers: readonly Follower[] = [];

/** Returns how to stop. */
export function startFollowers(resources: Resources): () => Promise<void> {
  const stops = followers.map((follower) => keepFollowing(resources, follower));
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}
