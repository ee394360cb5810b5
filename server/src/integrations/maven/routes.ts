// The Maven repository: one route for the whole tree, because the group's folders are a setting.
import { createHash } from "node:crypto";
import type { FastifyReply } from "fastify";
import { sendFile } from "#content/downloads/send-file.js";
import { type ProjectEntry, projectEntries } from "#content/projects/entries.js";
import { findProjectId, visibleProjects } from "#content/projects/read.js";
import { Failure, fail } from "#platform/errors.js";
import { sendText } from "#platform/http/answers.js";
import { type Call, type Route, route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import type { Viewer } from "#platform/http/viewer.js";
import { type Address, type ChecksumKind, parseAddress } from "./address.js";
import { checksumOf } from "./checksums.js";
import * as contract from "./contract.js";
import { type Artifact, findArtifact } from "./read.js";

type MavenCall = Call<typeof contract.getMavenFile>;

export const mavenRoutes: Route[] = [
  route(contract.getMavenFile, async (call, resources) => {
    const address = parseAddress(call.params.path, resources.config.mavenGroup);
    if (!address) throw fail.artifactNotFound();
    const project = await getProject(resources, call.viewer, address);
    const found = await findArtifact(resources, call.viewer, project, address);
    if (!found) throw fail.artifactNotFound();
    return address.checksum ? sendChecksum(call, resources, found, address.checksum) : send(call, resources, found);
  }),
];

/**
 * Builds send their password only after a challenge, so callers get one for every project that they cannot see, whether
 * or not it exists. For missing files of a visible project, and outside of our group, there is no challenge: it would
 * make Gradle stop instead of trying its next repository.
 */
async function getProject(resources: Resources, viewer: Viewer, { artifact }: Address): Promise<ProjectEntry> {
  const id = await findProjectId(resources, artifact);
  const entry = id === undefined ? undefined : (await projectEntries(resources).load([id])).get(id);
  if (entry && (await visibleProjects(resources.db, viewer, [entry])).has(entry.id)) return entry;
  throw viewer.kind === "anonymous" ? challenge() : fail.artifactNotFound();
}

/** Basic alone: if a header names several schemes, the HTTP client of Maven and Gradle understands none. */
function challenge(): Failure {
  const { code, status, said } = fail.artifactHidden();
  return new Failure(code, status, said, { headers: { "www-authenticate": 'Basic realm="modshelf"' } });
}

function send(call: MavenCall, resources: Resources, found: Artifact): Promise<FastifyReply> {
  const { request, reply } = call;
  if (found.kind === "document") {
    reply.type("text/xml; charset=utf-8");
    return sendText(request, reply, found.text);
  }
  const { project, version, file } = found;
  // Newer clients take these instead of asking for each checksum.
  reply.headers({ "x-checksum-sha1": file.sha1, "x-checksum-sha512": file.sha512 });
  const sent = { projectId: project.id, versionId: version.id, file, isPublic: project.isPublic };
  return sendFile(call, resources, sent, "no-cache");
}

async function sendChecksum(
  { request, reply }: MavenCall,
  { blobs }: Resources,
  found: Artifact,
  kind: ChecksumKind,
): Promise<FastifyReply> {
  const sum =
    found.kind === "document"
      ? createHash(kind).update(found.text).digest("hex")
      : await checksumOf(blobs, found.file, kind);
  reply.type("text/plain; charset=utf-8");
  return sendText(request, reply, sum);
}
