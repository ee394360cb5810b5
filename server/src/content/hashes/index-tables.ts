// The tables of the hash index (hash-index.ts), and how they are filled from the database: at once on the main thread if
// the registry is small, otherwise in a thread of its own (index-thread.ts).
import type { Config } from "#config/config.js";
import type { FingerprintKey } from "#lib/fingerprint-key.js";
import { FingerprintTable, type MovedTable } from "#lib/fingerprint-table.js";
import { openSnapshot } from "#platform/db/snapshot.js";
import { type MovedNumbers, ProjectNumbers } from "./project-numbers.js";

/** The work of the thread. */
export interface IndexTask {
  place: Config["database"];
  secret: Uint8Array;
}

export interface MovedTables {
  numbers: MovedNumbers;
  files: MovedTable;
  slugs: MovedTable;
}

/** The number of rows in each table. */
interface RowCounts {
  projects: number;
  slugs: number;
  files: number;
}

const noRows: RowCounts = { projects: 0, slugs: 0, files: 0 };

export type OnFileAdded = (project: number, high: number, low: number) => void;

export class IndexTables {
  readonly numbers: ProjectNumbers;
  /** From hashes of both algorithms to projects. The note is where the version is in the prepared project, if it is known. */
  readonly files: FingerprintTable;
  /** From slugs and old slugs to projects. */
  readonly slugs: FingerprintTable;
  readonly #key: FingerprintKey;

  /** About so many rows will be added. */
  constructor(key: FingerprintKey, moved?: MovedTables, { projects, slugs, files }: RowCounts = noRows) {
    this.#key = key;
    this.numbers = new ProjectNumbers(key, moved?.numbers, projects);
    // Two hashes for each file.
    this.files = new FingerprintTable(moved?.files, { hasNotes: true, expected: 2 * files });
    this.slugs = new FingerprintTable(moved?.slugs, { expected: slugs });
  }

  get size(): number {
    return this.numbers.count + this.files.size + this.slugs.size;
  }

  get bytes(): number {
    return this.numbers.bytes + this.files.bytes + this.slugs.bytes;
  }

  move(): MovedTables {
    return { numbers: this.numbers.move(), files: this.files.move(), slugs: this.slugs.move() };
  }

  addSlug(slug: string, projectId: string): void {
    const number = this.numbers.add(projectId);
    this.#key.readText(slug);
    this.slugs.add(this.#key.high, this.#key.low, number);
  }

  addFile(hash: Uint8Array, project: number): void {
    this.#key.readBytes(hash);
    this.files.add(this.#key.high, this.#key.low, project);
  }

  /** Replaces the projects that have a file; calls `onAdd` for each that is new. */
  setFile(hex: string, projects: ReadonlySet<number>, onAdd: OnFileAdded): void {
    if (!this.#key.readHex(hex)) return;
    const [high, low] = [this.#key.high, this.#key.low];
    this.files.set(high, low, projects, (project) => onAdd(project, high, low));
  }

  /** A slug belongs to one project at a time. */
  setSlug(slug: string, project: number): void {
    this.#key.readText(slug);
    this.slugs.set(this.#key.high, this.#key.low, new Set([project]));
  }

  dropProjects(projects: ReadonlySet<number>): void {
    this.numbers.drop(projects);
    this.slugs.drop(projects);
  }
}

/** The arrays that are handed over without being copied. */
export const buffersOf = ({ numbers, files, slugs }: MovedTables): ArrayBuffer[] => [
  numbers.ids.buffer,
  ...[numbers.byId, files, slugs].flatMap(({ parts }) => parts.map(({ buffer }) => buffer)),
];

/** Undefined if there are more than `mostRows` rows. */
export async function readTables(
  place: Config["database"],
  key: FingerprintKey,
  mostRows = Number.POSITIVE_INFINITY,
): Promise<IndexTables | undefined> {
  const snapshot = await openSnapshot(place);
  try {
    const [projects, oldSlugs] = [await snapshot.count("projects"), await snapshot.count("project_old_slugs")];
    const rows = { projects, slugs: projects + oldSlugs, files: await snapshot.count("version_files") };
    if (rows.slugs + rows.files > mostRows) return undefined;
    const tables = new IndexTables(key, undefined, rows);
    const addSlug = ([slug, id]: unknown[]) => tables.addSlug(slug as string, id as string);
    for await (const some of snapshot.read("projects", ["slug", "id"])) for (const row of some) addSlug(row);
    for await (const some of snapshot.read("project_old_slugs", ["slug", "project_id"]))
      for (const row of some) addSlug(row);
    for await (const some of snapshot.read("version_files", ["sha1", "sha512", "project_id"]))
      for (const [sha1, sha512, id] of some) {
        const number = tables.numbers.add(id as string);
        tables.addFile(sha1 as Uint8Array, number);
        tables.addFile(sha512 as Uint8Array, number);
      }
    return tables;
  } finally {
    await snapshot.close();
  }
}
