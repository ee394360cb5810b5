// A cache of answers to anonymous callers: users of the same modpack send the same requests. An answer is cached from
// the second request on, until anything in the catalogue changes, so it is never stale. Memory is bounded.

import type { Cache as Keep } from "#platform/changes/cache.js";
import { perServer } from "#platform/changes/server-memory.js";
import type { HotRead } from "#platform/http/hot-path.js";
import type { Resources } from "#platform/http/resources.js";
import { catalogOf } from "./catalog.js";

const mostBytes = 64 * 1024 * 1024;
const referenceBytes = 32 * 1024 * 1024;
/** A key is a URL, or a list of hashes that arrived in one piece with its headers. */
const longestKey = 128 * 1024;
/** URLs of cached answers are short; a long one is not worth caching. */
const longestUrl = 256;
const mostSeen = 10_000;
/** Includes the compressed forms, which are much smaller than the answer itself. */
const weigh = ({ answer }: HotRead): number => 2 * answer.bytes.length;

export class KeptAnswers {
  readonly #answers: Keep<HotRead>;
  readonly #references: Keep<HotRead>;
  /**
   * Start and end of keys that were requested once: most are never requested again, and caching them would evict
   * others.
   */
  readonly #seen = new Set<string>();
  /** A moving average of the size of answers. */
  #usualWeight = 100 * 1024;

  constructor(resources: Resources) {
    const { memory } = resources;
    const edition = () => catalogOf(resources).edition;
    this.#answers = memory.createCache({ name: "lookUps", bytes: mostBytes, longestKey, edition });
    this.#references = memory.createCache({ name: "reads", bytes: referenceBytes, longestKey: longestUrl, edition });
  }

  /** Equal keys must always mean equal requests. */
  find(key: string): HotRead | undefined {
    return this.#references.get(key) ?? this.#answers.get(key);
  }

  /**
   * Records a key. Returns whether it was requested before, recently enough that its answer would still be cached when
   * it comes again; otherwise caching is not worth it.
   */
  isRepeated(key: string): boolean {
    const ends = key.slice(0, 200) + key.slice(-100) + key.length;
    if (this.#seen.has(ends)) return true;
    if (this.#seen.size >= Math.min(mostSeen, mostBytes / this.#usualWeight)) this.#seen.clear();
    this.#seen.add(ends);
    return false;
  }

  /** Caches an answer that was made from the current state of the catalogue. */
  keep(key: string, read: HotRead): HotRead {
    this.#answers.set(key, read, this.#weigh(key, read));
    return read;
  }

  /** Like keep, for an answer whose bytes are in the catalogue anyway: only the reference is cached. */
  keepReference(key: string, read: HotRead): HotRead {
    this.#references.set(key, read, read.answer.bytes.length);
    return read;
  }

  /**
   * Like keep, for an answer that is still being made: it is cached only if the catalogue does not change until then.
   */
  keepUnlessChanged(key: string, make: () => Promise<HotRead>): Promise<HotRead> {
    return this.#answers.load(key, make, (read) => this.#weigh(key, read));
  }

  #weigh(key: string, read: HotRead): number {
    this.#usualWeight += (key.length + weigh(read) - this.#usualWeight) / 16;
    return weigh(read);
  }
}

export const keptAnswersOf = perServer((resources: Resources) => new KeptAnswers(resources));
