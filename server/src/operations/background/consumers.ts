// The consumers of the change log, which every node runs in the background.

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

/** The consumers that share transactions. Searches wait for theirs, so that it has its own. */
export const sharing = consumers.filter((consumer) => consumer !== searchConsumer);

/** Returns a function that stops them. */
export function startConsumers(resources: Resources): () => Promise<void> {
  const stops = consumers.map((consumer) =>
    keepConsuming(resources, consumer, consumer === searchConsumer ? [] : sharing),
  );
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}
