// The reads of the face that launchers make most often, answered before the router. They use the functions of the ordinary
// routes, which also answer everything that is unusual or invalid.
import { Scratch } from "#content/catalog/scratch.js";
import { peekProject } from "#content/projects/read.js";
import { getTaxonomy } from "#content/taxonomy/read.js";
import { hotLookUp, type LookUpAnswers } from "#content/version-files/hot-look-ups.js";
import { readParameters } from "#discovery/search/hot-search.js";
import type { Memory } from "#lib/gzip-join.js";
import type { ReadyAnswer } from "#platform/http/answers.js";
import type { EndpointSpec, Parsed } from "#platform/http/endpoint.js";
import type { HotPost, HotQuestion, HotRead } from "#platform/http/hot-path.js";
import { isOfFace } from "#platform/http/modrinth-fields.js";
import type { LocalRateClass } from "#platform/http/rate-limiter.js";
import type { Resources } from "#platform/http/resources.js";
import { parse } from "#platform/http/validation.js";
import { answer, answerNow, type Draft, draftOne } from "./drafts.js";
import { draftFound, toUpdatesQuery, toVersionsQuery } from "./hash-routes.js";
import { projectItem } from "./items.js";
import { parseIdTexts } from "./lists.js";
import { modrinthGetProject, modrinthGetProjects } from "./project-contract.js";
import { publicProjects } from "./project-routes.js";
import { modrinthSearch } from "./search-contract.js";
import { findHits, toHitsQuery } from "./search-routes.js";
import {
  modrinthGetProjectVersions,
  modrinthGetUpdatesByHashes,
  modrinthGetVersionsByHashes,
} from "./version-contract.js";
import { draftVersions, type ListQuery, toListQuery } from "./version-routes.js";

const scratch = new Scratch();
/** Characters that need no decoding in a path. */
const singlePath = /^\/v2\/project\/([A-Za-z0-9._+-]{1,64})(\/version)?$/;

/** Undefined if the ordinary route must answer. */
export function hotModrinth(resources: Resources, url: string): HotRead | HotQuestion | undefined {
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
    const project = ref === undefined ? undefined : peekProject(resources, ref);
    if (!project) return undefined;
    if (isList)
      return readNow(resources, modrinthGetProjectVersions, draftVersions(resources, project, toKnownQuery(text)));
    return text === "" ? readNow(resources, modrinthGetProject, draftOne(projectItem(project))) : undefined;
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

interface Hot {
  path: string;
  rate: LocalRateClass;
}

const ask = ({ path, rate }: Hot, make: (memory: Memory) => Promise<ReadyAnswer>): HotQuestion => ({
  rate,
  async ask() {
    const { take, giveBack } = scratch.lend();
    return { route: path, rate, answer: await make(take), onSent: giveBack };
  },
});

/** The answer, if nothing has to be made for it. */
function readNow(resources: Resources, endpoint: Hot, draft: Draft): HotRead | HotQuestion {
  const { take, giveBack } = scratch.lend();
  const ready = answerNow(resources, draft, take);
  if (ready) return { route: endpoint.path, rate: endpoint.rate, answer: ready, onSent: giveBack };
  return ask(endpoint, (memory) => answer(resources, draft, memory));
}

/** Launchers send the same few filters again and again: so many of them are kept. */
const mostKept = 200;
const longestKept = 500;
const listQueries = new Map<string, ListQuery>();

function toKnownQuery(text: string): ListQuery {
  let query = listQueries.get(text);
  if (!query) {
    query = toListQuery(read(modrinthGetProjectVersions, text));
    if (listQueries.size >= mostKept) listQueries.clear();
    if (text.length <= longestKept) listQueries.set(text, query);
  }
  return query;
}

export function hotModrinthLookUps(resources: Resources): ReadonlyMap<string, HotPost> {
  if (!resources.config.http.modrinthApi) return new Map();
  const answers: LookUpAnswers = {
    now: (found, memory) => answerNow(resources, draftFound(found), memory),
    later: (found, memory) => answer(resources, draftFound(found), memory),
  };
  return new Map([
    hotLookUp(resources, modrinthGetVersionsByHashes, toVersionsQuery, answers),
    hotLookUp(resources, modrinthGetUpdatesByHashes, toUpdatesQuery, answers),
  ]);
}
