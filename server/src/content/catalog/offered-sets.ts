// The distinct sets of loaders and game versions of all versions. There are millions of versions but only thousands of
// sets, so each is in memory once and has a number, and a filter is compared with each of them only once.
import type { OfferedNames } from "./prepared-format.js";

export interface OfferedSet {
  loaders: ReadonlySet<string>;
  gameVersions: ReadonlySet<string>;
}

/** About 2 KB each. */
const mostSets = 5000;

export class OfferedSets {
  /** Numbers are valid as long as this is the same object. */
  #generation: object = {};
  readonly #numbers = new Map<string, number>();
  readonly #sets: OfferedSet[] = [];

  get generation(): object {
    return this.#generation;
  }

  get(number: number): OfferedSet {
    return this.#sets[number]!;
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

  add(key: string, [loaders, gameVersions]: OfferedNames): number {
    const number = this.#sets.push({ loaders: new Set(loaders), gameVersions: new Set(gameVersions) }) - 1;
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
    if (this.#generation === sets.generation) return;
    this.#generation = sets.generation;
    this.#known = new Uint8Array(mostSets);
  }

  matches(sets: OfferedSets, number: number): boolean {
    // A project can have more sets than are kept otherwise; those are compared each time.
    const known = this.#known[number] ?? unknown;
    if (known !== unknown) return known === fits;
    const found = this.#matches(sets.get(number));
    this.#known[number] = found ? fits : fitsNot;
    return found;
  }
}
