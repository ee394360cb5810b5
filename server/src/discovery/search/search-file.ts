// The index in the cache folder, as the arrays that it consists of: a start that finds it reads only what has changed since.
// It is a cache: if it is missing, damaged or belongs to another database, everything is read from the rows.
import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { type MissedChanges, readMissed } from "#content/catalog/missed-changes.js";
import { cacheFolderOf } from "#content/hashes/fingerprint-secret.js";
import { readArrays, writeArrays } from "#lib/array-file.js";
import { version } from "#lib/version.js";
import type { Resources } from "#platform/http/resources.js";
import type { DescribedPlace } from "./described.js";
import type { StoredFigures } from "./orders.js";
import { SearchIndex, type StoredIndex } from "./search-index.js";

/** Increased when the form of the file changes between two releases. */
const format = 4;
/** Smaller indexes are loaded from the rows as quickly. */
const leastProjects = 2000;
/** The file is written again when more than one in so many of its projects have changed. */
const changedShare = 50;

/** The figures at a position of the change log. */
export interface FiguresThen {
  position: number;
  /** The day for which recent downloads were counted. */
  day: number;
  bySlot: StoredFigures;
}

/** The index, and the revision of each document that it has; 0 if it has none. Figures only after a regular stop. */
export interface StoredSearch {
  searchIndex: SearchIndex;
  revisions: Float64Array<ArrayBuffer>;
  figures?: FiguresThen | undefined;
}

interface Content extends Omit<StoredSearch, "searchIndex"> {
  stamp: string;
  index: StoredIndex;
}

type Surroundings = Pick<Resources, "config" | "db" | "log" | "peers" | "changeLog" | "random">;

export class SearchFile {
  readonly #around: Surroundings;
  readonly #folder: string;
  readonly #least: number;

  constructor(around: Surroundings, least = leastProjects) {
    this.#around = around;
    this.#folder = cacheFolderOf(around.config.dataDir);
    this.#least = least;
  }

  /** Undefined if it cannot be used. */
  async read(): Promise<StoredSearch | undefined> {
    try {
      const content = (await readArrays(this.#path)) as Content | undefined;
      if (content?.stamp !== (await this.#stamp())) return undefined;
      const { index, revisions, figures } = content;
      return { searchIndex: new SearchIndex(index), revisions, figures };
    } catch (error) {
      this.#around.log.warn({ err: error }, "The stored search index cannot be used; it is made from the database");
      return undefined;
    }
  }

  /** The changes after the stored figures. Undefined if they are not known. */
  async readMissed({ position }: FiguresThen): Promise<MissedChanges | undefined> {
    const missed = await readMissed(this.#around, position);
    return missed?.lacksFigures ? undefined : missed;
  }

  /** Whether so many changed documents are worth writing the file. One of the workers is enough. */
  isWorthWriting({ size }: SearchIndex, changed: number): boolean {
    return size >= this.#least && changed * changedShare > size && this.#around.peers.number === 1;
  }

  /** The index must be packed, and must not change until it is written. */
  async write({ searchIndex, ...rest }: StoredSearch): Promise<void> {
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      const index = searchIndex.store();
      await writeArrays(this.#path, { stamp: await this.#stamp(), index, ...rest } satisfies Content);
    } catch (error) {
      this.#around.log.warn({ err: error }, "The search index cannot be stored; the next start makes it again");
    }
  }

  /** The file of the words in descriptions. Undefined if the index is so small that the database finds them as quickly. */
  async placeOfWords({ size }: SearchIndex): Promise<DescribedPlace | undefined> {
    if (size < this.#least) return undefined;
    const { peers, random } = this.#around;
    return {
      ...{ path: join(this.#folder, "search-words"), stamp: await this.#stamp(), isWriter: peers.number === 1 },
      newPair: () => random.bytes(16).toString("hex"),
    };
  }

  get #path(): string {
    return join(this.#folder, "search-index");
  }

  /** The database that it was made of, and the program that made it. */
  async #stamp(): Promise<string> {
    const { config, db } = this.#around;
    const { rows } = await sql<{ date_run: number }>`select date_run from migrations order by name limit 1`.execute(db);
    const database = config.database.engine === "sqlite" ? config.database.path : config.database.url;
    const parts = [format, version, database, rows[0]?.date_run];
    return createHash("sha256").update(parts.join("\0")).digest("hex");
  }
}
