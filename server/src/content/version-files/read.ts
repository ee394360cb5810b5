// From hashes to versions: one resolver for single and bulk, so that they can never disagree (decisions §6).

import { projectEntries } from "#content/projects/entries.js";
import { visibleProjects } from "#content/projects/read.js";
import { type VersionEntry, versionEntries } from "#content/versions/entries.js";
import { findLatest, type VersionFilter } from "#content/versions/policy.js";
import type { Resources } from "#platform/http/resources.js";
import type { Viewer } from "#platform/http/viewer.js";
import { type FileOwner, fileOwners, type HashAlgorithm } from "./file-owners.js";

export interface HashQuestion {
  algorithm: HashAlgorithm;
  /** As they were sent. */
  hashes: readonly string[];
  /** Asks for the latest version of each file's project that passes, instead of the file's own. */
  update?: VersionFilter;
}

/** What the answer is made from. Undefined: not known here and now. */
interface Knowledge {
  owners(hash: string): readonly FileOwner[] | undefined;
  isVisible(projectId: string): boolean | undefined;
  versions(projectId: string): readonly VersionEntry[] | undefined;
}

const widths: Record<HashAlgorithm, number> = { sha1: 40, sha512: 128 };

/** Versions by the hashes as sent; unknown, invisible and malformed ones are left out. */
export async function resolveHashes(
  resources: Resources,
  viewer: Viewer,
  question: HashQuestion,
): Promise<Map<string, VersionEntry>> {
  return (
    answer(question, atHand(resources, viewer, question.algorithm)) ??
    answer(question, await load(resources, viewer, question))!
  );
}

/** Undefined as soon as something is not known. */
function answer({ algorithm, hashes, update }: HashQuestion, known: Knowledge): Map<string, VersionEntry> | undefined {
  const found = new Map<string, VersionEntry>();
  for (const sent of hashes) {
    if (sent.length !== widths[algorithm]) continue;
    const owners = known.owners(sent.toLowerCase());
    if (!owners) return undefined;
    // Owners come newest first: a file in several versions is the newest visible one's.
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

/** What this node has in memory. Whether somebody sees a project that is not public is never believed from there. */
function atHand(resources: Resources, viewer: Viewer, algorithm: HashAlgorithm): Knowledge {
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

/** Everything the question needs: one statement for all hashes, and a constant number for what they lead to. */
async function load(resources: Resources, viewer: Viewer, { algorithm, hashes }: HashQuestion): Promise<Knowledge> {
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
