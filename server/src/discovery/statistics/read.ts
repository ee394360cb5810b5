// The site's figures, and the storage that each kind of data takes.
import { type RawBuilder, sql } from "kysely";
import { perServer } from "#platform/changes/server-memory.js";
import { inList } from "#platform/db/dialect.js";
import type { Db } from "#platform/db/tables.js";
import type { Resources } from "#platform/http/resources.js";
import type { Statistics, StorageUse } from "./contract.js";
import { counterNames, toCounter } from "./counters.js";

/** Reads the counters: one statement over five rows, regardless of the site's size. */
export async function readStatistics(db: Db): Promise<Statistics> {
  const rows = await db
    .selectFrom("counters")
    .selectAll()
    .where(inList(db, sql.ref("name"), counterNames.map(toCounter)))
    .execute();
  const values = new Map(rows.map((row) => [row.name, row.value]));
  const value = (name: (typeof counterNames)[number]) => values.get(toCounter(name)) ?? 0;
  return {
    users: value("users"),
    authors: value("authors"),
    files: value("files"),
    projects: value("projects"),
    versions: value("versions"),
  };
}

/** Blobs per statement: the sum over all takes long, and other requests need the database too. */
const blobsAtOnce = 5000;

interface Page {
  last: Uint8Array | null;
  total: number;
  version_files: number;
  gallery: number;
  icons: number;
}

/** Every stored blob is counted once, under the first of its uses. */
export async function measureStorage(db: Db): Promise<StorageUse> {
  const use: StorageUse = {
    totalUsed: 0,
    breakdown: { versionFiles: 0, galleryImages: 0, iconImages: 0, unused: 0 },
  };
  for (let after: Uint8Array = new Uint8Array(0); ; ) {
    const { rows } = await pageAfter(after).execute(db);
    const { last, total, version_files, gallery, icons } = rows[0]!;
    if (last === null) return use;
    use.totalUsed += total;
    use.breakdown.versionFiles += version_files;
    use.breakdown.galleryImages += gallery;
    use.breakdown.iconImages += icons;
    use.breakdown.unused += total - version_files - gallery - icons;
    after = last;
  }
}

const sumOf = (kind: string): RawBuilder<number> =>
  sql<number>`cast(coalesce(sum(case when kind = ${kind} then size else 0 end), 0) as bigint)`;

/** Looks up each row through the index: with EXISTS, PostgreSQL would read the whole table for each page. */
const isFound = (rows: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(select 1 from ${rows} limit 1) is not null`;

const pageAfter = (after: Uint8Array): RawBuilder<Page> => sql<Page>`
  with page as (select sha512, size from blobs where sha512 > ${after} order by sha512 limit ${blobsAtOnce})
  select (select sha512 from page order by sha512 desc limit 1) as last,
    cast(coalesce(sum(size), 0) as bigint) as total,
    ${sumOf("version")} as version_files, ${sumOf("gallery")} as gallery, ${sumOf("icon")} as icons
  from (select size, case
      when ${isFound(sql`version_files where sha512 = page.sha512`)} then 'version'
      when ${isFound(sql`images join gallery_items on image_id = images.id where sha512 = page.sha512`)} then 'gallery'
      when ${isFound(sql`images join gallery_items on thumbnail_id = images.id where sha512 = page.sha512`)} then 'gallery'
      when ${isFound(sql`images where sha512 = page.sha512`)} then 'icon'
      else 'unused' end as kind from page) as used`;

const cacheOf = perServer(({ memory }: Resources) =>
  memory.createCache<StorageUse>({ name: "storageUse", bytes: 64 * 1024, ageMs: 10 * 60_000 }),
);

/** As measured not long ago; callers who ask while it is being measured wait for that. */
export const readStorageUse = (resources: Resources): Promise<StorageUse> =>
  cacheOf(resources).load(
    "",
    () => measureStorage(resources.db),
    () => 100,
  );
