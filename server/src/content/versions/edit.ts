// Editing a version: its texts, compatibility and dependencies, more files, and withdrawal. Published files are never
// replaced, and the slug never changes.

import { needConfirmedAddress } from "#accounts/users/policy.js";
import { getEditableProject, lockingProject } from "#content/projects/change.js";
import { recordScans, refuseUnscanned, scanStaged } from "#content/scans/scan.js";
import { examineFile } from "#content/uploads/examine.js";
import { takeQuota } from "#content/uploads/quota.js";
import { withUploads } from "#content/uploads/write.js";
import { fromJson, toJson } from "#lib/json.js";
import type { BlobStore } from "#platform/blobs/store.js";
import { type Actor, type Tx, write } from "#platform/changes/write.js";
import { contentsLock, together } from "#platform/db/dialect.js";
import type { Db, Row } from "#platform/db/tables.js";
import { fail, invalid } from "#platform/errors.js";
import type { StagedFile } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import type { SignedIn, Viewer } from "#platform/http/viewer.js";
import { say } from "#words/said.js";
import { refreshProject, replaceCompat, replaceDependencies } from "./compatibility.js";
import type { VersionParts } from "./edit-contract.js";
import { embedContents, listEmbedded } from "./pack-contents.js";
import { isNotQuarantined } from "./policy.js";
import { checkCount, checkSize, numberConflicts, refuseRetiredNumber } from "./publish.js";
import { getVisibleVersion } from "./read.js";
import { addFiles, type NewFile, refuseSameNames, storeFiles } from "./store-files.js";
import { inputContext, parseVersionParts, type VersionFields } from "./version-input.js";

interface EditCall {
  params: { ref: string; version: string };
  viewer: SignedIn;
  actor: Actor;
}

/** The version by id, slug or "latest", if the caller may edit it. */
export async function findEdited(resources: Resources, { viewer, params }: Pick<EditCall, "viewer" | "params">) {
  const { project } = await getEditableProject(resources.db, viewer, params.ref, "upload_version");
  // The same version that a reader gets as latest.
  const isLatest = params.version === "latest";
  const ref = isLatest ? (await getVisibleVersion(resources, viewer, project.id, "latest")).version.id : params.version;
  return { project, version: await getVersionRow(resources.db, project.id, ref) };
}

interface Edit {
  parts: VersionParts;
  additionalFiles: readonly StagedFile[];
  additionalUploads: readonly string[];
}

export async function saveVersion(
  resources: Resources,
  call: EditCall,
  { parts, additionalFiles, additionalUploads }: Edit,
): Promise<{ projectId: string; versionId: string }> {
  const { viewer, actor } = call;
  const { project, version } = await findEdited(resources, call);
  const newFiles = additionalFiles.length + additionalUploads.length;
  if (newFiles > 0) needConfirmedAddress(viewer);
  checkCount(resources, newFiles);
  return withUploads(resources, viewer.user.id, additionalUploads, async (uploaded) => {
    for (const file of uploaded) checkSize(file, resources.config.limits.additionalFileBytes);
    const all = [...additionalFiles, ...uploaded];
    const embedded = version.pack === null ? undefined : await listEmbedded(resources.db, version.id);
    const context = { ...(await inputContext(resources, viewer, project)), embedded };
    const fields = await parseVersionParts(context, parts);
    refuseSameNames(all);
    const examined = [];
    for (const file of all) examined.push(await examineFile(resources, file));
    const scans = await scanStaged(resources, all);
    await refuseUnscanned(resources, actor, version.id, scans);
    const files = examined.length > 0 ? await storeFiles(resources, examined) : [];
    await write(resources, actor, async (tx) => {
      await together(tx.db, [lockingProject(tx.db, project.id)], contentsLock(tx.db));
      await getEditableProject(tx.db, viewer, project.id, "upload_version");
      const row = await getVersionRow(tx.db, project.id, version.id);
      // A file that holds would hide a version that is public.
      if (await recordScans(tx, resources.config.scanner, scans))
        throw fail.fileRefused(all[0]!.name, say.files.notScanned);
      await editVersion(tx, resources.blobs, viewer, row, fields, files);
      await takeQuota(tx, resources.config.limits, version.author_id, files);
    });
    return { projectId: project.id, versionId: version.id };
  });
}

export async function getVersionRow(db: Db, projectId: string, ref: string): Promise<Row<"versions">> {
  const row = await findVersionRow(db, projectId, ref);
  if (!row) throw fail.versionNotFound();
  return row;
}

/** By id or slug. If the slug of one version equals the id of another, the id wins. */
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

async function editVersion(
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
  if (fields.dependencies && version.pack !== null) await embedContents(tx, { id, projectId });
  await addFiles(tx, blobs, { projectId, versionId: id }, files);
  await refreshProject(tx, projectId, [id]);
  tx.happened("version.edited", projectId, { versionId: id });
  tx.audit("version.update", { kind: "version", id }, { projectId, changed: Object.keys(fields), files: files.length });
}

export interface Yank {
  /** May be empty. */
  reason: string;
  /** Id or number of the replacement version. */
  replacement?: string | null | undefined;
  /** All followers are notified. */
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
  tx.changed("project", projectId, [id]);
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
  tx.changed("project", projectId, [id]);
}
