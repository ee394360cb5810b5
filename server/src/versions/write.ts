// Publishing and changing versions, in the one short transaction that makes them visible. The bytes are durable before.

import { claimBlob } from "../blobs/rows.js";
import type { BlobDigest, BlobStore } from "../blobs/store.js";
import { fileChangeId } from "../catalog/catalog.js";
import type { Tx } from "../changes/write.js";
import { brokenUnique } from "../db/dialect.js";
import type { Row } from "../db/tables.js";
import { fail } from "../errors.js";
import { reach } from "../lib/fail-points.js";
import { toJson } from "../lib/json.js";
import { newId } from "../lib/random.js";
import type { DependencyInput, VersionFields } from "./input.js";

export interface NewFile {
  name: string;
  type: string;
  digest: BlobDigest;
}

export interface NewVersion extends VersionFields {
  projectId: string;
  authorId: string;
  primaryFile: NewFile;
  additionalFiles: readonly NewFile[];
}

/** Slugs that mean something else in a path. */
const reservedSlugs: ReadonlySet<string> = new Set(["new", "latest"]);

/** Rows for one version; returns its id. The project's row must be locked by the caller. */
export async function insertVersion(tx: Tx, blobs: BlobStore, input: NewVersion): Promise<string> {
  const id = newId(tx.random);
  const primaryId = newId(tx.random);
  await numberConflicts(
    tx.db
      .insertInto("versions")
      .values({
        id,
        project_id: input.projectId,
        author_id: input.authorId,
        title: input.title,
        version_number: input.versionNumber,
        slug: await freeSlug(tx, input.projectId, input.versionNumber, id),
        changelog: input.changelog,
        channel: input.channel,
        featured: input.featured ? 1 : 0,
        game_versions: toJson(input.gameVersions),
        loaders: toJson(input.loaders),
        primary_file_id: primaryId,
        downloads: 0,
        date_published: tx.now,
        date_yanked: null,
        yank_reason: null,
      })
      .execute(),
  );
  reach("publish: version inserted");
  await insertFile(tx, blobs, { projectId: input.projectId, versionId: id }, input.primaryFile, primaryId);
  for (const file of input.additionalFiles)
    await insertFile(tx, blobs, { projectId: input.projectId, versionId: id }, file);
  reach("publish: files inserted");
  await replaceCompat(tx, { ...input, id, datePublished: tx.now });
  await replaceDependencies(tx, id, input.dependencies);
  await refreshProject(tx, input.projectId, { updated: true });
  tx.audit("version.create", { kind: "version", id }, { projectId: input.projectId, number: input.versionNumber });
  reach("publish: before commit");
  return id;
}

/** The number in lower case; where that is taken or means something else, the id (decisions §2). */
async function freeSlug(tx: Tx, projectId: string, versionNumber: string, id: string): Promise<string> {
  const slug = versionNumber.toLowerCase();
  if (reservedSlugs.has(slug)) return id;
  const taken = await tx.db
    .selectFrom("versions")
    .select("id")
    .where("project_id", "=", projectId)
    .where("slug", "=", slug)
    .executeTakeFirst();
  return taken ? id : slug;
}

export async function insertFile(
  tx: Tx,
  blobs: BlobStore,
  { projectId, versionId }: { projectId: string; versionId: string },
  file: NewFile,
  id = newId(tx.random),
): Promise<void> {
  const sha512 = await claimBlob(tx.db, blobs, file.digest, tx.now);
  try {
    await tx.db
      .insertInto("version_files")
      .values({
        id,
        version_id: versionId,
        project_id: projectId,
        name: file.name,
        type: file.type,
        size: file.digest.size,
        sha1: Buffer.from(file.digest.sha1, "hex"),
        sha512,
        date_created: tx.now,
      })
      .execute();
  } catch (error) {
    throw brokenUnique(error) === "version_files_version_id_name" ? fail.fileNameTaken(file.name) : error;
  }
  tx.changed("file", fileChangeId(file.digest.sha512, file.digest.sha1));
}

interface CompatInput {
  id: string;
  projectId: string;
  datePublished: number;
  channel: Row<"versions">["channel"];
  gameVersions: readonly string[];
  loaders: readonly string[];
}

