// The one counter of each server, and which requests it hears of.
import type { ChangeLog } from "#platform/changes/change-log.js";
import type { Call } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { DownloadCounter } from "./counter.js";
import { countryOf } from "./country.js";

const counters = new WeakMap<ChangeLog, DownloadCounter>();

export function counterOf(resources: Resources): DownloadCounter {
  let counter = counters.get(resources.changeLog);
  if (!counter) {
    counter = new DownloadCounter(resources);
    counters.set(resources.changeLog, counter);
  }
  return counter;
}

/** What a browser says of a file that the user follows a link to, or that a script fetches. Other clients say nothing. */
const downloadDestinations: readonly unknown[] = [undefined, "document", "iframe", "empty"];

/** Files that a page loads as a picture, a video or a script do not count: looking at a page is not a download. */
export function noteDownload(
  { request, viewer, address }: Pick<Call, "request" | "viewer" | "address">,
  resources: Resources,
  version: { projectId: string; versionId: string },
): void {
  if (!downloadDestinations.includes(request.headers["sec-fetch-dest"])) return;
  counterOf(resources).note(viewer, address, version, countryOf(request, resources.config));
}
