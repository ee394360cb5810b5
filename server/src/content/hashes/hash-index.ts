// Finds the projects that have a file or a slug, in memory and without objects. The tables hold fingerprints, so a
// project that is found must be checked; a hash or slug that is not found does not exist, and needs no statement.
import type { Worker } from "node:worker_threads";
import { sql } from "kysely";
import type { FingerprintKey } from "#lib/fingerprint-key.js";
import type { CacheFigures } from "#platform/changes/cache.js";
import type { Change } from "#platform/changes/change-log.js";
import { perServer } from "#platform/changes/server-memory.js";
import { inList } from "#platform/db/dialect.js";
import type { Resources } from "#platform/http/resources.js";
import { type HashAlgorithm, selectProjectsByFile } from "./file-projects.js";
import { fingerprintKeyOf, fingerprintSecretOf } from "./fingerprint-secret.js";
import { readInThread } from "./index-link.js";
import { IndexTables, type IndexTask, type OnFileAdded, readTables } from "./index-tables.js";
import { Unread } from "./unread.js";

/** Larger registries are read in a thread; starting one takes longer than reading a small registry. */
const mostRowsHere = 5000;
const changesAtOnce = 500;
const retryMs = 2000;

export interface IndexOptions {
  mostRowsHere?: number;
}

/**
 * The tables are filled after the start, in the background. Then they follow the change log: a file or project that has
 * changed is read again, and until then look-ups that may concern it must use the database. So every look-up sees all
 * changes that this server knows of.
 */
export class HashIndex {
  readonly #resources: Resources;
  readonly #key: FingerprintKey;
  readonly #unsubscribe: () => void;
  /** Files (fileChangeId) and projects that have changed and were not read yet. */
  readonly #files = new Unread();
  readonly #projects = new Unread();
  /** How often each hash of either algorithm is in an unread file. */
  readonly #unreadHashes = new Map<string, number>();
  #tables: IndexTables | undefined;
  #isStarted = false;
  #isStopped = false;
  #mostRowsHere = mostRowsHere;
  #working: Promise<void> | undefined;
  #worker: Worker | undefined;
  #retry: NodeJS.Timeout | undefined;
  #hits = 0;
  #misses = 0;

  constructor(resources: Resources) {
    this.#resources = resources;
    this.#key = fingerprintKeyOf(resources);
    this.#unsubscribe = resources.changeLog.subscribe((change) => this.#onChange(change));
  }

