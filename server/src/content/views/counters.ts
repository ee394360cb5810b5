// The view counter of each server, and the headers that it needs of a request.

import { perServer } from "#platform/changes/server-memory.js";
import { countryOf } from "#platform/http/country.js";
import type { Call } from "#platform/http/endpoint.js";
import type { HotCaller } from "#platform/http/hot-file.js";
import type { Resources } from "#platform/http/resources.js";
import { anonymous } from "#platform/http/viewer.js";
import { ViewCounter } from "./counter.js";

export const viewCounterOf = perServer((resources: Resources) => new ViewCounter(resources));

/** Counts the view of a page of this project. */
export function noteView(
  { request, viewer, address }: Pick<Call, "request" | "viewer" | "address">,
  resources: Resources,
  projectId: string,
): void {
  if (request.method !== "GET") return;
  const { headers, socket } = request;
  const { config } = resources;
  const { countryHeader } = config.http;
  const visit = {
    userAgent: headers["user-agent"],
    fetchDest: headers["sec-fetch-dest"] as string | undefined,
    purpose: (headers["sec-purpose"] ?? headers.purpose ?? headers["x-purpose"] ?? headers["x-moz"]) as
      | string
      | undefined,
    referer: headers.referer,
    asksForPrivacy: headers.dnt === "1" || headers["sec-gpc"] === "1",
  };
  viewCounterOf(resources).note(viewer, address, projectId, visit, () =>
    countryOf(socket.remoteAddress ?? "", countryHeader && headers[countryHeader], config),
  );
}

/** The same for a request that is answered before Fastify. Requests with a purpose are not answered there. */
export const noteHotView = ({ seen, peer, address }: HotCaller, resources: Resources, projectId: string): void =>
  viewCounterOf(resources).note(anonymous, address, projectId, { ...seen, purpose: undefined }, () =>
    countryOf(peer, seen.country, resources.config),
  );
