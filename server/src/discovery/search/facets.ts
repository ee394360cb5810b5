// The filters of projects: for each value the set of projects that have it. Loaders, game versions and channels are
// stored together, per version: one version for the loader and another for the game version do not match.
import type { Environment } from "#platform/db/tables.js";
import type { Bits, QueryBits } from "./bits.js";
import type { SearchEntry } from "./entry.js";
import { spaceFor } from "./packed-numbers.js";
import { SlotSet, type StoredSet } from "./slot-set.js";

/** Parts by their values, in the form in which they are stored. */
type StoredMap<T> = [value: string, part: T][];

const storeAll = <T>(parts: ReadonlyMap<string, { store(): T }>): StoredMap<T> =>
  Array.from(parts, ([value, part]) => [value, part.store()]);

const restoreAll = <S, T>(stored: StoredMap<S> | undefined, restore: (each: S) => T): Map<string, T> =>
  new Map(stored?.map(([value, each]) => [value, restore(each)]));

interface StoredFitting {
  all: StoredSet;
  byGameVersion: StoredMap<StoredSet>;
}

interface StoredShelved {
  any: StoredFitting;
  byLoader: StoredMap<StoredFitting>;
  byLoaders: StoredMap<StoredFitting>;
}

export interface StoredFacets {
  types: StoredMap<StoredSet>;
  categories: StoredMap<StoredSet>;
  sides: StoredMap<StoredSet>;
  environments: StoredMap<StoredSet>;
  disclosures: StoredMap<StoredSet>;
  licenses: StoredMap<StoredSet>;
  withSource: StoredSet;
  versions: StoredShelved;
  byChannel: StoredMap<StoredShelved>;
}

/** The projects with versions of some kind, and with such versions for each game version. */
class Fitting {
  readonly all: SlotSet;
  readonly byGameVersion: Map<string, SlotSet>;

  constructor(stored?: StoredFitting) {
    this.all = stored ? SlotSet.restore(stored.all) : new SlotSet();
    this.byGameVersion = restoreAll(stored?.byGameVersion, SlotSet.restore);
  }

  store(): StoredFitting {
    return { all: this.all.store(), byGameVersion: storeAll(this.byGameVersion) };
  }

  add(slot: number, gameVersions: readonly string[]): void {
    this.all.add(slot);
    for (const gameVersion of gameVersions) getOrMake(this.byGameVersion, gameVersion, () => new SlotSet()).add(slot);
  }

  /** The set of all game versions, or of any of these. */
  sets(gameVersions: readonly string[]): SlotSet[] {
    return gameVersions.length === 0 ? [this.all] : gameVersions.flatMap((each) => this.byGameVersion.get(each) ?? []);
  }
}

/** Stands for versions without loaders. No URL can contain it. */
export const noLoader = "\0";

/**
 * The conditions for one version: all these loaders, one of these game versions, one of these channels. Absent: any.
 */
export interface Wanted {
  loaders?: readonly string[];
  /** One of the loaders is enough. */
  isAnyLoader?: boolean;
  gameVersions?: readonly string[];
  channels?: ReadonlySet<string> | undefined;
}

/**
 * The versions of some channels: all of them; those for one loader; those for exactly this set, if several loaders are
 * wanted.
 */
class Shelved {
  readonly any: Fitting;
  readonly byLoader: Map<string, Fitting>;
  readonly #byLoaders: Map<string, Fitting>;

  constructor(stored?: StoredShelved) {
    const restore = (each: StoredFitting) => new Fitting(each);
    this.any = new Fitting(stored?.any);
    this.byLoader = restoreAll(stored?.byLoader, restore);
    this.#byLoaders = restoreAll(stored?.byLoaders, restore);
  }

