// Sitemaps: one function a route.
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

/** The list of sitemaps, by a name that no address can hold. */
const index = "list of sitemaps\0";

async function send({ request, reply }: Pick<Call, "request" | "reply">, resources: Resources, name: string) {
  const answer = await kept(resources, name, () =>
    name === index ? makeIndex(resources) : makeSitemap(resources, name),
  );
  if (!answer) throw fail.notFound();
  return sendReady(request, reply.type(type), answer);
}

const formerNames: Record<string, string> = { "sitemap.xml": index, "sitemap-nav.xml": "pages-1.xml" };

const presentName = (file: string): string =>
  Object.hasOwn(formerNames, file) ? formerNames[file]! : file.replace(/^sitemap-/, "");

interface Kept {
  position: number;
  answers: Map<string, Promise<ReadyAnswer | undefined>>;
}

/** A page of 25,000 links is some megabytes. */
const keptPages = 4;
const memory = new WeakMap<Resources["changeLog"], Kept>();

/** Made once while nothing changes: who asks at the same time gets the same, and what is hidden is gone at once. */
function kept(
  { changeLog }: Resources,
  name: string,
  make: () => Promise<string | undefined>,
): Promise<ReadyAnswer | undefined> {
  let here = memory.get(changeLog);
  if (!here || here.position !== changeLog.position || !changeLog.isFollowing) {
    here = { position: changeLog.position, answers: new Map() };
    memory.set(changeLog, here);
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
