// Who follows the change feed and writes: kept up to date in the background on every node.

import { versionNews } from "#community/notifications/follower.js";
import { searchFollower } from "#discovery/search/indexing.js";
import { statisticsFollower } from "#discovery/statistics/follower.js";
import { publicChangesFollower } from "#integrations/public-changes/follower.js";
import { webhooksFollower } from "#integrations/webhooks/follower.js";
import { type Follower, keepFollowing } from "#platform/changes/follower.js";
import type { Resources } from "#platform/http/resources.js";

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
