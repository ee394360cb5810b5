// Changing a version that is there: its texts, what it runs on and needs, more files, and whether it is offered. What
// was published stays: no file is ever replaced, and the slug keeps leading here.

import { fromJson, toJson } from "#lib/json.js";
import type { BlobStore } from "#platform/blobs/store.js";
import type { Tx } from "#platform/changes/write.js";
import type { Db, Row } from "#platform/db/tables.js";
import { fail, invalid } from "#platform/errors.js";
import type { Viewer } from "#platform/http/viewer.js";
import { say } from "#words/said.js";
import { refreshProject, replaceCompat, replaceDependencies } from "./derived-rows.js";
import type { VersionFields } from "./input.js";
import { isNotQuarantined } from "./standing-rows.js";
import { insertFiles, type NewFile, numberConflicts, refuseRetiredNumber } from "./write.js";

export async function getVersionRow(db: Db, projectId: string, ref: string): Promise<Row<"versions">> {
  const row = await findVersionRow(db, projectId, ref);
  if (!row) throw fail.versionNotFound();
  return row;
}

/** By id or slug; an id wins over the same letters as another version's slug. */
async function findVersionRow(db: Db, projectId: string, ref: string): Promise<Row<"versions"> | undefined> {
  const rows = await db
    .selectFrom("versions")
    .selectAll()
    .where("project_id", "=", projectId)
    .where((or) => or.or([or("id", "=", ref), or("slug", "=", ref.toLowerCase())]))
    .where(isNotQuarantined)
    .execute();
  return rows.find(({ id }) => id === ref) ?? rows[0];
}

export async function editVersion(
  tx: Tx,
  blobs: BlobStore,
  viewer: Viewer,
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
  if (fields.dependencies) await replaceDependencies(tx, id, fields.dependencies, viewer);
  await insertFiles(tx, blobs, { projectId, versionId: id }, files);
  await refreshProject(tx, projectId);
  tx.happened("version.edited", projectId, { versionId: id });
  tx.audit("version.update", { kind: "version", id }, { projectId, changed: Object.keys(fields), files: files.length });
}

export interface Yank {
  /** May be empty. */
  reason: string;
  /** Id or number of the version to take instead. */
  replacement?: string | null | undefined;
  /** All followers are told. */
  isDanger?: boolean | undefined;
}

export async function yankVersion(tx: Tx, version: Row<"versions">, yank: Yank): Promise<void> {
  const { id, project_id: projectId } = version;
  const { reason, isDanger = false } = yank;
  const replacementId = yank.replacement ? await getReplacementId(tx.db, version, yank.replacement) : null;
  await tx.db
    .updateTable("versions")
    .set({
      date_yanked: version.date_yanked ?? tx.now,
      yank_reason: reason || null,
      yank_replacement_id: replacementId,
    })
    .where("id", "=", id)
    .execute();
  tx.happened("version.yanked", projectId, { versionId: id, reason });
  if (isDanger) tx.enqueue("warn-followers", { versionId: id, toldUpTo: "" });
  tx.audit("version.yank", { kind: "version", id }, { projectId, reason, replacementId });
  tx.changed("project", projectId);
}

async function getReplacementId(db: Db, version: Row<"versions">, ref: string): Promise<string> {
  const row = await findVersionRow(db, version.project_id, ref);
  if (!row || row.id === version.id || row.date_yanked !== null)
    throw invalid({ path: "replacement", message: say.problems.replacement });
  return row.id;
}

export async function unyankVersion(tx: Tx, { id, project_id: projectId }: Row<"versions">): Promise<void> {
  await tx.db
    .updateTable("versions")
    .set({ date_yanked: null, yank_reason: null, yank_replacement_id: null })
    .where("id", "=", id)
    .execute();
  tx.happened("version.edited", projectId, { versionId: id });
  tx.audit("version.unyank", { kind: "version", id }, { projectId });
  tx.changed("project", projectId);
}
