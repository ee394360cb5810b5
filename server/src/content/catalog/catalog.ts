// Content that this server keeps in memory: entries by id, loaded in batches and dropped when the change log names
// something that they are made of. Features define their entries (content/projects/entries.ts). Access is not decided
// here: for anything that is not public, the database is queried at every request.

import { type Figures, type FiguresChange, figuresOf } from "#content/records/figures.js";
import { ByteCache } from "#lib/byte-cache.js";
import type { CacheFigures, SharedCacheName } from "#platform/changes/cache.js";
import type { Change, ChangeLog } from "#platform/changes/change-log.js";
import { perServer } from "#platform/changes/server-memory.js";
import type { Resources } from "#platform/http/resources.js";

export interface EntryKind<T> {
  name: SharedCacheName;
  /** The approximate memory that an entry takes. */
  weigh(entry: T): number;
  /** The entries with these ids. Unknown ids are left out. */
  load(resources: Resources, ids: readonly string[]): Promise<Map<string, T>>;
  /** Drops the entries that this change makes stale. */
  onChange(change: Change, entries: Entries<T>): void;
  /** The entry with new figures, if it shows any. `change` has its id. */
  withFigures?(entry: T, change: FiguresChange): T;
}

/** No id looks like this. */
const everything = "*";
const longestId = 100;

/**
 * The entries of one kind. An entry is not kept if a change arrives while it is being loaded, so every kept entry was
 * read after the last change that this server knows of.
 */
export class Entries<T> {
  readonly #resources: Resources;
  readonly #kind: EntryKind<T>;
  readonly #entries: ByteCache<T>;
  #hits = 0;
  #misses = 0;
  readonly #loading = new Set<Set<string>>();

  constructor(resources: Resources, kind: EntryKind<T>) {
    this.#resources = resources;
    this.#kind = kind;
    this.#entries = new ByteCache({ limit: () => resources.memory.limitOf(kind.name), longestKey: longestId });
    resources.memory.show(this);
  }

  figures(): CacheFigures {
    const { bytes, size: entries } = this.#entries;
    return {
      name: this.#kind.name,
      bytes,
      limit: this.#resources.memory.limitOf(this.#kind.name),
      entries,
      hits: this.#hits,
      misses: this.#misses,
    };
  }

  /** The entry, if it is in memory. */
  peek(id: string): T | undefined {
    return this.#entries.get(id);
  }

  /** The entries with these ids; missing ones are loaded together. Unknown ids are left out. */
  async load(ids: readonly string[]): Promise<Map<string, T>> {
    const found = new Map<string, T>();
    const missing: string[] = [];
    for (const id of ids) {
      const entry = this.#entries.get(id);
      if (entry === undefined) missing.push(id);
      else found.set(id, entry);
    }
    this.#hits += found.size;
    this.#misses += missing.length;
    if (missing.length === 0) return found;
    const dropped = new Set<string>();
    this.#loading.add(dropped);
    try {
      for (const [id, entry] of await this.#kind.load(this.#resources, missing)) {
        found.set(id, entry);
        if (!dropped.has(id) && !dropped.has(everything)) this.#keep(id, entry);
      }
    } finally {
      this.#loading.delete(dropped);
    }
    return found;
  }

  onChange(change: Change): void {
    this.#kind.onChange(change, this);
  }

  /** Figures change often and make nothing else stale: the entry is replaced, and the edition stays. */
  onFigures(change: FiguresChange): void {
    const { withFigures } = this.#kind;
    if (!withFigures) return;
    const { projectId: id } = change;
    // An entry that is being loaded may have earlier figures.
    for (const dropped of this.#loading) dropped.add(id);
    const entry = this.#entries.get(id);
    if (entry !== undefined) this.#keep(id, withFigures(entry, change));
  }

  drop(id: string): void {
    this.#entries.delete(id);
    for (const dropped of this.#loading) dropped.add(id);
  }

  /**
   * For a change that names no entry. Entries that are being loaded may be stale too but cannot be checked yet, so all
   * of them are dropped.
   */
  dropWhere(isStale: (entry: T) => boolean): void {
    for (const dropped of this.#loading) dropped.add(everything);
    for (const [id, entry] of this.#entries.entries()) if (isStale(entry)) this.#entries.delete(id);
  }

  #keep(id: string, entry: T): void {
    this.#entries.set(id, entry, this.#kind.weigh(entry));
  }
}

/** The kinds of changes that can affect entries. */
const kinds: ReadonlySet<Change["kind"]> = new Set(["project", "file", "organization", "user", "taxonomy"]);

type AnyEntries = Pick<Entries<unknown>, "onChange" | "onFigures" | "dropWhere">;

/** All entries of one server. */
export class Catalog {
  readonly #all: AnyEntries[] = [];
  #edition = 0;

  constructor(changeLog: ChangeLog, figures: Figures) {
    figures.subscribe({
      figuresChanged: (changes) => {
        for (const entries of this.#all) for (const change of changes) entries.onFigures(change);
      },
      figuresLost: () => this.forget(),
    });
    changeLog.subscribe((change) => {
      if (!kinds.has(change.kind)) return;
      this.#edition++;
      if (change.kind === "taxonomy") this.forget();
      else for (const entries of this.#all) entries.onChange(change);
    });
  }

  add(entries: AnyEntries): void {
    this.#all.push(entries);
  }

  /** This number grows whenever anything in the catalogue but figures may have changed. */
  get edition(): number {
    return this.#edition;
  }

  forget(): void {
    this.#edition++;
    for (const entries of this.#all) entries.dropWhere(() => true);
  }
}

export const catalogOf = perServer((resources: Resources) => new Catalog(resources.changeLog, figuresOf(resources)));

/** Declares a kind of entries, with one set per server. */
export const keepEntries = <T>(kind: EntryKind<T>): ((resources: Resources) => Entries<T>) =>
  perServer((resources: Resources) => {
    const entries = new Entries(resources, kind);
    catalogOf(resources).add(entries);
    return entries;
  });

/** The id of a file in the change log: both hashes, so that look-ups by either can drop it. */
export const fileChangeId = (sha512: string, sha1: string): string => `${sha512}:${sha1}`;