  /** Begins to fill the tables. The change log must be followed already: changes from now on are not missed. */
  start(options: IndexOptions = {}): void {
    this.#mostRowsHere = options.mostRowsHere ?? mostRowsHere;
    this.#isStarted = true;
    this.#work();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#unsubscribe();
    clearTimeout(this.#retry);
    await this.#worker?.terminate();
    await this.#working;
  }

  /** False until the tables are filled, and after the stop; then the database must be used. */
  get isReady(): boolean {
    return this.#tables !== undefined && !this.#isStopped && this.#resources.changeLog.isFollowing;
  }

  /** Resolves when the tables are filled and contain all changes that this server knows of. */
  async settled(): Promise<void> {
    while (this.#working) await this.#working;
  }

  /**
   * Numbers of the projects that may have this file; none: no project has it. Undefined: the database must be used. The
   * hash may be in any case.
   */
  projectsWith(hash: string): readonly number[] | undefined {
    const tables = this.#tables;
    if (!tables || !this.isReady) return this.#missed();
    if (this.#unreadHashes.size > 0 && this.#unreadHashes.has(hash.toLowerCase())) return this.#missed();
    this.#hits++;
    return this.#key.readHex(hash) ? tables.files.find(this.#key.high, this.#key.low) : [];
  }

  /** Whether projects of hashes can be found by their fingerprints now. */
  get hasReadAllHashes(): boolean {
    return this.isReady && this.#unreadHashes.size === 0;
  }

  /**
   * The same as `projectsWith`, only while `hasReadAllHashes` and without a list: returns how many projects there are. The
   * first one is in `foundProject`, and `foundBlock` says where its version is, if that was set (setBlock), or is 0.
   */
  seek(high: number, low: number): number {
    this.#hits++;
    return this.#tables!.files.seek(high, low);
  }

  /** Makes the calls of `seek` for these fingerprints quicker, while `hasReadAllHashes`. */
  prefetch = (fingerprints: Uint32Array): void => this.#tables!.files.prefetch(fingerprints);

  get foundProject(): number {
    return this.#tables!.files.value;
  }

  get foundBlock(): number {
    return this.#tables!.files.note;
  }

  /** The same as `seek`, as a list. */
  projectsWithFingerprint(high: number, low: number): readonly number[] {
    return this.#tables!.files.find(high, low);
  }

  /** Where the version of a project with this file is in the prepared project (prepared-files.ts); 0 if it has none. */
  setBlock(high: number, low: number, project: number, block: number): void {
    this.#tables!.files.setNote(high, low, project, block);
  }

  /** Undoes all calls of `setBlock`. */
  clearBlocks(): void {
    this.#tables?.files.clearNotes();
  }

  /** Is called when a file was added to a project, whose block is not known then. */
  onFileAdded: OnFileAdded = () => {};

  /**
   * Numbers of the projects that may have this id, slug or old slug; none: no project has it. Undefined, or if none of
   * them has it: the database must be used, because the slug of a changed project is known only after it was read.
   */
  projectsNamed(ref: string): readonly number[] | undefined {
    const tables = this.#tables;
    if (!tables || !this.isReady) return this.#missed();
    const byId = tables.numbers.find(ref);
    if (byId !== undefined) {
      this.#hits++;
      return [byId];
    }
    this.#key.readText(ref.toLowerCase());
    const found = tables.slugs.find(this.#key.high, this.#key.low);
    if (found.length === 0 && this.#projects.size > 0) return this.#missed();
    this.#hits++;
    return found;
  }

  /** The number of a project, which never changes; undefined if the tables are not filled. */
  numberOf(projectId: string): number | undefined {
    return this.#tables?.numbers.add(projectId);
  }

  /** Only for numbers that this index has returned. */
  idOf(projectNumber: number): string {
    return this.#tables!.numbers.idOf(projectNumber);
  }

  /**
   * That many different projects in any state, each as likely as every other, in any order. Undefined if there are not
   * many more, or if the tables are not filled.
   */
  sampleIds(count: number): string[] | undefined {
    const numbers = this.#tables?.numbers;
    if (!numbers || !this.isReady || numbers.count < 2 * count) return undefined;
    const sample = new Set<number>();
    while (sample.size < count)
      sample.add(Math.floor((this.#resources.random.bytes(4).readUInt32LE() / 2 ** 32) * numbers.count));
    return [...sample].map((number) => numbers.idOf(number));
  }

  get bytes(): number {
    return this.#tables?.bytes ?? 0;
  }

  /** The index must hold everything, so it has no limit of its own. */
  figures(): CacheFigures {
    const { bytes = 0, size: entries = 0 } = this.#tables ?? {};
    return { name: "hashIndex", bytes, limit: bytes, entries, hits: this.#hits, misses: this.#misses };
  }

  #missed(): undefined {
    this.#misses++;
  }

  #onChange({ kind, id }: Change): void {
    if (!this.#isStarted) return;
    if (kind === "project") this.#projects.add(id);
    else if (kind === "file") {
      if (this.#files.add(id)) for (const hash of id.split(":")) this.#countHash(hash, 1);
    } else return;
    this.#work();
  }

  #countHash(hash: string, by: 1 | -1): void {
    const count = (this.#unreadHashes.get(hash) ?? 0) + by;
    if (count === 0) this.#unreadHashes.delete(hash);
    else this.#unreadHashes.set(hash, count);
  }

  /** Works until nothing is unread. One task at a time; a failure is logged, and the work goes on a little later. */
  #work(): void {
    if (this.#working || this.#retry) return;
    this.#working = this.#catchUp()
      .catch((error) => {
        if (this.#isStopped) return;
        const { log } = this.#resources;
        log.warn({ err: error }, "The index of file hashes could not be read; the database is used until it can be");
        this.#retry = setTimeout(() => {
          this.#retry = undefined;
          this.#work();
        }, retryMs).unref();
      })
      .finally(() => {
        this.#working = undefined;
      });
  }

  async #catchUp(): Promise<void> {
    this.#tables ??= await this.#build();
    while (this.#files.size + this.#projects.size > 0 && !this.#isStopped) {
      await this.#readFiles(this.#tables);
      await this.#readProjects(this.#tables);
    }
  }

  /** Changes that arrive while the tables are filled are read afterwards. */
  async #build(): Promise<IndexTables> {
    const { place } = this.#task();
    return (await readTables(place, this.#key, this.#mostRowsHere)) ?? (await this.#buildInThread());
  }

  #task = (): IndexTask => ({
    place: this.#resources.config.database,
    secret: fingerprintSecretOf(this.#resources),
  });

  async #buildInThread(): Promise<IndexTables> {
    if (this.#isStopped) throw new Error("The server is stopping");
    const moved = await readInThread(this.#task(), (worker) => {
      this.#worker = worker;
    });
    const tables = new IndexTables(this.#key, moved);
    const { bytes, numbers, files } = tables;
    const figures = { bytes, projects: numbers.count, hashes: files.size };
    this.#resources.log.info(figures, "The index of file hashes is ready");
    return tables;
  }

  async #readFiles(tables: IndexTables): Promise<void> {
    const files = this.#files.take(changesAtOnce);
    if (files.length === 0) return;
    const hashes = files.map(({ id }) => id.split(":") as [sha512: string, sha1: string]);
    const [sha512s, sha1s] = [hashes.map(([sha512]) => sha512), hashes.map(([, sha1]) => sha1)];
    // Different files can have the same SHA-1, so each hash is read by itself.
    const [bySha512, bySha1] = await Promise.all([this.#select("sha512", sha512s), this.#select("sha1", sha1s)]);
    for (const [at, [sha512, sha1]] of hashes.entries()) {
      for (const [hash, found] of [[sha512, bySha512] as const, [sha1, bySha1] as const])
        tables.setFile(
          hash,
          new Set([...(found.get(hash) ?? [])].map((id) => tables.numbers.add(id))),
          this.onFileAdded,
        );
      if (this.#files.finish(files[at]!)) for (const hash of hashes[at]!) this.#countHash(hash, -1);
    }
  }

  #select = (algorithm: HashAlgorithm, hashes: readonly string[]) =>
    selectProjectsByFile(this.#resources.db, algorithm, hashes);

  async #readProjects(tables: IndexTables): Promise<void> {
    const projects = this.#projects.take(changesAtOnce);
    if (projects.length === 0) return;
    const { db } = this.#resources;
    const ids = projects.map(({ id }) => id);
    const { rows } = await sql<{ id: string; slug: string }>`
      select id, slug from projects where ${inList(db, sql.ref("id"), ids)}
      union all select project_id as id, slug from project_old_slugs
        where ${inList(db, sql.ref("project_id"), ids)}`.execute(db);
    for (const { id, slug } of rows) tables.setSlug(slug, tables.numbers.add(id));
    const living = new Set(rows.map(({ id }) => id));
    const deleted = ids.flatMap((id) => (living.has(id) ? [] : (tables.numbers.find(id) ?? [])));
    if (deleted.length > 0) tables.dropProjects(new Set(deleted));
    for (const project of projects) this.#projects.finish(project);
  }
}

/** The index of this server. Its size is shown with the caches. */
export const hashIndexOf = perServer((resources: Resources) => {
  const index = new HashIndex(resources);
  resources.memory.showIndex(index);
  return index;
});
