// Who follows the change log and writes: kept up to date in the background on every node.

import { versionNews } from "#community/notifications/consumer.js";
import { searchConsumer } from "#discovery/search/indexing.js";
import { statisticsConsumer } from "#discovery/statistics/consumer.js";
import { publicChangesConsumer } from "#integrations/public-changes/consumer.js";
import { webhooksConsumer } from "#integrations/webhooks/consumer.js";
import { type Consumer, keepConsuming } from "#platform/changes/consumer.js";
import type { Resources } from "#platform/http/resources.js";

export const consumers: readonly Consumer[] = [
  publicChangesConsumer,
  searchConsumer,
  statisticsConsumer,
  versionNews,
  webhooksConsumer,
];

/** Returns how to stop. */
export function startConsumers(resources: Resources): () => Promise<void> {
  const stops = consumers.map((consumer) => keepConsuming(resources, consumer));
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}
