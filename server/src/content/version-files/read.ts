// Finds versions by hash: one resolver for single and bulk requests, so that they always agree (decisions §6).

import type { HashAlgorithm } from "#content/hashes/file-projects.js";
import { projectEntries } from "#content/projects/entries.js";
import { visibleProjects } from "#content/projects/read.js";
import { type VersionEntry, versionEntries } from "#content/versions/entries.js";
import { findLatest, type VersionFilter } from "#content/versions/policy.js";
import type { Resources } from "#platform/http/resources.js";
import type { Viewer } from "#platform/http/viewer.js";
import { findProjectsByFile, isNewer, peekProjectsByFile, versionsWithFile } from "./file-owners.js";

export interface HashQuery {
  algorithm: HashAlgorithm;
  /** As sent by the client. */
  hashes: readonly string[];
  /** If set, finds the latest matching version of each file's project instead of the file's own version. */
  update?: VersionFilter;
}

/** The data for an answer. Undefined means that it is not loaded. */
interface LookUpData {
  /** Ids of projects that may have the file, by hash as sent. */
  projects(hash: string): readonly string[] | undefined;
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
  return answer(query, fromMemory(resources, viewer)) ?? answer(query, await load(resources, viewer, query))!;
}

/** Undefined as soon as something is not loaded. */
function answer({ algorithm, hashes, update }: HashQuery, known: LookUpData): Map<string, VersionEntry> | undefined {
  const found = new Map<string, VersionEntry>();
  /** By the versions of a project: many files may belong to one. */
  const updates = new Map<readonly VersionEntry[], VersionEntry | undefined>();
  const findUpdate = (among: readonly VersionEntry[], filter: VersionFilter): VersionEntry | undefined => {
    if (!updates.has(among)) updates.set(among, findLatest(among, filter));
    return updates.get(among);
  };
  for (const sent of hashes) {
    if (sent.length !== widths[algorithm]) continue;
    const projectIds = known.projects(sent);
    if (!projectIds) return undefined;
    let newest: { version: VersionEntry; among: readonly VersionEntry[] } | undefined;
    for (const projectId of projectIds) {
      const visible = known.isVisible(projectId);
      if (visible === undefined) return undefined;
      if (!visible) continue;
      const among = known.versions(projectId);
      if (!among) return undefined;
      const [version] = versionsWithFile(among, sent.toLowerCase());
      if (version && (!newest || isNewer(version, newest.version))) newest = { version, among };
    }
    const entry = newest && (update ? findUpdate(newest.among, update) : newest.version);
    if (entry) found.set(sent, entry);
  }
  return found;
}

/** The data in memory. Visibility of projects that are not public is never taken from memory. */
function fromMemory(resources: Resources, viewer: Viewer): LookUpData {
  const projects = projectEntries(resources);
  const versions = versionEntries(resources);
  return {
    projects: (hash) => peekProjectsByFile(resources, hash),
    isVisible: (projectId) => {
      const project = projects.peek(projectId);
      return project?.isPublic || (project && viewer.kind === "anonymous" ? false : undefined);
    },
    versions: (projectId) => versions.peek(projectId),
  };
}

/** Loads all data for the query: at most one statement for all hashes, and a constant number for the rest. */
async function load(resources: Resources, viewer: Viewer, { algorithm, hashes }: HashQuery): Promise<LookUpData> {
  const found = await findProjectsByFile(resources, algorithm, hashes);
  const projects = await projectEntries(resources).load([...new Set([...found.values()].flat())]);
  const visible = await visibleProjects(resources.db, viewer, projects.values());
  const versions = await versionEntries(resources).load([...visible]);
  return {
    projects: (hash) => found.get(hash) ?? [],
    isVisible: (projectId) => visible.has(projectId),
    versions: (projectId) => versions.get(projectId) ?? [],
  };
}
