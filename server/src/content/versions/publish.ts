// From a form to a version: check, inspect, store, then one short transaction (architecture "Publish", reliability D-1).

import { needConfirmedAddress } from "#accounts/users/policy.js";
import { getEditableProject } from "#content/projects/editing.js";
import { lockProject } from "#content/projects/locking.js";
import { getTaxonomy } from "#content/taxonomy/read.js";
import { reach } from "#lib/fail-points.js";
import { fromJson } from "#lib/json.js";
import { type Actor, write } from "#platform/changes/write.js";
import { lockContents } from "#platform/db/dialect.js";
import type { Db, Row } from "#platform/db/tables.js";
import { Failure, fail, invalid } from "#platform/errors.js";
import type { StagedFile } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { say } from "#words/said.js";
import type { VersionParts } from "./edit-contract.js";
import { completeFields, type InputContext, parseVersionParts, type VersionFields } from "./input.js";
import { examineFile, keepFiles, refuseSameNames } from "./new-files.js";
import { takeQuota } from "./quota.js";
import { insertVersion, type NewFile } from "./write.js";

export interface Upload {
  project: Row<"projects">;
  parts: VersionParts;
  primaryFile: StagedFile | undefined;
  additionalFiles: readonly StagedFile[];
}

export interface Published {
  versionId: string;
  /** It was there already, with these very bytes. */
  unchanged: boolean;
}

interface Author {
  viewer: SignedIn;
  actor: Actor;
}

/** The project, if this caller may publish in it now. */
export async function getPublishableProject(db: Db, viewer: SignedIn, ref: string): Promise<Row<"projects">> {
  const { project } = await getEditableProject(db, viewer, ref, "upload_version");
  needConfirmedAddress(viewer);
  if (project.visibility === "archived") throw fail.projectArchived();
  return project;
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

export async function publish(resources: Resources, author: Author, upload: Upload): Promise<Published> {
  const { project, parts, primaryFile, additionalFiles } = upload;
  const context = await inputContext(resources, author.viewer, project);
  const given = await parseVersionParts(context, parts);
  if (!primaryFile) throw invalid({ path: "primaryFile", message: say.problems.primaryFileMissing });
  refuseSameNames([primaryFile, ...additionalFiles]);
  const primary = await examineFile(resources, primaryFile, context.taxonomy.primaryFileTypes(context.project.types));
  const examined = [primary];
  for (const file of additionalFiles) examined.push(await examineFile(resources, file));
  reach("upload: inspected");
  const fields = completeFields(context, given, primary.hints);

  const existing = await findExisting(resources.db, project.id, fields.versionNumber);
  if (existing) return sameOrTaken(existing, primaryFile);
  const files = await keepFiles(resources, examined);
  try {
    const versionId = await commit(resources, author, project.id, fields, files);
    reach("publish: after commit");
    return { versionId, unchanged: false };
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== "versionNumberTaken") throw error;
    // Somebody published the same number while we were reading; it may have been this very upload, sent twice.
    const other = await findExisting(resources.db, project.id, fields.versionNumber);
    if (!other) throw error;
    return sameOrTaken(other, primaryFile);
  }
}

const commit = (
  resources: Resources,
  { viewer, actor }: Author,
  projectId: string,
  fields: VersionFields,
  [primaryFile, ...additionalFiles]: readonly NewFile[],
): Promise<string> =>
  write(resources, actor, async (tx) => {
    await lockContents(tx.db, "shared");
    await takeQuota(tx, resources.config.limits, viewer.user.id, [primaryFile!, ...additionalFiles]);
    await lockProject(tx, projectId);
    reach("publish: project locked");
    // The upload took its time: who lost the right meanwhile, or archived the project, is heard.
    await getPublishableProject(tx.db, viewer, projectId);
    const version = { ...fields, projectId, authorId: viewer.user.id, primaryFile: primaryFile!, additionalFiles };
    return insertVersion(tx, resources.blobs, { ...version, provenance: await findProvenance(tx.db, viewer) });
  });

/** What the build service said of the build that this token was given to; of all other callers nothing. */
async function findProvenance(db: Db, viewer: SignedIn): Promise<Row<"tokens">["provenance"]> {
  if (viewer.kind !== "token") return null;
  const token = await db.selectFrom("tokens").select("provenance").where("id", "=", viewer.tokenId).executeTakeFirst();
  return token?.provenance ?? null;
}

interface Existing {
  id: string;
  sha512: Uint8Array;
  date_quarantined: number | null;
}

const findExisting = (db: Db, projectId: string, versionNumber: string): Promise<Existing | undefined> =>
  db
    .selectFrom("versions")
    .innerJoin("version_files as file", "file.id", "versions.primary_file_id")
    .select(["versions.id", "versions.date_quarantined", "file.sha512"])
    .where("versions.project_id", "=", projectId)
    .where("versions.version_number", "=", versionNumber)
    .executeTakeFirst();

/**
 * The same bytes under the same number are the same version; other bytes never take its place, and what is in quarantine
 * does not come back this way.
 */
function sameOrTaken(existing: Existing, file: StagedFile): Published {
  const isSame = Buffer.from(existing.sha512).equals(Buffer.from(file.blob.sha512, "hex"));
  if (!isSame || existing.date_quarantined !== null) throw fail.versionNumberTaken();
  return { versionId: existing.id, unchanged: true };
}
