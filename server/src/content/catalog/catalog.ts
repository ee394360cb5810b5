// The catalogue: projects, their versions and the files' hashes as this node knows them, kept in memory and kept true by
// the change log. Every read of content goes through it. It holds no decision about who may see what: that is asked
// anew for everything that is not public (visible.ts).
import { sql } from "kysely";
import { getTaxonomy } from "#content/taxonomy/read.js";
import { isNotQuarantined } from "#content/versions/standing-rows.js";
import type { Change, ChangeLog } from "#platform/changes/change-log.js";
import { inList } from "#platform/db/dialect.js";
import type { Resources } from "#platform/http/resources.js";
import { EntryCache } from "./cache.js";
import { type FileOwner, type HashAlgorithm, loadFileOwners } from "./file-owners.js";
import { type ListItemEntry, loadListItems } from "./list-items.js";
import type { LoadContext } from "./load-context.js";
import { loadProjectEntries, type ProjectEntry } from "./project-entries.js";
import { loadVersionEntries, type VersionEntry } from "./version-entries.js";

const keptProjects = 20_000;
/** A kilobyte each. */
const keptItems = 30_000;
const keptHashes = 200_000;

export class Catalog {
  readonly #resources: Resources;
  readonly #projects = new EntryCache<ProjectEntry>(keptProjects);
  readonly #items = new EntryCache<ListItemEntry>(keptItems);
  readonly #versions = new EntryCache<readonly VersionEntry[]>(keptProjects);
  readonly #hashes = { sha1: new EntryCache<FileOwner[]>(keptHashes), sha512: new EntryCache<FileOwner[]>(keptHashes) };
  #edition = 0;
  /** Where a slug led last. Believed only while the project's entry agrees. */
  readonly #slugs = new Map<string, string>();

