// Publishing a version, from the form to the commit: check, inspect, store, then one short transaction. The bytes are
// durable before a row refers to them, so a version exists completely or not at all.

import { type RawBuilder, sql } from "kysely";
import { needConfirmedAddress } from "#accounts/users/policy.js";
import { preparedOf } from "#content/catalog/prepared-catalog.js";
import { allow, entriesOf, type ProjectRights, toProjectRights } from "#content/members/rights.js";
import { getEditableProject, lockingProject } from "#content/projects/change.js";
import { visibleTo } from "#content/projects/policy.js";
import { type RetiredName, refuseReserved, refuseRetired, retirement } from "#content/projects/retired-names.js";
import { type FileScan, recordScans, scanStaged } from "#content/scans/scan.js";
import { heldContents, refuseHeld } from "#content/uploads/denied-contents.js";
import { examineFile } from "#content/uploads/examine.js";
import { takeQuota } from "#content/uploads/quota.js";
import { withUploads } from "#content/uploads/write.js";
import { reach } from "#lib/fail-points.js";
import { formatBytes } from "#lib/format-bytes.js";
import { toJson } from "#lib/json.js";
import { newId } from "#lib/random.js";
import type { FoundPack } from "#platform/archives/pack-parts.js";
import type { BlobStore } from "#platform/blobs/store.js";
import { type Actor, type Tx, write } from "#platform/changes/write.js";
import { brokenUnique, contentsLock, together } from "#platform/db/dialect.js";
import type { Db, Row } from "#platform/db/tables.js";
import { Failure, fail, invalid } from "#platform/errors.js";
import type { StagedFile } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { say } from "#words/said.js";
import { extendingProject, insertingCompat, insertingDependencies } from "./compatibility.js";
import type { VersionParts } from "./edit-contract.js";
import { findExisting, type Published, sameOrTaken } from "./existing-version.js";
import { settleVersions } from "./held-versions.js";
import { embedContents, insertContents, toSummary } from "./pack-contents.js";
import { contentsOf, insertingFiles, type NewFile, needStored, refuseSameNames, storeFiles } from "./store-files.js";
import { completeFields, inputContext, parseList, parseVersionParts, type VersionFields } from "./version-input.js";

export interface Upload {
  project: Row<"projects">;
  parts: VersionParts;
  primaryFile: StagedFile | undefined;
  additionalFiles: readonly StagedFile[];
  /** Throws if the author has to confirm that they want this content as a new version. */
  confirm?: ((primaryFile: StagedFile) => Promise<void>) | undefined;
  /** Runs in the transaction of the new version, such as to note where it was imported from. */
  also?: (tx: Tx, versionId: string) => Promise<void>;
}

interface Author {
  viewer: SignedIn;
  actor: Actor;
}

/** The project, if this caller may currently publish in it. */
export async function getPublishableProject(db: Db, viewer: SignedIn, ref: string): Promise<Row<"projects">> {
  const { project, rights } = await getEditableProject(db, viewer, ref);
  needPublishable(viewer, project, rights);
  return project;
}

function needPublishable(viewer: SignedIn, { visibility }: Row<"projects">, rights: ProjectRights): void {
  allow(rights, "upload_version");
  needConfirmedAddress(viewer);
  if (visibility === "archived") throw fail.projectArchived();
}

interface Uploads {
  primaryUpload: string | undefined;
  additionalUploads: readonly string[];
}

/** The uploads that a body names. */
export function uploadsIn(body: { primaryUpload?: string; additionalUploads?: string | readonly unknown[] }): Uploads {
  const list = parseList(body.additionalUploads);
  const ids = list === "absent" ? [] : list;
  const isId = (item: unknown): item is string => typeof item === "string" && item.length <= 64;
  if (!ids?.every(isId)) throw invalid({ path: "additionalUploads", message: say.problems.jsonArray("ids") });
  return { primaryUpload: body.primaryUpload || undefined, additionalUploads: ids };
}

/** Limits the number of additional files, whether they are in the form or were uploaded before. */
export function checkCount(resources: Resources, count: number): void {
  const most = resources.config.limits.additionalFiles;
  if (count > most) throw invalid({ path: "additionalUploads", message: say.problems.mostFiles(most) });
}