/** One row for each pair that the version runs on: filters on both must match on one version. */
async function replaceCompat({ db }: Tx, version: CompatInput): Promise<void> {
  await db.deleteFrom("version_compat").where("version_id", "=", version.id).execute();
  const loaders = version.loaders.length > 0 ? version.loaders : [""];
  const rows = version.gameVersions.flatMap((game_version) =>
    loaders.map((loader) => ({
      version_id: version.id,
      project_id: version.projectId,
      game_version,
      loader,
      channel: version.channel,
      date_published: version.datePublished,
    })),
  );
  for (let start = 0; start < rows.length; start += 500)
    await db
      .insertInto("version_compat")
      .values(rows.slice(start, start + 500))
      .execute();
}

async function replaceDependencies(tx: Tx, versionId: string, dependencies: readonly DependencyInput[]): Promise<void> {
  await tx.db.deleteFrom("dependencies").where("version_id", "=", versionId).execute();
  if (dependencies.length === 0) return;
  await tx.db
    .insertInto("dependencies")
    .values(
      dependencies.map((dependency) => ({
        id: newId(tx.random),
        version_id: versionId,
        on_project_id: dependency.projectId,
        on_version_id: dependency.versionId,
        type: dependency.type,
      })),
    )
    .execute();
}

/** The project's own lists are the union over its versions. */
async function refreshProject(tx: Tx, projectId: string, { updated }: { updated: boolean }): Promise<void> {
  const rows = await tx.db
    .selectFrom("version_compat")
    .select(["game_version", "loader"])
    .distinct()
    .where("project_id", "=", projectId)
    .execute();
  const loaders = [...new Set(rows.map((row) => row.loader))].filter((loader) => loader !== "").sort();
  const gameVersions = [...new Set(rows.map((row) => row.game_version))];
  await tx.db
    .updateTable("projects")
    .set({ game_versions: toJson(gameVersions), loaders: toJson(loaders), ...(updated && { date_updated: tx.now }) })
    .where("id", "=", projectId)
    .execute();
  tx.changed("project", projectId);
}

export async function editVersion(
  tx: Tx,
  blobs: BlobStore,
  version: Row<"versions">,
  fields: Partial<VersionFields>,
  files: readonly NewFile[],
): Promise<void> {
  const { id, project_id: projectId } = version;
  const gameVersions = fields.gameVersions ?? (JSON.parse(version.game_versions) as string[]);
  const loaders = fields.loaders ?? (JSON.parse(version.loaders) as string[]);
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
  await replaceCompat(tx, { id, projectId, datePublished: version.date_published, channel, gameVersions, loaders });
  if (fields.dependencies) await replaceDependencies(tx, id, fields.dependencies);
  for (const file of files) await insertFile(tx, blobs, { projectId, versionId: id }, file);
  await refreshProject(tx, projectId, { updated: false });
  tx.audit("version.update", { kind: "version", id }, { projectId, files: files.length });
}

export async function removeVersion(tx: Tx, version: Row<"versions">): Promise<void> {
  const files = await tx.db
    .selectFrom("version_files")
    .select(["sha1", "sha512"])
    .where("version_id", "=", version.id)
    .execute();
  const { downloads } = await tx.db
    .deleteFrom("versions")
    .where("id", "=", version.id)
    .returning("downloads")
    .executeTakeFirstOrThrow();
  for (const file of files)
    tx.changed("file", fileChangeId(Buffer.from(file.sha512).toString("hex"), Buffer.from(file.sha1).toString("hex")));
  await refreshProject(tx, version.project_id, { updated: false });
  tx.audit(
    "version.delete",
    { kind: "version", id: version.id },
    { projectId: version.project_id, number: version.version_number },
  );
  reach("version delete: before commit");
}

/** A reason withdraws the version, null offers it again. */
export async function setYanked(tx: Tx, version: Row<"versions">, reason: string | null): Promise<void> {
  await tx.db
    .updateTable("versions")
    .set({ date_yanked: reason === null ? null : (version.date_yanked ?? tx.now), yank_reason: reason || null })
    .where("id", "=", version.id)
    .execute();
  tx.audit(reason === null ? "version.unyank" : "version.yank", { kind: "version", id: version.id }, { reason });
  tx.changed("project", version.project_id);
}

async function numberConflicts<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw brokenUnique(error) === "versions_project_id_version_number" ? fail.versionNumberTaken() : error;
  }
}
