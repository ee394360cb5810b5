// Compares a file of a version with a file of another version of its project, for moderators: by default with the
// nearest earlier version that could be replaced by it.
import { sql } from "kysely";
import { fromJson } from "#lib/json.js";
import { type ComparedArchive, type Comparison, comparableTypes } from "#platform/archives/compare.js";
import type { EntryComparison } from "#platform/archives/compare-entry.js";
import type { RefusedArchive } from "#platform/archives/inspection.js";
import type { Db } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";

/** More files are not offered. */
const mostOffered = 100;

export interface ComparedFile {
  id: string;
  name: string;
  version: string;
  loaders: string[];
  isQuarantined: boolean;
}

export interface FileChanges {
  file: ComparedFile;
  /** Files to compare it with, the nearest earlier version first; later versions are last. */
  others: ComparedFile[];
  /** Undefined if there is none to compare with. */
  other: ComparedFile | undefined;
}

const files = (db: Db) =>
  db
    .selectFrom("version_files as file")
    .innerJoin("versions", "versions.id", "file.version_id")
    .select(["file.id", "file.name", "file.type", "file.size", "file.sha512", "file.project_id", "file.version_id"])
    .select(["versions.version_number", "versions.loaders", "versions.date_published", "versions.date_quarantined"])
    .select(sql<number>`case when versions.primary_file_id = file.id then 1 else 0 end`.as("is_primary"))
    .where("file.type", "in", comparableTypes)
    .$narrowType<{ type: ComparedArchive["type"] }>();

type FileRow = Awaited<ReturnType<ReturnType<typeof files>["execute"]>>[number];

const toFile = (row: FileRow): ComparedFile => ({
  id: row.id,
  name: row.name,
  version: row.version_number,
  loaders: fromJson(row.loaders),
  isQuarantined: row.date_quarantined !== null,
});

/** Undefined if the file cannot be compared, because its content cannot be read. */
async function loadRows(db: Db, fileId: string, otherId: string | undefined) {
  const file = await files(db).where("file.id", "=", fileId).executeTakeFirst();
  if (!file) return undefined;
  const others = await files(db)
    .where("file.project_id", "=", file.project_id)
    .where("file.version_id", "!=", file.version_id)
    .orderBy(sql`case when versions.date_published <= ${file.date_published} then 0 else 1 end`)
    .orderBy("versions.date_published", "desc")
    .orderBy("is_primary", "desc")
    .orderBy("file.id")
    .limit(mostOffered)
    .execute();
  const other = otherId === undefined ? findPrevious(file, others) : others.find(({ id }) => id === otherId);
  if (otherId !== undefined && !other) throw fail.fileNotFound();
  return { file, others, other };
}

/** An earlier version that is not quarantined, if possible for the same loader. */
function findPrevious(file: FileRow, others: readonly FileRow[]): FileRow | undefined {
  const loaders = new Set(fromJson(file.loaders));
  const earlier = others.filter(
    (other) => other.date_published <= file.date_published && other.date_quarantined === null,
  );
  const alike = earlier.filter(({ is_primary }) => is_primary === file.is_primary);
  const hasLoader = (other: FileRow) =>
    loaders.size === 0 || fromJson(other.loaders).some((loader) => loaders.has(loader));
  return alike.find(hasLoader) ?? alike[0] ?? earlier[0];
}

/** `otherId`: the file to compare it with, of another version of the same project. */
export async function compareFile(resources: Resources, fileId: string, otherId?: string) {
  const rows = await loadRows(resources.db, fileId, otherId);
  if (!rows) return undefined;
  const { file, other } = rows;
  const comparison: Comparison | RefusedArchive | undefined =
    other && (await withCopies(resources, [other, file], (...archives) => resources.archives.compare(...archives)));
  return { ...toChanges(rows), comparison };
}

/** One file inside of both archives. */
export async function compareFileEntry(
  resources: Resources,
  fileId: string,
  otherId: string | undefined,
  path: string,
) {
  const rows = await loadRows(resources.db, fileId, otherId);
  if (!rows?.other) throw fail.fileNotFound();
  const difference: EntryComparison | RefusedArchive | undefined = await withCopies(
    resources,
    [rows.other, rows.file],
    (...archives) => resources.archives.compareEntry(...archives, path),
  );
  if (!difference || (difference.ok && difference.kind === "missing")) throw fail.fileNotFound();
  return { ...toChanges(rows), difference };
}

const toChanges = ({ file, others, other }: NonNullable<Awaited<ReturnType<typeof loadRows>>>): FileChanges => ({
  file: toFile(file),
  others: others.map(toFile),
  other: other && toFile(other),
});

/** Copies both files, because the storage may be remote. Undefined if the bytes of one are missing. */
async function withCopies<Result>(
  { blobs }: Resources,
  rows: readonly [FileRow, FileRow],
  use: (before: ComparedArchive, after: ComparedArchive) => Promise<Result>,
): Promise<Result | undefined> {
  const copies: Awaited<ReturnType<typeof blobs.stage>>[] = [];
  try {
    for (const { sha512, size } of rows) {
      const opened = await blobs.open(Buffer.from(sha512).toString("hex"));
      if (!opened) return undefined;
      copies.push(await blobs.stage(opened.stream, { maxBytes: size }));
    }
    const [before, after] = rows.map(({ type }, at) => ({ path: copies[at]!.path, type }));
    return await use(before!, after!);
  } finally {
    for (const copy of copies) await copy.discard();
  }
}
