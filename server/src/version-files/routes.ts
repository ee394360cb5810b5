// Look-ups by file hash: one function a route.
import { catalogOf } from "../catalog/catalog.js";
import { alone, joinMap } from "../catalog/ready-bytes.js";
import { sendFile } from "../downloads/send-file.js";
import { fail } from "../errors.js";
import { type Route, route } from "../http/endpoint.js";
import { parseChannels, type VersionFilter } from "../versions/policy.js";
import * as contract from "./contract.js";
import { resolveHashes } from "./read.js";

interface FilterBody {
  gameVersions?: string[];
  loader?: string;
  releaseChannel?: string;
}

const toFilter = ({ gameVersions, loader, releaseChannel }: FilterBody): VersionFilter => ({
  gameVersions,
  loader,
  channels: parseChannels(releaseChannel),
});

export const versionFileRoutes: Route[] = [
  route(contract.getVersionByHash, async ({ params, query, viewer }, resources) => {
    const found = await resolveHashes(resources, viewer, query.algorithm ?? "sha512", [params.hash]);
    const version = found.get(params.hash);
    if (!version) throw fail.versionNotFound();
    return alone(version.byHash);
  }),

  route(contract.downloadByHash, async (call, resources) => {
    const { params, query, viewer } = call;
    const algorithm = query.algorithm ?? "sha512";
    const version = (await resolveHashes(resources, viewer, algorithm, [params.hash])).get(params.hash);
    const hash = params.hash.toLowerCase();
    const file = version?.files.find((candidate) => candidate[algorithm] === hash);
    if (!version || !file) throw fail.fileNotFound();
    const isPublic = catalogOf(resources).peekProject(version.projectId)?.isPublic ?? false;
    return sendFile(
      call,
      resources,
      { projectId: version.projectId, versionId: version.id, file, isPublic },
      "no-cache",
    );
  }),

  route(contract.getVersionsByHashes, async ({ body, viewer }, resources) => {
    const found = await resolveHashes(resources, viewer, body.algorithm ?? "sha512", body.hashes);
    return joinMap([...found].map(([hash, version]) => [hash, version.byHash] as const));
  }),

  route(contract.getUpdatesByHashes, async ({ body, viewer }, resources) => {
    const found = await resolveHashes(resources, viewer, body.algorithm ?? "sha512", body.hashes, toFilter(body));
    return joinMap([...found].map(([hash, version]) => [hash, version.byHash] as const));
  }),

  route(contract.getUpdateByHash, async ({ params, body, viewer }, resources) => {
    const found = await resolveHashes(resources, viewer, body.algorithm ?? "sha512", [params.hash], toFilter(body));
    const version = found.get(params.hash);
    if (!version) throw fail.versionNotFound();
    return alone(version.byHash);
  }),
];
