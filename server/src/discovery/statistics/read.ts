// The site's figures, and how much room everything takes.
import { type RawBuilder, sql } from "kysely";
import { inList } from "#platform/db/dialect.js";
import type { Db } from "#platform/db/tables.js";
import type { Resources } from "#platform/http/resources.js";
import type { Statistics, StorageUse } from "./contract.js";
import { counterNames, toCounter } from "./counters.js";

/** Read from the counters, whatever there is to count: one statement that looks at five rows. */
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

/** So many at a time: the sum over all is long, and others wait for the database meanwhile. */
const blobsAtOnce = 5000;

interface Page {
  last: Uint8Array | null;
  total: number;
  version_files: number;
  gallery: number;
  icons: number;
}

/** Every stored blob is counted once, under the first of the uses that it has. */
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

/** One by one through the index: for EXISTS, PostgreSQL would rather read the whole table, for each page again. */
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

const keptMs = 10 * 60_000;

interface Measured {
  time: number;
  use: Promise<StorageUse>;
}

const measured = new WeakMap<Resources["changeLog"], Measured>();

/** As measured not long ago; whoever asks while it is being measured waits for that. */
export function readStorageUse({ db, clock, changeLog }: Resources): Promise<StorageUse> {
  const known = measured.get(changeLog);
  if (known && clock.now() - known.time < keptMs) return known.use;
  const fresh = { time: clock.now(), use: measureStorage(db) };
  measured.set(changeLog, fresh);
  fresh.use.catch(() => measured.delete(changeLog));
  return fresh.use;
}
