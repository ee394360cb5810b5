// Quarantined versions as moderators see them. Lists take a constant number of statements.
import { sql } from "kysely";
import { rowContext } from "#content/projects/entries.js";
import { loadVersions, type VersionEntry } from "#content/versions/entries.js";
import { isAbout } from "#content/versions/held-versions.js";
import { withoutDuplicate } from "#content/versions/read.js";
import type { Db, Row } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import { maybeTimestamp, timestamp } from "#platform/http/schemas.js";
import type { InspectedContent, InspectedVersion } from "./contract.js";
import type { DeniedHash, HeldVersion, Quarantine } from "./shapes.js";

const most = 100;
const hex = (hash: Uint8Array | null): string | null => (hash === null ? null : Buffer.from(hash).toString("hex"));

const quarantines = (db: Db) =>
  db
    .selectFrom("quarantines")
    .leftJoin("users as creator", "creator.id", "quarantines.created_by")
    .leftJoin("users as lifter", "lifter.id", "quarantines.lifted_by")
    .selectAll("quarantines")
    .select(["creator.user_name as creator_name", "lifter.user_name as lifter_name"]);

type QuarantineRow = Row<"quarantines"> & { creator_name: string | null; lifter_name: string | null };

const toModerator = (id: string | null, userName: string | null) =>
  id === null || userName === null ? null : { id, userName };

const toQuarantine = (row: QuarantineRow): Quarantine => ({
  id: row.id,
  versionId: row.version_id,
  sha512: hex(row.sha512),
  reason: row.reason,
  createdBy: toModerator(row.created_by, row.creator_name),
  dateCreated: timestamp(row.date_created),
  liftedBy: toModerator(row.lifted_by, row.lifter_name),
  dateLifted: maybeTimestamp(row.date_lifted),
});

export interface QuarantineFilter {
  state?: "standing" | "lifted" | "all";
  limit?: number;
  offset?: number;
}

export async function listQuarantines(db: Db, filter: QuarantineFilter): Promise<Quarantine[]> {
  const { state = "standing", limit = most, offset = 0 } = filter;
  const rows = await quarantines(db)
    .$if(state !== "all", (query) => query.where("date_lifted", state === "standing" ? "is" : "is not", null))
    .orderBy("quarantines.date_created", "desc")
    .orderBy("quarantines.id")
    .limit(limit)
    .offset(offset)
    .execute();
  return rows.map(toQuarantine);
}

export async function getQuarantine(db: Db, id: string): Promise<Quarantine & { versions: HeldVersion[] }> {
  const row = await quarantines(db).where("quarantines.id", "=", id).executeTakeFirst();
  if (!row) throw fail.quarantineNotFound();
  const versions = await heldVersions(db).where(isAbout(row)).execute();
  return { ...toQuarantine(row), versions: versions.map(toHeldVersion) };
}

const heldVersions = (db: Db) =>
  db
    .selectFrom("versions")
    .innerJoin("projects", "projects.id", "versions.project_id")
    .selectAll("versions")
    .select(["projects.slug as project_slug", "projects.name", "projects.status", "projects.visibility"])
    .orderBy("versions.date_published", "desc")
    .orderBy("versions.id")
    .limit(most);

type HeldVersionRow = Awaited<ReturnType<ReturnType<typeof heldVersions>["execute"]>>[number];

const toProject = (row: HeldVersionRow): HeldVersion["project"] => ({
  id: row.project_id,
  slug: row.project_slug,
  name: row.name,
  status: row.status,
  visibility: row.visibility,
});

const toHeldVersion = (row: HeldVersionRow): HeldVersion => ({
  id: row.id,
  versionNumber: row.version_number,
  title: row.title,
  datePublished: timestamp(row.date_published),
  downloads: row.downloads,
  quarantined: row.date_quarantined !== null,
  project: toProject(row),
});

