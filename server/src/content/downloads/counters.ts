// The download counter of each server, and which requests are counted.
import { perServer } from "#platform/changes/server-memory.js";
import type { Call } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { DownloadCounter } from "./counter.js";
import { countryOf } from "./country.js";

export const counterOf = perServer((resources: Resources) => new DownloadCounter(resources));

/**
 * Values of Sec-Fetch-Dest for a link that the user follows or a script that fetches. Other clients do not send the
 * header.
 */
const downloadDestinations: readonly unknown[] = [undefined, "document", "iframe", "empty"];

/** Files that a page loads as a picture, a video or a script are not counted: viewing a page is not a download. */
export function noteDownload(
  { request, viewer, address }: Pick<Call, "request" | "viewer" | "address">,
  resources: Resources,
  version: { projectId: string; versionId: string },
): void {
  if (!downloadDestinations.includes(request.headers["sec-fetch-dest"])) return;
  counterOf(resources).note(viewer, address, version, countryOf(request, resources.config));
}
