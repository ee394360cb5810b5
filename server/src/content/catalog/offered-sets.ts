// The distinct sets of loaders and game versions of all versions. There are millions of versions but only thousands of
// sets, so each is in memory once, and a filter is compared with each of them only once.
import type { OfferedNames } from "./prepared-format.js";

export interface OfferedSet {
  loaders: ReadonlySet<string>;
  gameVersions: ReadonlySet<string>;
}

/** About 2 KB each. Projects in memory keep the sets that they use. */
const mostSets = 5000;

export class OfferedSets {
  readonly #sets = new Map<string, OfferedSet>();

  get(key: string): OfferedSet | undefined {
    return this.#sets.get(key);
  }

  add(key: string, [loaders, gameVersions]: OfferedNames): OfferedSet {
    if (this.#sets.size >= mostSets) this.#sets.clear();
    const set = { loaders: new Set(loaders), gameVersions: new Set(gameVersions) };
    this.#sets.set(key, set);
    return set;
  }
}

/** A filter of versions, for one request. */
export class SetFilter {
  /** One bit for each channel. */
  readonly channels: number;
  readonly takesAllSets: boolean;
  readonly #matches: (set: OfferedSet) => boolean;
  readonly #known = new Map<OfferedSet, boolean>();

  /** Without a function, every set fits. */
  constructor(channels: number, matches?: (set: OfferedSet) => boolean) {
    this.channels = channels;
    this.takesAllSets = matches === undefined;
    this.#matches = matches ?? (() => true);
  }

  matches(set: OfferedSet): boolean {
    const known = this.#known.get(set);
    if (known !== undefined) return known;
    const found = this.#matches(set);
    this.#known.set(set, found);
    return found;
  }
}
