// Sitemaps: one function a route.
import { fail } from "../errors.js";
import { ReadyAnswer, sendReady } from "../http/answers.js";
import { type Route, route } from "../http/endpoint.js";
import type { Resources } from "../http/resources.js";
import * as contract from "./contract.js";
import { makeIndex, makeSitemap } from "./read.js";

const type = "application/xml; charset=utf-8";

export const sitemapRoutes: Route[] = [
  route(contract.getSitemapIndex, async ({ request, reply }, resources) => {
    const answer = await kept(resources, "index", () => makeIndex(resources));
    return sendReady(request, reply.type(type), answer!);
  }),

  route(contract.getSitemap, async ({ params, request, reply }, resources) => {
    const answer = await kept(resources, params.file, () => makeSitemap(resources, params.file));
    if (!answer) throw fail.notFound();
    return sendReady(request, reply.type(type), answer);
  }),
];

interface Kept {
  position: number;
  answers: Map<string, Promise<ReadyAnswer | undefined>>;
}

/** A page of 25,000 links is some megabytes. */
const keptPages = 4;
const memory = new WeakMap<Resources["feed"], Kept>();

/** Made once while nothing changes: who asks at the same time gets the same, and what is hidden is gone at once. */
function kept(
  { feed }: Resources,
  name: string,
  make: () => Promise<string | undefined>,
): Promise<ReadyAnswer | undefined> {
  let here = memory.get(feed);
  if (!here || here.position !== feed.position || !feed.isFollowing) {
    here = { position: feed.position, answers: new Map() };
    memory.set(feed, here);
  }
  const { answers } = here;
  const known = answers.get(name);
  if (known) return known;
  const made = make().then((text) => (text === undefined ? undefined : new ReadyAnswer(Buffer.from(text))));
  if (answers.size >= keptPages) answers.delete(answers.keys().next().value!);
  answers.set(name, made);
  // What failed, and names that there is nothing under, make no room for themselves.
  made.then(
    (answer) => answer ?? answers.delete(name),
    () => answers.delete(name),
  );
  return made;
}