  store(): StoredShelved {
    return { any: this.any.store(), byLoader: storeAll(this.byLoader), byLoaders: storeAll(this.#byLoaders) };
  }

  add(slot: number, loaders: readonly string[], gameVersions: readonly string[]): void {
    this.any.add(slot, gameVersions);
    if (loaders.length === 0) fittingOf(this.byLoader, noLoader).add(slot, gameVersions);
    for (const loader of loaders) fittingOf(this.byLoader, loader).add(slot, gameVersions);
    if (loaders.length > 1) fittingOf(this.#byLoaders, loaders.join(",")).add(slot, gameVersions);
  }

  allSets(): SlotSet[] {
    const parts = [this.any, ...this.byLoader.values(), ...this.#byLoaders.values()];
    return parts.flatMap(({ all, byGameVersion }) => [all, ...byGameVersion.values()]);
  }

  sets({ loaders = [], isAnyLoader = false, gameVersions = [] }: Omit<Wanted, "channels">): SlotSet[] {
    const [loader] = loaders;
    if (loader === undefined) return this.any.sets(gameVersions);
    if (loaders.every((each) => each === loader)) return this.byLoader.get(loader)?.sets(gameVersions) ?? [];
    if (isAnyLoader) return loaders.flatMap((each) => this.byLoader.get(each)?.sets(gameVersions) ?? []);
    const hasAll = (key: string) => loaders.every((each) => key.split(",").includes(each));
    return [...this.#byLoaders].flatMap(([key, fitting]) => (hasAll(key) ? fitting.sets(gameVersions) : []));
  }
}

/** Some projects, and the same as a list if they are few. */
export interface Selection {
  bits: Bits;
  list: Uint32Array | undefined;
}

/** Some kinds of versions (Facets.shelvesOf). */
export type Shelves = readonly Shelved[];

/** The number of these projects that have a version with all of this. `room` is overwritten. */
export function countFitting(
  selection: Selection,
  room: Bits,
  shelves: Shelves,
  wanted: Omit<Wanted, "channels">,
): number {
  const [first] = shelves;
  const sets = shelves.length === 1 ? first!.sets(wanted) : shelves.flatMap((shelved) => shelved.sets(wanted));
  return countInAny(selection, room, sets);
}

/** The number of these projects that are in one of the sets. `room` is overwritten. */
export function countInAny({ bits, list }: Selection, room: Bits, sets: readonly SlotSet[]): number {
  if (list) {
    let missing = list;
    const into = spaceFor(list.length);
    for (const set of sets) missing = into.subarray(0, set.findMissing(missing, into));
    return list.length - missing.length;
  }
  if (sets.length < 2) return sets[0]?.countIn(bits) ?? 0;
  room.clear();
  for (const set of sets) set.orInto(room);
  return bits.countIn(room.words);
}

export const sides = ["client", "server"] as const;
export type Side = (typeof sides)[number];

/**
 * The meaning of each environment filter (earlier-service 4.16): both required; or usable on that side without the
 * other.
 */
export const fitsSides: Record<string, (client: Environment, server: Environment) => boolean> = {
  client: (client, server) => client !== "unsupported" && server !== "required",
  server: (client, server) => server !== "unsupported" && client !== "required",
  "client,server": (client, server) => client === "required" && server === "required",
};

const isUsed = (environment: Environment): boolean => environment === "required" || environment === "optional";

/** The environment filters of the website: where a project can be used, and where alone. */
export const fitsEnvironment = {
  client: (client: Environment) => isUsed(client),
  server: (_client: Environment, server: Environment) => isUsed(server),
  "client-only": (client: Environment, server: Environment) => isUsed(client) && server === "unsupported",
  "server-only": (client: Environment, server: Environment) => isUsed(server) && client === "unsupported",
  both: (client: Environment, server: Environment) => client === "required" && server === "required",
};
export type EnvironmentFilter = keyof typeof fitsEnvironment;
export const environmentFilters = Object.keys(fitsEnvironment) as EnvironmentFilter[];

/** The key of the projects with this value for a side. */
export const sideValue = (side: Side, value: Environment): string => `${side} ${value}`;

function getOrMake<T>(values: Map<string, T>, key: string, make: () => T): T {
  let value = values.get(key);
  if (value === undefined) {
    value = make();
    values.set(key, value);
  }
  return value;
}

const setOf = (sets: Map<string, SlotSet>, value: string): SlotSet => getOrMake(sets, value, () => new SlotSet());
const fittingOf = (parts: Map<string, Fitting>, key: string): Fitting => getOrMake(parts, key, () => new Fitting());

export class Facets {
  readonly types: Map<string, SlotSet>;
  readonly categories: Map<string, SlotSet>;
  /** By environment filter, as in fitsSides. */
  readonly sides: Map<string, SlotSet>;
  /** By environment filter of the website, as in fitsEnvironment, and by the value of each side (sideValue). */
  readonly environments: Map<string, SlotSet>;
  readonly disclosures: Map<string, SlotSet>;
  /** By id. */
  readonly licenses: Map<string, SlotSet>;
  readonly withSource: SlotSet;
  readonly #versions: Shelved;
  readonly #byChannel: Map<string, Shelved>;

  constructor(stored?: StoredFacets) {
    this.types = restoreAll(stored?.types, SlotSet.restore);
    this.categories = restoreAll(stored?.categories, SlotSet.restore);
    this.sides = restoreAll(stored?.sides, SlotSet.restore);
    this.environments = restoreAll(stored?.environments, SlotSet.restore);
    this.disclosures = restoreAll(stored?.disclosures, SlotSet.restore);
    this.licenses = restoreAll(stored?.licenses, SlotSet.restore);
    this.withSource = stored ? SlotSet.restore(stored.withSource) : new SlotSet();
    this.#versions = new Shelved(stored?.versions);
    this.#byChannel = restoreAll(stored?.byChannel, (each) => new Shelved(each));
  }

  store(): StoredFacets {
    return {
      ...{ types: storeAll(this.types), categories: storeAll(this.categories), sides: storeAll(this.sides) },
      ...{ environments: storeAll(this.environments), disclosures: storeAll(this.disclosures) },
      licenses: storeAll(this.licenses),
      ...{
        withSource: this.withSource.store(),
        versions: this.#versions.store(),
        byChannel: storeAll(this.#byChannel),
      },
    };
  }

  add(slot: number, entry: SearchEntry): void {
    for (const type of entry.types) setOf(this.types, type).add(slot);
    for (const category of entry.categories) setOf(this.categories, category).add(slot);
    for (const [choice, fits] of Object.entries(fitsSides))
      if (fits(entry.clientSide, entry.serverSide)) setOf(this.sides, choice).add(slot);
    for (const choice of environmentFilters)
      if (fitsEnvironment[choice](entry.clientSide, entry.serverSide)) setOf(this.environments, choice).add(slot);
    for (const side of sides) setOf(this.environments, sideValue(side, entry[`${side}Side`])).add(slot);
    for (const tag of entry.disclosed ?? []) setOf(this.disclosures, tag).add(slot);
    if (entry.license !== undefined) setOf(this.licenses, entry.license).add(slot);
    if (entry.hasSource) this.withSource.add(slot);
    for (const { channel, loaders, gameVersions } of entry.fits) {
      this.#versions.add(slot, loaders, gameVersions);
      getOrMake(this.#byChannel, channel, () => new Shelved()).add(slot, loaders, gameVersions);
    }
  }

  withLoader = (loader: string): SlotSet | undefined => this.#versions.byLoader.get(loader)?.all;

  get gameVersions(): Iterable<string> {
    return this.#versions.any.byGameVersion.keys();
  }

  get loaders(): Iterable<string> {
    return [...this.#versions.byLoader.keys()].filter((loader) => loader !== noLoader);
  }

  /** Projects with a version that has all of this. The set must not be changed. */
  fitting(room: QueryBits, wanted: Wanted): Bits | SlotSet {
    const sets = this.#setsFitting(wanted);
    if (sets.length === 1) return sets[0]!;
    const bits = room.take();
    for (const set of sets) set.orInto(bits);
    return bits;
  }

  /** The versions of these channels, or of all of them. */
  shelvesOf(channels: ReadonlySet<string> | undefined): Shelves {
    if (!channels) return [this.#versions];
    const named = [...this.#byChannel].filter(([channel]) => channels.has(channel));
    // The sets of all channels together are already built.
    return named.length < this.#byChannel.size ? named.map(([, each]) => each) : [this.#versions];
  }

  #setsFitting({ channels, ...wanted }: Wanted): SlotSet[] {
    return this.shelvesOf(channels).flatMap((shelved) => shelved.sets(wanted));
  }

  get bytes(): number {
    return this.#allSets().reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Gives back the space for more projects. */
  trim(): void {
    for (const set of this.#allSets()) set.trim();
  }

  #allSets(): SlotSet[] {
    const maps = [this.types, this.categories, this.sides, this.environments, this.disclosures, this.licenses];
    const sets = maps.flatMap((each) => [...each.values()]);
    const shelves = [this.#versions, ...this.#byChannel.values()];
    return [...sets, this.withSource, ...shelves.flatMap((each) => each.allSets())];
  }
}
