// A new version, in the one short transaction that makes it visible. The bytes are durable before.

import { fileChangeId } from "#content/catalog/catalog.js";
import { refuseRetired } from "#content/projects/retired-names.js";
import { reach } from "#lib/fail-points.js";
import { toJson } from "#lib/json.js";
import { newId } from "#lib/random.js";
import { BlobVanished, reserveBlobs } from "#platform/blobs/rows.js";
import type { BlobDigest, BlobStore } from "#platform/blobs/store.js";
import type { Tx } from "#platform/changes/write.js";
import { brokenUnique } from "#platform/db/dialect.js";
import type { Row } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import { refuseHeldContent } from "./denied-contents.js";
import { insertDependencies, refreshProject, replaceCompat } from "./derived-rows.js";
import type { VersionFields } from "./input.js";

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
  /** Of what a trusted build has made it. */
  provenance?: Row<"versions">["provenance"];
}

/** Slugs that mean something else in a path. */
const reservedSlugs: ReadonlySet<string> = new Set(["new", "latest"]);

/** Rows for one version; returns its id. The project's row must be locked by the caller. */
export async function insertVersion(tx: Tx, blobs: BlobStore, input: NewVersion): Promise<string> {
  const id = newId(tx.random);
  const primaryId = newId(tx.random);
  const { projectId } = input;
  await numberConflicts(
    tx.db
      .insertInto("versions")
      .values({
        id,
        project_id: projectId,
        author_id: input.authorId,
        title: input.title,
        version_number: input.versionNumber,
        slug: await freeSlug(tx, projectId, input.versionNumber, id),
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
        yank_replacement_id: null,
        provenance: input.provenance ?? null,
      })
      .execute(),
  );
  await refuseRetiredNumber(tx, projectId, input.versionNumber);
  reach("publish: version inserted");
  await insertFiles(tx, blobs, { projectId, versionId: id }, [input.primaryFile, ...input.additionalFiles], primaryId);
  reach("publish: files inserted");
  await replaceCompat(tx, { ...input, id, datePublished: tx.now });
  await insertDependencies(tx, id, input.dependencies);
  await refreshProject(tx, projectId, { date_updated: tx.now });
  tx.happened("version.published", projectId, { versionId: id });
  tx.audit("version.create", { kind: "version", id }, { projectId, number: input.versionNumber });
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

/** Rows for files whose bytes are stored; the first may have an id already. */
export async function insertFiles(
  tx: Tx,
  blobs: BlobStore,
  version: { projectId: string; versionId: string },
  files: readonly NewFile[],
  firstId = newId(tx.random),
): Promise<void> {
  const digests = files.map(({ digest }) => digest);
  await reserveBlobs(tx.db, blobs, digests, tx.now).catch((error) => {
    // Rare beyond measure: the very same bytes were being swept. Sent again they will be stored.
    throw error instanceof BlobVanished ? fail.unavailable() : error;
  });
  for (const [n, file] of files.entries()) await insertFile(tx, version, file, n === 0 ? firstId : newId(tx.random));
}

async function insertFile(
  tx: Tx,
  { projectId, versionId }: { projectId: string; versionId: string },
  { name, type, digest }: NewFile,
  id: string,
): Promise<void> {
  const row = {
    id,
    version_id: versionId,
    project_id: projectId,
    name,
    type,
    size: digest.size,
    sha1: Buffer.from(digest.sha1, "hex"),
    sha512: Buffer.from(digest.sha512, "hex"),
    date_created: tx.now,
  };
  try {
    await tx.db.insertInto("version_files").values(row).execute();
  } catch (error) {
    throw brokenUnique(error) === "version_files_version_id_name" ? fail.fileNameTaken(name) : error;
  }
  await refuseHeldContent(tx.db, { name, sha1: digest.sha1, sha512: digest.sha512 });
  tx.changed("file", fileChangeId(digest.sha512, digest.sha1));
}

/** Numbers that differ in their letters' case alone lead to the same address. */
export const refuseRetiredNumber = (tx: Tx, projectId: string, versionNumber: string): Promise<void> =>
  refuseRetired(tx, { kind: "version", scope: projectId, name: versionNumber.toLowerCase() });

export async function numberConflicts<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw brokenUnique(error) === "versions_project_id_version_number" ? fail.versionNumberTaken() : error;
  }
}
