// From a form to a version: check, inspect, store, then one short transaction (architecture "Publish", reliability D-1).
import { open } from "node:fs/promises";
import { type FileType, findFileType, headBytes } from "../archives/file-types.js";
import { BlobVanished } from "../blobs/rows.js";
import { type Actor, write } from "../changes/write.js";
import type { Row } from "../db/tables.js";
import { Failure, fail, invalid } from "../errors.js";
import type { Resources } from "../http/resources.js";
import { parse } from "../http/validation.js";
import type { SignedIn } from "../http/viewer.js";
import { reach } from "../lib/fail-points.js";
import { fromJson } from "../lib/json.js";
import { getEditableProject } from "../projects/editing.js";
import { getTaxonomy } from "../taxonomy/read.js";
import { versionParts } from "./edit-contract.js";
import {
  type ArchiveHints,
  completeFields,
  type InputContext,
  parseVersionTexts,
  type VersionFields,
  type VersionTexts,
} from "./input.js";
import type { StagedFile, UploadForm } from "./upload-form.js";
import { insertVersion, type NewFile } from "./write.js";

export interface Published {
  projectId: string;
  versionId: string;
  unchanged: boolean;
}

export async function inputContext(
  resources: Resources,
  viewer: SignedIn,
  project: Row<"projects">,
): Promise<InputContext> {
  return {
    db: resources.db,
    viewer,
    taxonomy: await getTaxonomy(resources),
    project: { id: project.id, types: fromJson(project.types) },
    maxDependencies: resources.config.limits.dependencies,
  };
}

export async function publish(
  resources: Resources,
  { viewer, actor }: { viewer: SignedIn; actor: Actor },
  project: Row<"projects">,
  form: UploadForm,
): Promise<Published> {
  const context = await inputContext(resources, viewer, project);
  const texts = parse<VersionTexts>("text", versionParts, { ...form.fields }, "form");
  const given = await parseVersionTexts(context, texts);
  if (!form.primaryFile) throw invalid({ path: "primaryFile", message: "is missing" });
  const { type, hints } = await examine(
    resources,
    form.primaryFile,
    context.taxonomy.primaryFileTypes(context.project.types),
  );
  const additional: FileType[] = [];
  for (const file of form.additionalFiles) additional.push((await examine(resources, file)).type);
  reach("upload: inspected");
  const fields = completeFields(context, given, hints);

  const existing = await findByNumber(resources, project.id, fields.versionNumber);
  if (existing) return sameOrTaken(project.id, existing, form.primaryFile);

  const primaryFile = await keep(resources, form.primaryFile, type);
  reach("upload: first blob kept");
  const additionalFiles: NewFile[] = [];
  for (const [index, file] of form.additionalFiles.entries())
    additionalFiles.push(await keep(resources, file, additional[index]!));
  reach("upload: blobs kept");
  try {
    const versionId = await commit(resources, { viewer, actor }, project, { ...fields, primaryFile, additionalFiles });
    reach("publish: after commit");
    return { projectId: project.id, versionId, unchanged: false };
  } catch (error) {
    // Somebody published the same number while we were reading; it may have been this very upload, sent twice.
    if (!(error instanceof Failure) || error.code !== "versionNumberTaken") throw error;
    const other = await findByNumber(resources, project.id, fields.versionNumber);
    if (!other) throw error;
    return sameOrTaken(project.id, other, form.primaryFile);
  }
}

async function commit(
  resources: Resources,
  { viewer, actor }: { viewer: SignedIn; actor: Actor },
  project: Row<"projects">,
  version: VersionFields & { primaryFile: NewFile; additionalFiles: NewFile[] },
): Promise<string> {
  try {
    return await write(resources, actor, async (tx) => {
      // The upload took its time: whoever has lost the right, or archived the project meanwhile, is heard.
      await tx.db.updateTable("projects").set({ date_updated: tx.now }).where("id", "=", project.id).execute();
      reach("publish: project locked");
      const { project: now } = await getEditableProject(tx.db, viewer, project.id, "upload_version");
      refuseArchived(now);
      return insertVersion(tx, resources.blobs, { ...version, projectId: project.id, authorId: viewer.user.id });
    });
  } catch (error) {
    throw error instanceof BlobVanished ? fail.unavailable() : error;
  }
}

export function refuseArchived(project: Row<"projects">): void {
  if (project.visibility === "archived") throw fail.projectArchived();
}

interface ExistingVersion {
  id: string;
  sha512: Uint8Array;
}

const findByNumber = (
  { db }: Resources,
  projectId: string,
  versionNumber: string,
): Promise<ExistingVersion | undefined> =>
  db
    .selectFrom("versions")
    .innerJoin("version_files as file", "file.id", "versions.primary_file_id")
    .select(["versions.id", "file.sha512"])
    .where("versions.project_id", "=", projectId)
    .where("versions.version_number", "=", versionNumber)
    .executeTakeFirst();

/** The same bytes under the same number are the same version; other bytes never take its place. */
function sameOrTaken(projectId: string, existing: ExistingVersion, file: StagedFile): Published {
  if (!Buffer.from(existing.sha512).equals(Buffer.from(file.blob.sha512, "hex"))) throw fail.versionNumberTaken();
  return { projectId, versionId: existing.id, unchanged: true };
}

/** What kind of file it is, whether it may be one, and what it says about itself. */
export async function examine(
  { archives }: Resources,
  file: StagedFile,
  allowed?: readonly FileType[],
): Promise<{ type: FileType; hints: ArchiveHints }> {
  const type = findFileType(file.name, await readHead(file.blob.path));
  if (!type) throw fail.fileRefused(file.name, "its content is not of a type we know, or not what its name says");
  if (allowed && !allowed.includes(type))
    throw fail.fileRefused(file.name, `the primary file must be ${allowed.join(", ")} here`);
  const inspection = await archives.inspect(file.blob.path, type);
  if (!inspection.ok) throw fail.fileRefused(file.name, inspection.message);
  const { manifest } = inspection;
  return { type, hints: { name: manifest?.name, version: manifest?.version, loaders: manifest?.loaders ?? [] } };
}

async function readHead(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

export async function keep({ blobs }: Resources, file: StagedFile, type: FileType): Promise<NewFile> {
  return { name: file.name, type, digest: await blobs.keep(file.blob) };
}
