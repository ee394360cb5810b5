// The distinct sets of loaders and game versions of all versions. There are millions of versions but only thousands of
// sets, so each is in memory once and has a number, and a filter is compared with each of them only once.
import type { OfferedNames } from "./prepared-format.js";

export interface OfferedSet {
  loaders: ReadonlySet<string>;
  gameVersions: ReadonlySet<string>;
}

/** About 300 bytes each. A registry of 1.1 million versions has 7,500; if there are too many, they are read again and again. */
const mostSets = 50_000;
/** Sets that may be added before a filter needs more memory. */
const spareSets = 1000;

export class OfferedSets {
  /** Numbers are valid as long as this is the same object. */
  #generation: object = {};
  readonly #numbers = new Map<string, number>();
  readonly #sets: OfferedNames[] = [];

  get generation(): object {
    return this.#generation;
  }

  get size(): number {
    return this.#sets.length;
  }

  get(number: number): OfferedSet {
    const [loaders, gameVersions] = this.#sets[number]!;
    return { loaders: new Set(loaders), gameVersions: new Set(gameVersions) };
  }

  find(key: string): number | undefined {
    return this.#numbers.get(key);
  }

  /** Makes room for so many sets, which makes all numbers invalid if there is not enough. */
  reserve(count: number): void {
    if (this.#sets.length + count <= mostSets) return;
    this.#generation = {};
    this.#numbers.clear();
    this.#sets.length = 0;
  }

  add(key: string, names: OfferedNames): number {
    const number = this.#sets.push(names) - 1;
    this.#numbers.set(key, number);
    return number;
  }
}

const unknown = 0;
const fits = 1;
const fitsNot = 2;

/** A filter of versions. */
export class SetFilter {
  /** One bit for each channel. */
  readonly channels: number;
  readonly takesAllSets: boolean;
  readonly #matches: (set: OfferedSet) => boolean;
  /** The result for each set, by its number. */
  #known = new Uint8Array(0);
  #generation: object | undefined;

  /** Without a function, every set fits. */
  constructor(channels: number, matches?: (set: OfferedSet) => boolean) {
    this.channels = channels;
    this.takesAllSets = matches === undefined;
    this.#matches = matches ?? (() => true);
  }

  /** Must be called before sets are compared, when numbers may have changed. */
  begin(sets: OfferedSets): void {
    const isCurrent = this.#generation === sets.generation;
    if (isCurrent && sets.size <= this.#known.length) return;
    const before = isCurrent ? this.#known : new Uint8Array(0);
    this.#generation = sets.generation;
    this.#known = new Uint8Array(sets.size + spareSets);
    this.#known.set(before);
  }

  matches(sets: OfferedSets, number: number): boolean {
    const known = this.#known[number];
    if (known !== unknown) return known === fits;
    const found = this.#matches(sets.get(number));
    this.#known[number] = found ? fits : fitsNot;
    return found;
  }
}
