// Publishing and editing versions as the API's routes and the website's forms both do it: with files that came along, or
// that were uploaded before.

import { needConfirmedAddress } from "#accounts/users/policy.js";
import { getEditableProject } from "#content/projects/editing.js";
import { lockProject } from "#content/projects/locking.js";
import { withUploads } from "#content/uploads/write.js";
import { formatBytes } from "#lib/format-bytes.js";
import { type Actor, write } from "#platform/changes/write.js";
import { lockContents } from "#platform/db/dialect.js";
import { fail, invalid } from "#platform/errors.js";
import type { StagedFile } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { say } from "#words/said.js";
import type { VersionParts } from "./edit-contract.js";
import { editVersion, getVersionRow } from "./editing.js";
import { parseVersionParts } from "./input.js";
import { parseList } from "./lists.js";
import { examineFile, keepFiles, refuseSameNames } from "./new-files.js";
import { inputContext, type Published, publish, type Upload } from "./publish.js";
import { takeQuota } from "./quota.js";
import { getVisibleVersion } from "./read.js";

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

/** Most files a version can have beside its first, however they came. */
function checkCount(resources: Resources, count: number): void {
  const most = resources.config.limits.additionalFiles;
  if (count > most) throw invalid({ path: "additionalUploads", message: say.problems.mostFiles(most) });
}

/** An upload may be as large as any file; what it is used for decides. */
function checkSize({ name, blob }: StagedFile, maxBytes: number): void {
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

interface EditCall {
  params: { ref: string; version: string };
  viewer: SignedIn;
  actor: Actor;
}

/** The version by id, slug or "latest", if the caller may edit it. */
export async function findEdited(resources: Resources, { viewer, params }: Pick<EditCall, "viewer" | "params">) {
  const { project } = await getEditableProject(resources.db, viewer, params.ref, "upload_version");
  // The same one that a reader gets.
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
    const context = await inputContext(resources, viewer, project);
    const fields = await parseVersionParts(context, parts);
    refuseSameNames(all);
    const examined = [];
    for (const file of all) examined.push(await examineFile(resources, file));
    const files = examined.length > 0 ? await keepFiles(resources, examined) : [];
    await write(resources, actor, async (tx) => {
      await lockContents(tx.db, "shared");
      await takeQuota(tx, resources.config.limits, version.author_id, files);
      await lockProject(tx, project.id);
      await getEditableProject(tx.db, viewer, project.id, "upload_version");
      const row = await getVersionRow(tx.db, project.id, version.id);
      await editVersion(tx, resources.blobs, viewer, row, fields, files);
    });
    return { projectId: project.id, versionId: version.id };
  });
}