/** An upload may be as large as any file; its use in the version decides the limit. */
export function checkSize({ name, blob }: StagedFile, maxBytes: number): void {
  if (blob.size > maxBytes) throw fail.fileTooLarge(name, formatBytes(maxBytes));
}

export function publishFrom(
  resources: Resources,
  author: { viewer: SignedIn; actor: Actor },
  { primaryUpload, additionalUploads, ...upload }: Upload & Uploads,
): Promise<Published> {
  checkCount(resources, upload.additionalFiles.length + additionalUploads.length);
  const ids = [...(primaryUpload === undefined ? [] : [primaryUpload]), ...additionalUploads];
  const { limits } = resources.config;
  return withUploads(resources, author.viewer.user.id, ids, async (files) => {
    const [first, others] = primaryUpload === undefined ? [undefined, files] : [files[0], files.slice(1)];
    if (first) checkSize(first, limits.primaryFileBytes);
    for (const file of others) checkSize(file, limits.additionalFileBytes);
    return publish(resources, author, {
      ...upload,
      primaryFile: upload.primaryFile ?? first,
      additionalFiles: [...upload.additionalFiles, ...others],
    });
  });
}

async function publish(resources: Resources, author: Author, upload: Upload): Promise<Published> {
  const { project, parts, primaryFile, additionalFiles } = upload;
  const context = await inputContext(resources, author.viewer, project);
  const given = await parseVersionParts(context, parts);
  if (!primaryFile) throw invalid({ path: "primaryFile", message: say.problems.primaryFileMissing });
  refuseSameNames([primaryFile, ...additionalFiles]);
  preparedOf(resources).expectChange([project.id]);
  const primary = await examineFile(resources, primaryFile, context.taxonomy.primaryFileTypes(context.project.types));
  const examined = [primary];
  for (const file of additionalFiles) examined.push(await examineFile(resources, file));
  reach("upload: inspected");
  const fields = completeFields(context, given, primary.hints);

  const existing = await findExisting(resources.db, project.id, fields.versionNumber);
  if (existing) return sameOrTaken(existing, primaryFile);
  await upload.confirm?.(primaryFile);
  const scans = await scanStaged(resources, [primaryFile, ...additionalFiles]);
  const files = await storeFiles(resources, examined);
  try {
    const { hints, pack } = primary;
    const version = { ...fields, namedLicense: hints.license ?? null, pack };
    const added = await commit(resources, author, upload, version, { files, scans });
    reach("publish: after commit");
    return { ...added, unchanged: false };
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== "versionNumberTaken") throw error;
    // Another request published this number while this one was reading; it may have been the same upload sent twice.
    const other = await findExisting(resources.db, project.id, fields.versionNumber);
    if (!other) throw error;
    return sameOrTaken(other, primaryFile);
  }
}

const commit = (
  resources: Resources,
  { viewer, actor }: Author,
  { project: { id: projectId }, also }: Upload,
  fields: VersionFields & Pick<NewVersion, "namedLicense" | "pack">,
  { files, scans }: { files: readonly NewFile[]; scans: readonly FileScan[] },
): Promise<Pick<Published, "versionId" | "isHeld">> =>
  write(resources, actor, async (tx) => {
    const { db } = tx;
    // Checked again after the long upload: the user may have lost the permission, or the project may be archived.
    const [locked, entries, token] = await together(
      db,
      [
        lockingProject(db, projectId).where(visibleTo(viewer)),
        entriesOf(db, viewer.user, sql<boolean>`projects.id = ${projectId}`),
        provenanceOf(db, viewer),
      ],
      contentsLock(db),
    );
    reach("publish: project locked");
    const project = locked.rows[0];
    if (!project) throw fail.projectNotFound();
    needPublishable(viewer, project, toProjectRights(viewer.user, projectId, entries.rows));
    const isHeld = await recordScans(tx, resources.config.scanner, scans);
    const [primaryFile, ...additionalFiles] = files;
    const version = { ...fields, authorId: viewer.user.id, primaryFile: primaryFile!, additionalFiles };
    const provenance = token.rows[0]?.provenance ?? null;
    const versionId = await insertVersion(tx, resources.blobs, project, { ...version, provenance, isHeld });
    if (isHeld) await settleVersions(tx, sql<boolean>`versions.id = ${versionId}`);
    await also?.(tx, versionId);
    await takeQuota(tx, resources.config.limits, viewer.user.id, files);
    reach("publish: before commit");
    return { versionId, isHeld };
  });

