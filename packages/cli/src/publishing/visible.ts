// Whether players see a version: at once, after a scan, or after a review.
import { setTimeout as pause } from "node:timers/promises";
import { type Client, NotFoundError, type Project, type ProjectVersionData } from "modshelf-client";

export interface Visibility {
  state: "live" | "draft" | "review" | "hidden" | "waiting";
  /** A sentence for people. */
  says: string;
}

const patience = 120_000;

/** Waits for the malware scan, but not for people. */
export async function findVisibility(
  registry: Client,
  project: Project | undefined,
  version: ProjectVersionData,
  { waits, signal }: { waits: boolean; signal: AbortSignal },
): Promise<Visibility> {
  if (!project) return { state: "hidden", says: "Published. The project is not public, so only its members see it" };
  if (project.status === "processing")
    return { state: "review", says: "In review: players see it when the project is approved" };
  if (project.status === "draft")
    return {
      state: "draft",
      says: `Published in a draft, which "shelf project submit ${project.slug}" sends to the moderators`,
    };
  if (project.status !== "approved")
    return { state: "hidden", says: `Published. The project is ${project.status}, so only its members see it` };
  const end = Date.now() + (waits ? patience : 0);
  for (let wait = 250; ; wait = Math.min(2 * wait, 5000)) {
    if (await isVisible(registry, project, version, signal)) return { state: "live", says: "Live" };
    if (Date.now() + wait > end) break;
    await pause(wait, undefined, { signal });
  }
  return {
    state: "waiting",
    says: "Received. It is not visible yet, because its scan is not finished. This is not a failure",
  };
}

async function isVisible(
  registry: Client,
  { id }: Project,
  version: ProjectVersionData,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await registry.versions.get(id, version.id, { signal });
    return true;
  } catch (error) {
    if (error instanceof NotFoundError) return false;
    throw error;
  }
}
