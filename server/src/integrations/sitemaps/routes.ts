// Routes of the sitemaps.
import { perServer } from "#platform/changes/server-memory.js";
import { fail } from "#platform/errors.js";
import { ReadyAnswer, sendReady } from "#platform/http/answers.js";
import { type Call, type Route, route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import * as contract from "./contract.js";
import { makeIndex, makeSitemap } from "./read.js";

const type = "application/xml; charset=utf-8";

export const sitemapRoutes: Route[] = [
  route(contract.getSitemapIndex, (call, resources) => send(call, resources, index)),
  route(contract.getSitemap, (call, resources) => send(call, resources, call.params.file)),
  route(contract.getFormerSitemap, (call, resources) => send(call, resources, presentName(call.params.file))),
];

/** The key of the list of sitemaps; no URL can contain it. */
const index = "list of sitemaps\0";

async function send({ request, reply }: Pick<Call, "request" | "reply">, resources: Resources, name: string) {
  const make = async () => {
    const text = await (name === index ? makeIndex(resources) : makeSitemap(resources, name));
    return text === undefined ? undefined : new ReadyAnswer(Buffer.from(text));
  };
  const answer = await cacheOf(resources).load(name, make, ({ bytes }) => 1.5 * bytes.length);
  if (!answer) throw fail.notFound();
  return sendReady(request, reply.type(type), answer);
}

const formerNames: Record<string, string> = { "sitemap.xml": index, "sitemap-nav.xml": "pages-1.xml" };

const presentName = (file: string): string =>
  Object.hasOwn(formerNames, file) ? formerNames[file]! : file.replace(/^sitemap-/, "");

/** Cached until anything changes: concurrent requests share one result, and hidden content disappears at once. */
const cacheOf = perServer(({ memory, changeLog }: Resources) =>
  // A page of 25,000 links has some megabytes.
  memory.createCache<ReadyAnswer>({ name: "sitemaps", edition: () => changeLog.position }),
);