  constructor(resources: Resources) {
    this.#resources = resources;
    resources.changeLog.subscribe((change) => this.#hear(change));
  }

  /** The id behind an id or slug, if this node has it at hand. */
  peekId(ref: string): string | undefined {
    if (this.#projects.get(ref)) return ref;
    const slug = ref.toLowerCase();
    const id = this.#slugs.get(slug);
    const entry = id === undefined ? undefined : this.#projects.get(id);
    return entry && (entry.slug === slug || entry.oldSlugs.includes(slug)) ? entry.id : undefined;
  }

  peekProject = (id: string): ProjectEntry | undefined => this.#projects.get(id);
  peekVersions = (id: string): readonly VersionEntry[] | undefined => this.#versions.get(id);
  peekFileOwners = (algorithm: HashAlgorithm, hash: string): readonly FileOwner[] | undefined =>
    this.#hashes[algorithm].get(hash);

  /** The id behind an id, a slug or an old slug. A present slug wins over another project's old one. */
  async findId(ref: string): Promise<string | undefined> {
    const known = this.peekId(ref);
    if (known !== undefined) return known;
    const slug = ref.toLowerCase();
    const { rows } = await sql<{ id: string }>`
      select id from (
        select id, 0 as rank from projects where id = ${ref}
        union all select id, 1 as rank from projects where slug = ${slug}
        union all select project_id as id, 2 as rank from project_old_slugs where slug = ${slug}
      ) as found order by rank limit 1`.execute(this.#resources.db);
    const id = rows[0]?.id;
    if (id !== undefined && id !== ref) this.#rememberSlug(slug, id);
    return id;
  }

  getProjects(ids: readonly string[]): Promise<Map<string, ProjectEntry>> {
    return this.#projects.getAll(ids, async (missing) => {
      const entries = await loadProjectEntries(await this.#context(), missing);
      for (const entry of entries) this.#rememberSlug(entry.slug, entry.id);
      return new Map(entries.map((entry) => [entry.id, entry]));
    });
  }

  /** Projects as items of a list, for lists whose projects are not at hand as a whole. */
  getListItems(ids: readonly string[]): Promise<Map<string, ListItemEntry>> {
    return this.#items.getAll(ids, async (missing) => loadListItems(await this.#context(), missing));
  }

  /** Versions by project id, newest first. */
  getVersions(projectIds: readonly string[]): Promise<Map<string, readonly VersionEntry[]>> {
    return this.#versions.getAll(projectIds, async (missing) => loadVersionEntries(await this.#context(), missing));
  }

  /** Every version that has a file with one of these hashes (lower-case hex), newest first. */
  async getFileOwners(algorithm: HashAlgorithm, hashes: readonly string[]): Promise<Map<string, FileOwner[]>> {
    return this.#hashes[algorithm].getAll(hashes, (missing) => loadFileOwners(this.#resources.db, algorithm, missing));
  }

  /** The project that a version belongs to. */
  async findProjectsOfVersions(versionIds: readonly string[]): Promise<Map<string, string>> {
    const { db } = this.#resources;
    const rows = await db
      .selectFrom("versions")
      .select(["id", "project_id"])
      .where(inList(db, sql.ref("id"), versionIds))
      .where(isNotQuarantined)
      .execute();
    return new Map(rows.map((row) => [row.id, row.project_id]));
  }

  async #context(): Promise<LoadContext> {
    const { db, config } = this.#resources;
    return { db, cdnUrl: config.http.cdnUrl, taxonomy: await getTaxonomy(this.#resources) };
  }

  #rememberSlug(slug: string, id: string): void {
    if (this.#slugs.size >= keptProjects * 2) this.#slugs.clear();
    this.#slugs.set(slug, id);
  }

  /** Begins anew with empty hands. */
  forget(): void {
    this.#edition++;
    this.#projects.dropAll();
    this.#items.dropAll();
    this.#versions.dropAll();
    this.#hashes.sha1.dropAll();
    this.#hashes.sha512.dropAll();
  }

  /** Another one as soon as anything in here may have changed. */
  get edition(): number {
    return this.#edition;
  }

  #hear({ kind, id }: Change): void {
    if (kinds.has(kind)) this.#edition++;
    if (kind === "project") this.#dropProject(id);
    else if (kind === "file") this.#dropHashes(id);
    else if (kind === "organization") this.#dropOrg(id);
    else if (kind === "user") this.#dropUser(id);
    else if (kind === "taxonomy") this.forget();
  }

  #dropProject(id: string): void {
    this.#projects.drop(id);
    this.#items.drop(id);
    this.#versions.drop(id);
  }

  #dropHashes(id: string): void {
    const [sha512 = "", sha1 = ""] = id.split(":");
    this.#hashes.sha512.drop(sha512);
    this.#hashes.sha1.drop(sha1);
  }

  #dropWhere(isStale: (entry: ProjectEntry) => boolean): void {
    this.#projects.distrustLoads();
    this.#versions.distrustLoads();
    for (const entry of this.#projects.values()) if (isStale(entry)) this.#dropProject(entry.id);
  }

  #dropItems(isStale: (item: ListItemEntry) => boolean): void {
    this.#items.distrustLoads();
    for (const item of this.#items.values()) if (isStale(item)) this.#items.drop(item.id);
  }

  #dropOrg(id: string): void {
    this.#dropWhere((entry) => entry.orgId === id);
    this.#dropItems((item) => item.orgId === id);
  }

  /** Users are named as members and as authors. */
  #dropUser(id: string): void {
    this.#dropWhere((entry) => entry.userIds.has(id));
    this.#dropItems((item) => item.ownerId === id);
    for (const versions of this.#versions.values())
      if (versions.some((version) => version.authorId === id)) this.#dropProject(versions[0]!.projectId);
  }
}

/** What the entries are made of. */
const kinds: ReadonlySet<Change["kind"]> = new Set(["project", "file", "organization", "user", "taxonomy"]);

const catalogs = new WeakMap<ChangeLog, Catalog>();

/** One per server. */
export function catalogOf(resources: Resources): Catalog {
  let catalog = catalogs.get(resources.changeLog);
  if (!catalog) {
    catalog = new Catalog(resources);
    catalogs.set(resources.changeLog, catalog);
  }
  return catalog;
}

/** The change log's name for a file: both hashes, so that followers can forget either. */
export const fileChangeId = (sha512: string, sha1: string): string => `${sha512}:${sha1}`;
