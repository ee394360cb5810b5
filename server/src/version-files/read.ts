// From hashes to versions: one resolver for single and bulk, so that they can never disagree (decisions §6).
import { catalogOf } from "../catalog/catalog.js";
import type { HashAlgorithm } from "../catalog/file-owners.js";
import type { VersionEntry } from "../catalog/version-entries.js";
import { visibleProjects } from "../catalog/visible.js";
import type { Resources } from "../http/resources.js";
import type { Viewer } from "../http/viewer.js";
import { findLatest, type VersionFilter } from "../versions/policy.js";

/** Keys are the hashes as sent. With a filter: the latest version of the file's project instead of its own. */
export async function resolveHashes(
  resources: Resources,
  viewer: Viewer,
  algorithm: HashAlgorithm,
  hashes: readonly string[],
  update?: VersionFilter,
): Promise<Map<string, VersionEntry>> {
  const catalog = catalogOf(resources);
  const width = algorithm === "sha1" ? 40 : 128;
  const wanted = new Map(hashes.filter((hash) => hash.length === width).map((hash) => [hash, hash.toLowerCase()]));
  const owners = await catalog.getFileOwners(algorithm, [...new Set(wanted.values())]);
  const projectIds = [...new Set([...owners.values()].flatMap((list) => list.map((owner) => owner.projectId)))];
  const projects = await catalog.getProjects(projectIds);
  const visible = await visibleProjects(resources.db, viewer, projects.values());
  const versions = await catalog.getVersions(projectIds.filter((id) => visible.has(id)));
  const found = new Map<string, VersionEntry>();
  for (const [sent, hash] of wanted) {
    // Owners come newest first: a file in several versions is the newest visible one's.
    const owner = owners.get(hash)?.find(({ projectId }) => visible.has(projectId));
    const siblings = owner && versions.get(owner.projectId);
    const entry = update
      ? siblings && findLatest(siblings, update)
      : siblings?.find(({ id }) => id === owner?.versionId);
    if (entry) found.set(sent, entry);
  }
  return found;
}
