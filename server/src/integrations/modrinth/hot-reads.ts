// The reads of the face that launchers make most often, answered before the router. They use the functions of the ordinary
// routes, which also answer everything that is unusual or invalid.
import { Scratch } from "#content/catalog/scratch.js";
import { peekProject } from "#content/projects/read.js";
import { getTaxonomy } from "#content/taxonomy/read.js";
import type { HashQuery } from "#content/version-files/read.js";
import { readParameters } from "#discovery/search/hot-search.js";
import type { Memory } from "#lib/gzip-join.js";
import type { ReadyAnswer } from "#platform/http/answers.js";
import type { EndpointSpec, Parsed } from "#platform/http/endpoint.js";
import type { HotPost, HotQuestion } from "#platform/http/hot-path.js";
import { readJson } from "#platform/http/json-body.js";
import { isOfFace } from "#platform/http/modrinth-fields.js";
import type { LocalRateClass } from "#platform/http/rate-limiter.js";
import type { Resources } from "#platform/http/resources.js";
import { parse, parseBody } from "#platform/http/validation.js";
import { publicVersionsByHash, toUpdatesQuery, toVersionsQuery } from "./hash-routes.js";
import { parseIdTexts } from "./lists.js";
import { modrinthGetProject, modrinthGetProjects } from "./project-contract.js";
import { publicProject, publicProjects } from "./project-routes.js";
import { modrinthSearch } from "./search-contract.js";
import { findHits, toHitsQuery } from "./search-routes.js";
import {
  modrinthGetProjectVersions,
  modrinthGetUpdatesByHashes,
  modrinthGetVersionsByHashes,
} from "./version-contract.js";
import { publicVersions, toListQuery } from "./version-routes.js";

const scratch = new Scratch();
/** Characters that need no decoding in a path. */
const singlePath = /^\/v2\/project\/([A-Za-z0-9._+-]{1,64})(\/version)?$/;

/** Undefined if the ordinary route must answer. */
export function hotModrinth(resources: Resources, url: string): HotQuestion | undefined {
  if (!isOfFace(url) || !resources.config.http.modrinthApi) return undefined;
  const [path = "", text = ""] = url.split("?", 2);
  try {
    if (path === modrinthGetProjects.path) {
      const refs = parseIdTexts(read(modrinthGetProjects, text).ids);
      return ask(modrinthGetProjects, (memory) => publicProjects(resources, refs, memory));
    }
    if (path === modrinthSearch.path) {
      const taxonomy = getTaxonomy.peek(resources);
      if (!taxonomy) return undefined;
      const query = toHitsQuery(read(modrinthSearch, text), taxonomy);
      return ask(modrinthSearch, (memory) => findHits(resources, query, memory));
    }
    const [, ref, isList] = singlePath.exec(path) ?? [];
    // Unknown projects are left to the ordinary route at once, which would have to look for them again.
    if (ref === undefined || !peekProject(resources, ref)) return undefined;
    if (!isList)
      return text === "" ? ask(modrinthGetProject, (memory) => publicProject(resources, ref, memory)) : undefined;
    const query = toListQuery(read(modrinthGetProjectVersions, text));
    return ask(modrinthGetProjectVersions, (memory) => publicVersions(resources, ref, query, memory));
  } catch {
    return undefined;
  }
}

/** Throws if a parameter is not known or does not fit. */
function read<E extends EndpointSpec>({ query }: E, text: string): Parsed<E["query"]> {
  const given = readParameters(text, new Set(Object.keys(query!.properties)));
  if (!given) throw new Error("A parameter is not written in the usual way");
  return parse("text", query!, given, "query");
}

const ask = (
  { path, rate }: { path: string; rate: LocalRateClass },
  make: (memory: Memory) => Promise<ReadyAnswer>,
): HotQuestion => ({
  rate,
  async ask() {
    const { take, giveBack } = scratch.lend();
    return { route: path, rate, answer: await make(take), onSent: giveBack };
  },
});

export function hotModrinthLookUps(resources: Resources): ReadonlyMap<string, HotPost> {
  const lookUp = <E extends EndpointSpec & { rate: LocalRateClass }>(
    endpoint: E,
    toQuery: (body: Parsed<E["body"]>) => HashQuery,
  ): [path: string, ask: HotPost] => [
    endpoint.path,
    (body) => {
      try {
        const query = toQuery(parseBody(endpoint, readJson(body)));
        return ask(endpoint, (memory) => publicVersionsByHash(resources, query, memory)).ask;
      } catch {
        return undefined;
      }
    },
  ];
  if (!resources.config.http.modrinthApi) return new Map();
  return new Map([
    lookUp(modrinthGetVersionsByHashes, toVersionsQuery),
    lookUp(modrinthGetUpdatesByHashes, toUpdatesQuery),
  ]);
}
