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

export class IndexTables {
  readonly numbers: ProjectNumbers;
  /** From hashes of both algorithms to projects. The note is where the version is in the prepared project, if it is known. */
  readonly files: FingerprintTable;
  /** From slugs and old slugs to projects. */
  readonly slugs: FingerprintTable;
  readonly #key: FingerprintKey;

  constructor(key: FingerprintKey, moved?: MovedTables) {
    this.#key = key;
    this.numbers = new ProjectNumbers(key, moved?.numbers);
    this.files = new FingerprintTable(moved?.files, { hasNotes: true });
    this.slugs = new FingerprintTable(moved?.slugs);
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
  setFile(hex: string, projects: ReadonlySet<number>, onAdd: (project: number) => void): void {
    if (this.#key.readHex(hex)) this.files.set(this.#key.high, this.#key.low, projects, onAdd);
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
  const tables = new IndexTables(key);
  const snapshot = await openSnapshot(place);
  try {
    let count = 0;
    const read = async (table: string, columns: string[], take: (row: unknown[]) => void): Promise<boolean> => {
      for await (const rows of snapshot.read(table, columns)) {
        count += rows.length;
        if (count > mostRows) return false;
        for (const row of rows) take(row);
      }
      return true;
    };
    const isWhole =
      (await read("projects", ["slug", "id"], ([slug, id]) => tables.addSlug(slug as string, id as string))) &&
      (await read("project_old_slugs", ["slug", "project_id"], ([slug, id]) =>
        tables.addSlug(slug as string, id as string),
      )) &&
      (await read("version_files", ["sha1", "sha512", "project_id"], ([sha1, sha512, id]) => {
        const number = tables.numbers.add(id as string);
        tables.addFile(sha1 as Uint8Array, number);
        tables.addFile(sha512 as Uint8Array, number);
      }));
    return isWhole ? tables : undefined;
  } finally {
    await snapshot.close();
  }
}
