// The one counter of each server.
import type { ChangeFeed } from "../changes/feed.js";
import type { Resources } from "../http/resources.js";
import { DownloadCounter } from "./counter.js";

const counters = new WeakMap<ChangeFeed, DownloadCounter>();

export function counterOf(resources: Resources): DownloadCounter {
  let counter = counters.get(resources.feed);
  if (!counter) {
    counter = new DownloadCounter(resources);
    counters.set(resources.feed, counter);
  }
  return counter;
}
