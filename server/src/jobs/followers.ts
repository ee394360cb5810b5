// Who follows the change feed and writes: kept up to date in the background on every node.
import { type Follower, keepFollowing } from "../changes/follower.js";
import type { Resources } from "../http/resources.js";
import { versionNews } from "../notifications/follower.js";
import { publicChangesFollower } from "../public-changes/follower.js";
import { searchFollower } from "../search/indexing.js";
import { statisticsFollower } from "../statistics/follower.js";
import { webhooksFollower } from "../webhooks/follower.js";

export const followers: readonly Follower[] = [
  publicChangesFollower,
  searchFollower,
  statisticsFollower,
  versionNews,
  webhooksFollower,
];

/** Returns how to stop. */
export function startFollowers(resources: Resources): () => Promise<void> {
  const stops = followers.map((follower) => keepFollowing(resources, follower));
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}