/** The provenance of the build that the caller's token was issued to. */
const provenanceOf = (db: Db, viewer: SignedIn) =>
  db
    .selectFrom("tokens")
    .select("provenance")
    .where("id", "=", viewer.kind === "token" ? viewer.tokenId : null);

export interface NewVersion extends VersionFields {
  authorId: string;
  primaryFile: NewFile;
  additionalFiles: readonly NewFile[];
  /** The build that produced it, if a trusted publisher published it. */
  provenance?: Row<"versions">["provenance"];
  /** The license in the manifest of its primary file, as it is written there. */
  namedLicense?: string | null;
  /** It is not announced until it is visible. */
  isHeld?: boolean;
  /** The contents of its primary file, if that is a pack. */
  pack?: FoundPack | undefined;
}

/** Slugs with another meaning in a path. */
const reservedSlugs: ReadonlySet<string> = new Set(["new", "latest"]);

/** Inserts the rows of one version and returns its id. The caller must have locked the project's row. */
export async function insertVersion(
  tx: Tx,
  blobs: BlobStore,
  project: Pick<Row<"projects">, "id" | "game_versions" | "loaders">,
  input: NewVersion,
): Promise<string> {
  const { db } = tx;
  const id = newId(tx.random);
  const primaryId = newId(tx.random);
  const projectId = project.id;
  const row = {
    id,
    project_id: projectId,
    author_id: input.authorId,
    title: input.title,
    version_number: input.versionNumber,
    slug: freeSlug(projectId, input.versionNumber, id),
    changelog: input.changelog,
    channel: input.channel,
    featured: input.featured ? (1 as const) : (0 as const),
    game_versions: toJson(input.gameVersions),
    loaders: toJson(input.loaders),
    primary_file_id: primaryId,
    downloads: 0,
    date_published: tx.now,
    date_yanked: null,
    yank_reason: null,
    yank_replacement_id: null,
    provenance: input.provenance ?? null,
    pack: input.pack ? toJson(toSummary(input.pack)) : null,
  };
  const files = [input.primaryFile, ...input.additionalFiles];
  const contents = contentsOf(files);
  const [retired, held] = await numberConflicts(
    together(
      db,
      [retirement(tx, retiredNumber(projectId, input.versionNumber)), heldContents(contents)],
      [
        db.insertInto("versions").values(row),
        ...insertingFiles(tx, { projectId, versionId: id }, files, primaryId),
        ...insertingCompat(db, { ...input, id, projectId, datePublished: tx.now }),
        ...insertingDependencies(tx, id, input.dependencies),
        extendingProject(tx, project, { ...input, id }),
      ],
    ),
  );
  refuseReserved(retired.rows[0]);
  refuseHeld(contents, held.rows);
  await needStored(blobs, files);
  reach("publish: files inserted");
  if (input.pack) {
    await insertContents(tx, id, input.pack.files);
    await embedContents(tx, { id, projectId });
  }
  if (!input.isHeld) tx.happened("version.published", projectId, { versionId: id });
  tx.audit("version.create", { kind: "version", id }, { projectId, number: input.versionNumber });
  return id;
}

/** The number in lower case; the id if that is taken or reserved (decisions §2). */
function freeSlug(projectId: string, versionNumber: string, id: string): RawBuilder<string> | string {
  const slug = versionNumber.toLowerCase();
  if (reservedSlugs.has(slug)) return id;
  return sql<string>`case when exists (select 1 from versions where project_id = ${projectId} and slug = ${slug})
    then cast(${id} as text) else cast(${slug} as text) end`;
}

/** Numbers that differ only in case have the same URL. */
const retiredNumber = (projectId: string, versionNumber: string): RetiredName => ({
  ...{ kind: "version", scope: projectId, name: versionNumber.toLowerCase() },
});

export const refuseRetiredNumber = (tx: Tx, projectId: string, versionNumber: string): Promise<void> =>
  refuseRetired(tx, retiredNumber(projectId, versionNumber));

export async function numberConflicts<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw brokenUnique(error) === "versions_project_id_version_number" ? fail.versionNumberTaken() : error;
  }
}
