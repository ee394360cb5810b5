// Version files on the content host. Every missing or hidden part gets the same refusal, fileNotFound.

import { type SentFile, sendFile } from "#content/downloads/send-file.js";
import { projectEntries } from "#content/projects/entries.js";
import { findPrepared, visibleProjects } from "#content/projects/read.js";
import type { Version } from "#content/shapes/version.js";
import { versionEntries } from "#content/versions/entries.js";
import { fail } from "#platform/errors.js";
import { type Route, route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import type { Viewer } from "#platform/http/viewer.js";
import * as contract from "./file-contract.js";

/**
 * The bytes never change, but their availability does: a version can be deleted, hidden or put into quarantine. So
 * shared caches revalidate after a minute, which costs them a 304.
 */
const immutable = "public, max-age=31536000, s-maxage=60, immutable";

export const cdnFileRoutes: Route[] = [
  route(contract.getVersionFile, async (call, resources) => {
    const { params, viewer } = call;
    const sent = (await findPublicFile(resources, params)) ?? (await findVisibleFile(resources, viewer, params));
    return sendFile(call, resources, sent, immutable);
  }),
];

interface FileParams {
  id: string;
  versionId: string;
  fileName: string;
}

/** Most files belong to public projects, which are prepared: nothing but the one version is read. */
async function findPublicFile(resources: Resources, { id, ...file }: FileParams): Promise<SentFile | undefined> {
  const project = await findPrepared(resources, id);
  const ordinal = project?.id === id ? project.findVersion(file.versionId) : -1;
  // Neither a project nor a version is named by its slug here.
  if (!project || ordinal < 0 || project.versionId(ordinal) !== file.versionId) return undefined;
  const { files } = JSON.parse(project.versionText(ordinal)) as Version;
  const found = files.find(({ name }) => name === file.fileName);
  return (
    found && {
      ...{ projectId: id, versionId: file.versionId, isPublic: true },
      file: { ...found, sha512: found.sha512_hash },
    }
  );
}

async function findVisibleFile(resources: Resources, viewer: Viewer, params: FileParams): Promise<SentFile> {
  const project = (await projectEntries(resources).load([params.id])).get(params.id);
  if (!project || !(await visibleProjects(resources.db, viewer, [project])).has(project.id)) throw fail.fileNotFound();
  const versions = (await versionEntries(resources).load([project.id])).get(project.id) ?? [];
  const version = versions.find(({ id }) => id === params.versionId);
  const file = version?.files.find(({ name }) => name === params.fileName);
  if (!version || !file) throw fail.fileNotFound();
  return { projectId: project.id, versionId: version.id, file, isPublic: project.isPublic };
}
