// Routes of the public change log.

import type { FastifyRequest } from "fastify";
import { limitKey } from "#lib/client-address.js";
import { invalid } from "#platform/errors.js";
import { type Route, route } from "#platform/http/endpoint.js";
import { say } from "#words/said.js";
import { listChanges, mostAtOnce, streamChanges } from "./contract.js";
import { openChangeStream, toFiniteEvents } from "./streams.js";
import { tailOf } from "./tail.js";

export const publicChangeRoutes: Route[] = [
  route(listChanges, ({ query }, resources) => tailOf(resources).after(query.since ?? 0, query.limit ?? mostAtOnce)),

  route(streamChanges, async ({ query, request, reply, address }, resources) => {
    const tail = tailOf(resources);
    const since = lastEventId(request) ?? query.since ?? (await tail.last());
    reply.type("text/event-stream; charset=utf-8");
    const isLive = request.headers.accept?.includes("text/event-stream") && request.method === "GET";
    if (!isLive) return reply.send(await toFiniteEvents(tail, since, mostAtOnce));
    // A client with a number that is too old, or from another database, is refused before the stream starts.
    await tail.after(since, 1);
    // Keeps proxies from buffering the stream.
    reply.header("x-accel-buffering", "no");
    const { stream, end } = await openChangeStream(resources, since, limitKey(address));
    reply.raw.once("close", end);
    if (reply.raw.destroyed) end();
    return reply.send(stream);
  }),
];

function lastEventId({ headers }: FastifyRequest): number | undefined {
  const text = headers["last-event-id"];
  if (text === undefined || text === "") return undefined;
  if (typeof text !== "string" || !/^\d{1,16}$/.test(text))
    throw invalid({ path: "Last-Event-ID", message: say.problems.changeNumber });
  return Number(text);
}
