// The download counter of each server, and which requests are counted.
import { perServer } from "#platform/changes/server-memory.js";
import { countryOf } from "#platform/http/country.js";
import type { Call } from "#platform/http/endpoint.js";
import type { HotCaller } from "#platform/http/hot-file.js";
import type { Resources } from "#platform/http/resources.js";
import { anonymous } from "#platform/http/viewer.js";
import { DownloadCounter } from "./counter.js";

export const counterOf = perServer((resources: Resources) => new DownloadCounter(resources));

/**
 * Values of Sec-Fetch-Dest for a link that the user follows or a script that fetches. Other clients do not send the
 * header.
 */
const downloadDestinations: readonly unknown[] = [undefined, "document", "iframe", "empty"];

/** Files that a page loads as a picture, a video or a script are not counted: viewing a page is not a download. */
const isDownload = (fetchDest: unknown): boolean => downloadDestinations.includes(fetchDest);

export function noteDownload(
  { request, viewer, address }: Pick<Call, "request" | "viewer" | "address">,
  resources: Resources,
  version: { projectId: string; versionId: string },
): void {
  const { headers, socket } = request;
  if (!isDownload(headers["sec-fetch-dest"])) return;
  const { config } = resources;
  const { countryHeader } = config.http;
  const country = countryOf(socket.remoteAddress ?? "", countryHeader && headers[countryHeader], config);
  counterOf(resources).note(viewer, address, version, country);
}

/** The same for a request that is answered before Fastify. */
export function noteHotDownload(
  { seen, peer, address }: HotCaller,
  resources: Resources,
  version: { projectId: string; versionId: string },
): void {
  if (!isDownload(seen.fetchDest)) return;
  counterOf(resources).note(anonymous, address, version, countryOf(peer, seen.country, resources.config));
}
