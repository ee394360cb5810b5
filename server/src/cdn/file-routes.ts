// Version files on the content host. Every missing or hidden part gets the same refusal, fileNotFound.

import { type SentFile, sendFile } from "#content/downloads/send-file.js";
import { projectEntries } from "#content/projects/entries.js";
import { findPrepared, visibleProjects } from "#content/projects/read.js";
import { versionEntries } from "#content/versions/entries.js";
import { fail } from "#platform/errors.js";
import { type Route, route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import type { SignedIn } from "#platform/http/viewer.js";
import * as contract from "./file-contract.js";
import { findPreparedFile, findPreparedVersion } from "./prepared-file.js";

/**
 * The bytes never change, but their availability does: a version can be deleted, hidden or put into quarantine. So
 * shared caches revalidate after a minute, which costs them a 304.
 */
export const immutable = "public, max-age=31536000, s-maxage=60, immutable";

export const cdnFileRoutes: Route[] = [
  route(contract.getVersionFile, async (call, resources) => {
    const { params, viewer } = call;
    const found =
      (await findPublic(resources, params)) ??
      (viewer.kind === "anonymous" ? undefined : await findVisible(resources, viewer, params));
    if (!found) throw fail.fileNotFound();
    return sendFile(call, resources, found, immutable);
  }),
];

interface Named {
  id: string;
  versionId: string;
  fileName: string;
}

/** Most files belong to public projects, which are prepared: nothing but the one version is read. */
async function findPublic(resources: Resources, { id, versionId, fileName }: Named): Promise<SentFile | undefined> {
  const project = await findPrepared(resources, id);
  // No project is named by its slug here.
  const file = project?.id === id && findPreparedFile(project, findPreparedVersion(project, versionId), fileName);
  return file ? { projectId: id, versionId, file, isPublic: true } : undefined;
}

async function findVisible(
  resources: Resources,
  viewer: SignedIn,
  { id, versionId, fileName }: Named,
): Promise<SentFile | undefined> {
  const project = (await projectEntries(resources).load([id])).get(id);
  if (!project || !(await visibleProjects(resources.db, viewer, [project])).has(id)) return undefined;
  const versions = (await versionEntries(resources).load([id])).get(id) ?? [];
  const version = versions.find((each) => each.id === versionId);
  const file = version?.files.find(({ name }) => name === fileName);
  return version && file && { projectId: id, versionId, file, isPublic: project.isPublic };
}
