// Finds the versions to which a quarantine applies, and updates the rows that depend on it. The mark on a version is
// derived: it is set exactly as long as an active quarantine names the version or one of its files, or the malware
// scanner holds one of them.
import { type RawBuilder, sql } from "kysely";
import { fileChangeId } from "#content/catalog/catalog.js";
import { fromJson } from "#lib/json.js";
import type { Tx } from "#platform/changes/write.js";
import { inList, lockProjects } from "#platform/db/dialect.js";
import type { Db, Row } from "#platform/db/tables.js";
import { refreshProject, replaceCompat } from "./compatibility.js";

/** For use in a query over versions. */
const isHeld: RawBuilder<boolean> = sql<boolean>`(
  exists (select 1 from quarantines where quarantines.version_id = versions.id and quarantines.date_lifted is null)
  or exists (select 1 from version_files
    join quarantines on quarantines.sha512 = version_files.sha512 and quarantines.date_lifted is null
    where version_files.version_id = versions.id)
  or exists (select 1 from version_files
    join file_scans on file_scans.sha512 = version_files.sha512 and file_scans.holds = 1
      and version_files.date_created >= file_scans.date_created
    where version_files.version_id = versions.id))`;

/** Versions whose mark is wrong. */
export const isMarkedWrong: RawBuilder<boolean> = sql<boolean>`(${isHeld} <> (versions.date_quarantined is not null))`;

/** The versions that a quarantine names, whether or not other quarantines name them too. */
export const isAbout = ({ version_id, sha512 }: Pick<Row<"quarantines">, "version_id" | "sha512">) =>
  version_id === null
    ? sql<boolean>`versions.id in (select version_id from version_files where sha512 = ${sha512})`
    : sql<boolean>`versions.id = ${version_id}`;

export interface Settled {
  hidden: Row<"versions">[];
  shown: Row<"versions">[];
}

/**
 * Corrects the marks of these versions, and the rows that depend on them. The caller holds the lock on the contents.
 */
export async function settleVersions(tx: Tx, which: RawBuilder<boolean>): Promise<Settled> {
  const projectIds = [...new Set((await listWrong(tx.db, which)).map((version) => version.project_id))].sort();
  if (projectIds.length === 0) return { hidden: [], shown: [] };
  await lockProjects(tx.db, projectIds);
  // Read again now that no other transaction can change or delete them.
  const wrong = await listWrong(tx.db, which);
  const ids = wrong.map(({ id }) => id);
  const hidden = wrong.filter((version) => version.date_quarantined === null);
  const shown = wrong.filter((version) => version.date_quarantined !== null);
  await mark(tx, hidden, tx.now);
  await mark(tx, shown, null);
  for (const version of hidden) await replaceCompat(tx, toCompat(version, false));
  for (const version of shown) await replaceCompat(tx, toCompat(version, true));
  // A version that was held from the beginning is new to everyone now.
  for (const { id, project_id, date_quarantined, date_published } of shown)
    if (date_quarantined === date_published) tx.happened("version.published", project_id, { versionId: id });
  for (const projectId of projectIds) await refreshProject(tx, projectId);
  for (const id of ids) tx.changed("version", id);
  await noteFiles(tx, ids);
  await markDependentsChanged(tx, ids);
  return { hidden, shown };
}

const listWrong = (db: Db, which: RawBuilder<boolean>): Promise<Row<"versions">[]> =>
  db.selectFrom("versions").selectAll().where(which).where(isMarkedWrong).orderBy("id").execute();

async function mark({ db }: Tx, versions: readonly Row<"versions">[], date: number | null): Promise<void> {
  if (versions.length === 0) return;
  const ids = versions.map(({ id }) => id);
  await db
    .updateTable("versions")
    .set({ date_quarantined: date })
    .where(inList(db, sql.ref("id"), ids))
    .execute();
}

/** Quarantined versions have no compatibility rows, so no filter finds them. */
const toCompat = (version: Row<"versions">, isShown: boolean) => ({
  id: version.id,
  projectId: version.project_id,
  datePublished: version.date_published,
  channel: version.channel,
  gameVersions: isShown ? fromJson(version.game_versions) : [],
  loaders: fromJson(version.loaders),
});

/** The caches of hash look-ups must drop them, or find them again. */
async function noteFiles(tx: Tx, versionIds: readonly string[]): Promise<void> {
  const files = await tx.db
    .selectFrom("version_files")
    .select(["sha512", "sha1"])
    .distinct()
    .where(inList(tx.db, sql.ref("version_id"), versionIds))
    .execute();
  const hex = (hash: Uint8Array) => Buffer.from(hash).toString("hex");
  for (const { sha512, sha1 } of files) tx.changed("file", fileChangeId(hex(sha512), hex(sha1)));
}

/** Versions that depend on exactly one of these are shown with another dependency now. */
async function markDependentsChanged(tx: Tx, versionIds: readonly string[]): Promise<void> {
  const dependents = await tx.db
    .selectFrom("dependencies")
    .innerJoin("versions", "versions.id", "dependencies.version_id")
    .select("versions.project_id")
    .distinct()
    .where(inList(tx.db, sql.ref("dependencies.on_version_id"), versionIds))
    .execute();
  for (const { project_id } of dependents) tx.changed("project", project_id);
}
