// What this server keeps of the content in memory: entries by id, loaded together where they are missing and dropped when
// the change log names something they are made of. Features say what their entries are (content/projects/entries.ts).
// Access to an entry is not decided here: for everything that is not public the database is asked at every request.
import type { Change, ChangeLog } from "#platform/changes/change-log.js";
import { perServer } from "#platform/changes/server-memory.js";
import type { Resources } from "#platform/http/resources.js";

export interface EntryKind<T> {
  /** At most so many entries are kept. The oldest go first: hot ones come back with the next read, which costs little. */
  most: number;
  /** The entries with these ids. Ids that do not exist are left out. */
  load(resources: Resources, ids: readonly string[]): Promise<Map<string, T>>;
  /** Drops the entries that this change makes stale. */
  hear(change: Change, entries: Entries<T>): void;
}

/** No id looks like this. */
const everything = "*";

/**
 * The entries of one kind. A change that arrives while an entry is being loaded keeps the result out of memory: what is
 * kept was read after the last change that this server has heard of.
 */
export class Entries<T> {
  readonly #resources: Resources;
  readonly #kind: EntryKind<T>;
  readonly #entries = new Map<string, T>();
  readonly #loading = new Set<Set<string>>();

  constructor(resources: Resources, kind: EntryKind<T>) {
    this.#resources = resources;
    this.#kind = kind;
  }

  /** The entry, if it is in memory. */
  peek(id: string): T | undefined {
    return this.#entries.get(id);
  }

  /** The entries with these ids, the missing ones loaded together. Ids that do not exist are left out. */
  async load(ids: readonly string[]): Promise<Map<string, T>> {
    const found = new Map<string, T>();
    const missing: string[] = [];
    for (const id of ids) {
      const entry = this.#entries.get(id);
      if (entry === undefined) missing.push(id);
      else found.set(id, entry);
    }
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

  hear(change: Change): void {
    this.#kind.hear(change, this);
  }

  drop(id: string): void {
    this.#entries.delete(id);
    for (const dropped of this.#loading) dropped.add(id);
  }

  /** For a change that names no entry. What is being loaded may hold the old state too, and cannot be asked yet. */
  dropWhere(isStale: (entry: T) => boolean): void {
    for (const dropped of this.#loading) dropped.add(everything);
    for (const [id, entry] of this.#entries) if (isStale(entry)) this.#entries.delete(id);
  }

  #keep(id: string, entry: T): void {
    if (this.#entries.size >= this.#kind.most) this.#entries.delete(this.#entries.keys().next().value!);
    this.#entries.set(id, entry);
  }
}

/** What entries are made of. */
const kinds: ReadonlySet<Change["kind"]> = new Set(["project", "file", "organization", "user", "taxonomy"]);

/** All entries of one server. */
export class Catalog {
  readonly #all: Pick<Entries<unknown>, "hear" | "dropWhere">[] = [];
  #edition = 0;

  constructor(changeLog: ChangeLog) {
    changeLog.subscribe((change) => {
      if (!kinds.has(change.kind)) return;
      this.#edition++;
      if (change.kind === "taxonomy") this.forget();
      else for (const entries of this.#all) entries.hear(change);
    });
  }

  add(entries: Pick<Entries<unknown>, "hear" | "dropWhere">): void {
    this.#all.push(entries);
  }

  /** Another number as soon as anything in here may have changed. */
  get edition(): number {
    return this.#edition;
  }

  forget(): void {
    this.#edition++;
    for (const entries of this.#all) entries.dropWhere(() => true);
  }
}

/** One per server. */
export const catalogOf = perServer(({ changeLog }: Resources) => new Catalog(changeLog));

/** Entries of this kind, one set of them per server. */
export const keepEntries = <T>(kind: EntryKind<T>): ((resources: Resources) => Entries<T>) =>
  perServer((resources: Resources) => {
    const entries = new Entries(resources, kind);
    catalogOf(resources).add(entries);
    return entries;
  });

/** The change log's name for a file: both hashes, so that look-ups by either can forget it. */
export const fileChangeId = (sha512: string, sha1: string): string => `${sha512}:${sha1}`;
