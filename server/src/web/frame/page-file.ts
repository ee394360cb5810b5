// The file with stored pages, in the folder of the prepared answers that they were made of. It is a cache: it is never
// synchronized with the disk, each page has a checksum, and if the file cannot be used, pages are made when they are requested.
import { join } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { pagesName } from "#content/records/answers-store.js";
import { packId } from "#lib/packed-id.js";

/**
 * Two or three pages fit into one block. Half a mebibyte of memory is enough for the inner blocks of the tree, which every
 * look-up reads. A mebibyte is moved from the log to the file at once, which requests wait for.
 */
const setUp = `
  pragma page_size = 16384;
  pragma journal_mode = wal;
  pragma synchronous = off;
  pragma cache_size = -512;
  pragma wal_autocheckpoint = 64;
  create table if not exists pages (project integer primary key, origin text not null, page blob not null)`;

/** A page, and what it was made of (stored-page.ts), which can be read without it. */
export interface EncodedPage {
  origin: string;
  page: Uint8Array;
}

export class PageFile {
  readonly #file: DatabaseSync;
  readonly #find: StatementSync;
  readonly #findOrigin: StatementSync;
  readonly #put: StatementSync;
  readonly #delete: StatementSync;

  /** Throws if it cannot be opened. */
  constructor(folder: string) {
    this.#file = new DatabaseSync(join(folder, pagesName), { timeout: 100 });
    this.#file.exec(setUp);
    this.#find = this.#file.prepare("select origin, page from pages where project = ?");
    this.#findOrigin = this.#file.prepare("select origin from pages where project = ?");
    this.#put = this.#file.prepare("insert or replace into pages (project, origin, page) values (?, ?, ?)");
    this.#delete = this.#file.prepare("delete from pages where project = ?");
  }

  find(projectId: string): EncodedPage | undefined {
    const key = packId(projectId);
    return key === undefined ? undefined : (this.#find.get(key) as EncodedPage | undefined);
  }

  findOrigin(projectId: string): string | undefined {
    const key = packId(projectId);
    return key === undefined ? undefined : (this.#findOrigin.get(key)?.origin as string | undefined);
  }

  put(pages: readonly (EncodedPage & { projectId: string })[]): void {
    this.#file.exec("begin immediate");
    try {
      for (const { projectId, origin, page } of pages) {
        const key = packId(projectId);
        if (key !== undefined) this.#put.run(key, origin, page);
      }
      this.#file.exec("commit");
    } catch (error) {
      this.#file.exec("rollback");
      throw error;
    }
  }

  delete(projectId: string): void {
    const key = packId(projectId);
    if (key !== undefined) this.#delete.run(key);
  }

  close(): void {
    this.#file.close();
  }
}
