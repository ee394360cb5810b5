// Searches of anonymous callers on the hot path. The parameters are validated with the contract of the ordinary route, which
// also answers everything that is unusual or invalid.
import { Scratch } from "#content/catalog/scratch.js";
import { getTaxonomy } from "#content/taxonomy/read.js";
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import type { HotQuestion, HotRead } from "#platform/http/hot-path.js";
import type { Resources } from "#platform/http/resources.js";
import { parse } from "#platform/http/validation.js";
import { searchProjects } from "./contract.js";
import { findHits, type Hits, hitsToAnswer } from "./read.js";
import { rememberedSearchesOf } from "./remembered.js";
import { type SearchParameters, type SearchQuery, toSearchQuery } from "./search-query.js";

const { path, query: schema } = searchProjects;
const scratch = new Scratch();

/** Undefined if the ordinary route must answer. */
export function hotSearch(resources: Resources, url: string): HotQuestion | undefined {
  if (!url.startsWith(path) || (url.length > path.length && url[path.length] !== "?")) return undefined;
  const taxonomy = getTaxonomy.peek(resources);
  if (!taxonomy) return undefined;
  const text = url.slice(path.length + 1);
  const remembered = rememberedSearchesOf(resources);
  const known = remembered.get(text, taxonomy);
  if (known) return { rate: "search", ask: () => toRead(resources, known, resources.clock.now()) };
  const query = toQuery(text, taxonomy);
  if (!query) return undefined;
  return {
    rate: "search",
    async ask() {
      const started = resources.clock.now();
      const hits = await findHits(resources, query);
      remembered.keep(text, taxonomy, hits);
      return toRead(resources, hits, started);
    },
  };
}

function toQuery(text: string, taxonomy: Taxonomy): SearchQuery | undefined {
  const given = readParameters(text, names);
  try {
    return given && toSearchQuery(parse("text", schema, given, "query") as SearchParameters, taxonomy);
  } catch {
    return undefined;
  }
}

function toRead(resources: Resources, hits: Hits, started: number): HotRead | Promise<HotRead> {
  const { take, giveBack } = scratch.lend();
  const read = (answer: HotRead["answer"]): HotRead => ({ route: path, answer, rate: "search", onSent: giveBack });
  const answer = hitsToAnswer(resources, hits, started, take);
  return answer instanceof Promise ? answer.then(read) : read(answer);
}

const names: ReadonlySet<string> = new Set(Object.keys(schema.properties));

/** The parameters as the router reads them. Undefined if one is not known or not written in the usual way. */
export function readParameters(
  text: string,
  names: ReadonlySet<string>,
): Record<string, string | string[]> | undefined {
  const given: Record<string, string | string[]> = {};
  for (const pair of text === "" ? [] : text.split("&")) {
    const equals = pair.indexOf("=");
    const [name, raw] = [pair.slice(0, equals), pair.slice(equals + 1)];
    if (equals < 1 || !names.has(name)) return undefined;
    const value = decode(raw);
    if (value === undefined) return undefined;
    const before = given[name];
    if (before === undefined) given[name] = value;
    else given[name] = [before, value].flat();
  }
  return given;
}

function decode(raw: string): string | undefined {
  const spaced = raw.includes("+") ? raw.replaceAll("+", " ") : raw;
  if (!spaced.includes("%")) return spaced;
  // Every route refuses a URL with this character.
  if (spaced.includes("%00")) return undefined;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return undefined;
  }
}
