// Finds versions by hash: one resolver for single and bulk requests, so that they always agree (decisions §6).

import { projectEntries } from "#content/projects/entries.js";
import { visibleProjects } from "#content/projects/read.js";
import { type VersionEntry, versionEntries } from "#content/versions/entries.js";
import { findLatest, type VersionFilter } from "#content/versions/policy.js";
import type { Resources } from "#platform/http/resources.js";
import type { Viewer } from "#platform/http/viewer.js";
import { type FileOwner, fileOwners, type HashAlgorithm } from "./file-owners.js";

export interface HashQuery {
  algorithm: HashAlgorithm;
  /** As sent by the client. */
  hashes: readonly string[];
  /** If set, finds the latest matching version of each file's project instead of the file's own version. */
  update?: VersionFilter;
}

/** The data for an answer. Undefined means that it is not loaded. */
interface LookUpData {
  owners(hash: string): readonly FileOwner[] | undefined;
  isVisible(projectId: string): boolean | undefined;
  versions(projectId: string): readonly VersionEntry[] | undefined;
}

const widths: Record<HashAlgorithm, number> = { sha1: 40, sha512: 128 };

/** Versions by the hashes as sent; unknown, invisible and malformed hashes are left out. */
export async function resolveHashes(
  resources: Resources,
  viewer: Viewer,
  query: HashQuery,
): Promise<Map<string, VersionEntry>> {
  return (
    answer(query, fromMemory(resources, viewer, query.algorithm)) ??
    answer(query, await load(resources, viewer, query))!
  );
}

/** Undefined as soon as something is not loaded. */
function answer({ algorithm, hashes, update }: HashQuery, known: LookUpData): Map<string, VersionEntry> | undefined {
  const found = new Map<string, VersionEntry>();
  for (const sent of hashes) {
    if (sent.length !== widths[algorithm]) continue;
    const owners = known.owners(sent.toLowerCase());
    if (!owners) return undefined;
    // Owners are sorted newest first: a file in several versions belongs to the newest visible one.
    for (const owner of owners) {
      const visible = known.isVisible(owner.projectId);
      if (visible === undefined) return undefined;
      if (!visible) continue;
      const versions = known.versions(owner.projectId);
      if (!versions) return undefined;
      const entry = update ? findLatest(versions, update) : versions.find(({ id }) => id === owner.versionId);
      if (entry) found.set(sent, entry);
      break;
    }
  }
  return found;
}

/** The data in memory. Visibility of projects that are not public is never taken from memory. */
function fromMemory(resources: Resources, viewer: Viewer, algorithm: HashAlgorithm): LookUpData {
  const [owners, projects] = [fileOwners[algorithm](resources), projectEntries(resources)];
  const versions = versionEntries(resources);
  return {
    owners: (hash) => owners.peek(hash),
    isVisible: (projectId) => {
      const project = projects.peek(projectId);
      return project?.isPublic || (project && viewer.kind === "anonymous" ? false : undefined);
    },
    versions: (projectId) => versions.peek(projectId),
  };
}

/** Loads all data for the query: one statement for all hashes, and a constant number for the rest. */
async function load(resources: Resources, viewer: Viewer, { algorithm, hashes }: HashQuery): Promise<LookUpData> {
  const wanted = new Set<string>();
  for (const hash of hashes) {
    if (hash.length === widths[algorithm] && /^[0-9a-f]+$/i.test(hash)) wanted.add(hash.toLowerCase());
  }
  const owners = await fileOwners[algorithm](resources).load([...wanted]);
  const projectIds = new Set<string>();
  for (const list of owners.values()) for (const { projectId } of list) projectIds.add(projectId);
  const projects = await projectEntries(resources).load([...projectIds]);
  const visible = await visibleProjects(resources.db, viewer, projects.values());
  const versions = await versionEntries(resources).load([...visible]);
  return {
    owners: (hash) => owners.get(hash) ?? [],
    isVisible: (projectId) => visible.has(projectId),
    versions: (projectId) => versions.get(projectId) ?? [],
  };
}
