// Version files on the content host. Every missing or hidden part gets the same refusal, fileNotFound.

import { sendFile } from "#content/downloads/send-file.js";
import { projectEntries } from "#content/projects/entries.js";
import { visibleProjects } from "#content/projects/read.js";
import { versionEntries } from "#content/versions/entries.js";
import { fail } from "#platform/errors.js";
import { type Route, route } from "#platform/http/endpoint.js";
import * as contract from "./file-contract.js";

/**
 * The bytes never change, but their availability does: a version can be deleted, hidden or put into quarantine. So
 * shared caches revalidate after a minute, which costs them a 304.
 */
const immutable = "public, max-age=31536000, s-maxage=60, immutable";

export const cdnFileRoutes: Route[] = [
  route(contract.getVersionFile, async (call, resources) => {
    const { params, viewer } = call;
    const project = (await projectEntries(resources).load([params.id])).get(params.id);
    if (!project || !(await visibleProjects(resources.db, viewer, [project])).has(project.id))
      throw fail.fileNotFound();
    const versions = (await versionEntries(resources).load([project.id])).get(project.id) ?? [];
    const version = versions.find(({ id }) => id === params.versionId);
    const file = version?.files.find(({ name }) => name === params.fileName);
    if (!version || !file) throw fail.fileNotFound();
    const sent = { projectId: project.id, versionId: version.id, file, isPublic: project.isPublic };
    return sendFile(call, resources, sent, immutable);
  }),
];
