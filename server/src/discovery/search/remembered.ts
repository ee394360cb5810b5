// The results of the searches that were made last, by the text of their parameters. Most searches of launchers and pages are
// the same few. They are dropped when anything in the index changes. The projects themselves are not kept: every answer has
// their current texts and figures.
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import type { Cache } from "#platform/changes/cache.js";
import { perServer } from "#platform/changes/server-memory.js";
import type { Resources } from "#platform/http/resources.js";
import { liveIndexOf } from "./live-index.js";
import type { Hits } from "./read.js";

const mostBytes = 4 * 1024 * 1024;
/** Longer parameters are hardly ever sent twice. */
const longestText = 256;
/** The memory of an entry with its objects, and of each id. */
const [objectBytes, idBytes] = [200, 40];

interface Remembered extends Hits {
  /** It decides which parameters are valid, and which words are the name of a tag. */
  taxonomy: Taxonomy;
}

export class RememberedSearches {
  readonly #resources: Resources;
  readonly #cache: Cache<Remembered>;

  constructor(resources: Resources) {
    this.#resources = resources;
    this.#cache = resources.memory.createCache({
      ...{ name: "searches", bytes: mostBytes, longestKey: longestText },
      edition: () => liveIndexOf(resources).known?.edition ?? 0,
    });
  }

  /** Undefined if the index has changes that the result does not contain, or has to read some. */
  get(text: string, taxonomy: Taxonomy): Hits | undefined {
    if (!liveIndexOf(this.#resources).currentNow()) return undefined;
    const found = this.#cache.get(text);
    return found?.taxonomy === taxonomy ? found : undefined;
  }

  keep(text: string, taxonomy: Taxonomy, hits: Hits): void {
    if (hits.edition === undefined || hits.edition !== liveIndexOf(this.#resources).currentNow()?.edition) return;
    const bytes = objectBytes + idBytes * hits.ids.length + 2 * hits.fields.length;
    this.#cache.set(text, { ...hits, taxonomy }, bytes);
  }
}

export const rememberedSearchesOf = perServer((resources: Resources) => new RememberedSearches(resources));
