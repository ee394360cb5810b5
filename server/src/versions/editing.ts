// Changing a version that is there: its texts, what it runs on and needs, more files, and whether it is offered. What
// was published stays: no file is ever replaced, and the slug keeps leading here.
import type { BlobStore } from "../blobs/store.js";
import type { Tx } from "../changes/write.js";
import type { Db, Row } from "../db/tables.js";
import { fail } from "../errors.js";
import { fromJson, toJson } from "../lib/json.js";
import { refreshProject, replaceCompat, replaceDependencies } from "./derived-rows.js";
import type { VersionFields } from "./input.js";
import { isNotQuarantined } from "./standing-rows.js";
import { insertFiles, type NewFile, numberConflicts, refuseRetiredNumber } from "./write.js";

/** By id or slug; an id wins over the same letters as another version's slug. */
export async function getVersionRow(db: Db, projectId: string, ref: string): Promise<Row<"versions">> {
  const rows = await db
    .selectFrom("versions")
    .selectAll()
    .where("project_id", "=", projectId)
    .where((or) => or.or([or("id", "=", ref), or("slug", "=", ref.toLowerCase())]))
    .where(isNotQuarantined)
    .execute();
  const row = rows.find(({ id }) => id === ref) ?? rows[0];
  if (!row) throw fail.versionNotFound();
  return row;
}

export async function editVersion(
  tx: Tx,
  blobs: BlobStore,
  version: Row<"versions">,
  fields: Partial<VersionFields>,
  files: readonly NewFile[],
): Promise<void> {
  const { id, project_id: projectId } = version;
  const gameVersions = fields.gameVersions ?? fromJson(version.game_versions);
  const loaders = fields.loaders ?? fromJson(version.loaders);
  const channel = fields.channel ?? version.channel;
  await numberConflicts(
    tx.db
      .updateTable("versions")
      .set({
        title: fields.title ?? version.title,
        changelog: fields.changelog ?? version.changelog,
        version_number: fields.versionNumber ?? version.version_number,
        channel,
        featured: fields.featured === undefined ? version.featured : fields.featured ? 1 : 0,
        game_versions: toJson(gameVersions),
        loaders: toJson(loaders),
      })
      .where("id", "=", id)
      .execute(),
  );
  if (fields.versionNumber !== undefined && fields.versionNumber !== version.version_number)
    await refuseRetiredNumber(tx, projectId, fields.versionNumber);
  await replaceCompat(tx, { id, projectId, datePublished: version.date_published, channel, gameVersions, loaders });
  if (fields.dependencies) await replaceDependencies(tx, id, fields.dependencies);
  await insertFiles(tx, blobs, { projectId, versionId: id }, files);
  await refreshProject(tx, projectId);
  tx.happened("version.edited", projectId, { versionId: id });
  tx.audit("version.update", { kind: "version", id }, { projectId, changed: Object.keys(fields), files: files.length });
}

/** A reason, which may be empty, withdraws the version; null offers it again. Of a danger all followers are told. */
export async function setYanked(
  tx: Tx,
  version: Row<"versions">,
  reason: string | null,
  isDanger = false,
): Promise<void> {
  const { id, project_id: projectId } = version;
  await tx.db
    .updateTable("versions")
    .set({ date_yanked: reason === null ? null : (version.date_yanked ?? tx.now), yank_reason: reason || null })
    .where("id", "=", id)
    .execute();
  if (reason === null) tx.happened("version.edited", projectId, { versionId: id });
  else tx.happened("version.yanked", projectId, { versionId: id, reason });
  if (reason !== null && isDanger) tx.enqueue("warn-followers", { versionId: id, toldUpTo: "" });
  tx.audit(reason === null ? "version.unyank" : "version.yank", { kind: "version", id }, { projectId, reason });
  tx.changed("project", projectId);
}
