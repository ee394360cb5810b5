// Loads all data of a review page.

import { projectEntries } from "#content/projects/entries.js";
import { getVisibleProject } from "#content/projects/read.js";
import type { Project } from "#content/shapes/project.js";
import { listByNewcomers } from "#content/submissions/newcomers.js";
import type { Thread } from "#content/threads/contract.js";
import { findThread, readThread } from "#content/threads/read.js";
import { findProjectsByFile, versionsWithFile } from "#content/version-files/file-owners.js";
import { type VersionEntry, versionEntries } from "#content/versions/entries.js";
import { findClaims } from "#moderation/desk/claims.js";
import type { ProjectReview } from "#moderation/desk/contract.js";
import { findHeldDecision } from "#moderation/desk/held.js";
import type { ModeratedUser } from "#moderation/desk/people-contract.js";
import { getModeratedUser } from "#moderation/desk/people-read.js";
import { getReview } from "#moderation/desk/read.js";
import { type Claim, toClaim } from "#moderation/desk/shapes.js";
import { findSince, type Since } from "#moderation/desk/since.js";
import type { Resources } from "#platform/http/resources.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { renderMarkdown, type SafeHtml } from "#platform/markdown/render.js";

export interface ReviewView {
  project: Project;
  review: ProjectReview;
  claim: Claim | null;
  isMine: boolean;
  description: SafeHtml;
  versions: readonly VersionEntry[];
  /** Other projects with a file of the same content, by its SHA-512. */
  seenElsewhere: ReadonlyMap<string, readonly { slug: string; name: string }[]>;
  thread: Thread | undefined;
  author: ModeratedUser | undefined;
  isByNewcomer: boolean;
  /** The changes since an earlier decision. */
  since: Since | undefined;
  /** Decided, but not in effect yet. */
  isDecided: boolean;
}

/** Enough for an overview; the project's own page has all of them. */
const versionsShown = 10;
const messagesShown = 50;

export async function loadReview(resources: Resources, viewer: SignedIn, ref: string): Promise<ReviewView> {
  const { db, clock, config } = resources;
  const { id, project } = await getVisibleProject(resources, viewer, ref);
  const versions = ((await versionEntries(resources).load([id])).get(id) ?? []).slice(0, versionsShown);
  const claim = toClaim((await findClaims(db, "project", [id], clock.now())).get(id));
  const review = await getReview(resources, viewer, id);
  const owner = (project.organisation?.members ?? project.members).find(({ isOwner }) => isOwner);
  return {
    project,
    review,
    claim,
    isMine: claim?.userId === viewer.user.id,
    description: await renderMarkdown(project.description, config.http),
    versions,
    seenElsewhere: await findElsewhere(resources, id, versions),
    thread: await loadThread(resources, viewer, review.threadId),
    author: owner && (await getModeratedUser(db, owner.userId, config.http.cdnUrl).catch(() => undefined)),
    isDecided: (await findHeldDecision(db, id)) !== undefined,
    since: project.status === "processing" ? await findSince(db, id) : undefined,
    isByNewcomer: (await listByNewcomers(db, [id])).has(id),
  };
}

export async function loadThread(
  { db, config }: Resources,
  viewer: SignedIn,
  threadId: string | null,
): Promise<Thread | undefined> {
  const found = threadId === null ? undefined : await findThread(db, viewer, threadId);
  return found && readThread(db, viewer, found, config.http.cdnUrl, { limit: messagesShown });
}

async function findElsewhere(
  resources: Resources,
  projectId: string,
  versions: readonly VersionEntry[],
): Promise<ReviewView["seenElsewhere"]> {
  const hashes = [...new Set(versions.flatMap(({ files }) => files.map(({ sha512 }) => sha512)))];
  const found = await findProjectsByFile(resources, "sha512", hashes);
  const ids = [...new Set([...found.values()].flat())].filter((id) => id !== projectId);
  const [projects, lists] = await Promise.all([
    projectEntries(resources).load(ids),
    versionEntries(resources).load(ids),
  ]);
  const others = (hash: string) =>
    (found.get(hash) ?? []).filter((id) => id !== projectId && versionsWithFile(lists.get(id) ?? [], hash).length > 0);
  return new Map(
    hashes.map((hash) => [
      hash,
      others(hash).flatMap((id) => {
        const entry = projects.get(id);
        return entry ? { slug: entry.slug, name: entry.project.name } : [];
      }),
    ]),
  );
}