/** By id; ids of deleted versions are left out. */
export async function findHeldVersions(db: Db, ids: readonly string[]): Promise<Map<string, HeldVersion>> {
  const rows = ids.length === 0 ? [] : await heldVersions(db).where("versions.id", "in", ids).execute();
  return new Map(rows.map((row) => [row.id, toHeldVersion(row)]));
}

/** Any version, whether or not it is quarantined. */
export async function getAnyVersion(
  resources: Resources,
  versionId: string,
): Promise<{ row: HeldVersionRow; entry: VersionEntry }> {
  const row = await heldVersions(resources.db).where("versions.id", "=", versionId).executeTakeFirst();
  if (!row) throw fail.versionNotFound();
  const entries = await loadVersions(await rowContext(resources), [row.project_id], {
    which: sql<boolean>`versions.id = ${versionId}`,
    versionIds: [versionId],
  });
  const [entry] = entries.get(row.project_id) ?? [];
  if (!entry) throw fail.versionNotFound();
  return { row, entry };
}

export async function inspectVersion(resources: Resources, versionId: string): Promise<InspectedVersion> {
  const { row, entry } = await getAnyVersion(resources, versionId);
  const rows = await quarantines(resources.db)
    .where("date_lifted", "is", null)
    .where(
      sql<boolean>`(quarantines.version_id = ${versionId}
        or quarantines.sha512 in (select sha512 from version_files where version_id = ${versionId}))`,
    )
    .execute();
  return {
    version: withoutDuplicate(entry.shownWith(new Set(entry.hiddenProjects))),
    project: toProject(row),
    quarantined: row.date_quarantined !== null,
    quarantines: rows.map(toQuarantine),
  };
}

const denied = (db: Db) =>
  db
    .selectFrom("denied_hashes")
    .leftJoin("users as creator", "creator.id", "denied_hashes.created_by")
    .selectAll("denied_hashes")
    .select("creator.user_name as creator_name");

const toDenied = (row: Row<"denied_hashes"> & { creator_name: string | null }): DeniedHash => ({
  sha512: hex(row.sha512),
  sha1: hex(row.sha1),
  reason: row.reason,
  createdBy: toModerator(row.created_by, row.creator_name),
  dateCreated: timestamp(row.date_created),
});

export async function listDenied(db: Db, { limit = most, offset = 0 }: QuarantineFilter): Promise<DeniedHash[]> {
  const rows = await denied(db)
    .orderBy("denied_hashes.date_created", "desc")
    .orderBy("denied_hashes.id")
    .limit(limit)
    .offset(offset)
    .execute();
  return rows.map(toDenied);
}

/** By SHA-1 or SHA-512 in hexadecimal. If two contents share a SHA-1, returns the versions of both. */
export async function inspectContent(db: Db, hash: string): Promise<InspectedContent> {
  const bytes = Buffer.from(hash, "hex");
  const column = sql.ref(bytes.length === 20 ? "sha1" : "sha512");
  const file = await db
    .selectFrom("version_files")
    .select(["sha1", "sha512", "size"])
    .where(sql<boolean>`${column} = ${bytes}`)
    .limit(1)
    .executeTakeFirst();
  const sha512 = file?.sha512 ?? (bytes.length === 20 ? null : bytes);
  const sha1 = file?.sha1 ?? (bytes.length === 20 ? bytes : null);
  const onList = await denied(db)
    .where((or) => or.or([...(sha512 ? [or("sha512", "=", sha512)] : []), ...(sha1 ? [or("sha1", "=", sha1)] : [])]))
    .executeTakeFirst();
  const standing = await quarantines(db)
    .where("quarantines.sha512", "=", sha512)
    .where("date_lifted", "is", null)
    .executeTakeFirst();
  const versions = await heldVersions(db)
    .where(sql<boolean>`versions.id in (select version_id from version_files where ${column} = ${bytes})`)
    .execute();
  return {
    sha1: hex(sha1),
    sha512: hex(sha512),
    size: file?.size ?? null,
    denied: onList ? toDenied(onList) : null,
    quarantine: standing ? toQuarantine(standing) : null,
    versions: versions.map(toHeldVersion),
  };
}
