// A moderation desk for tests: staff, authors, projects in the queue with a version.
import { holdMs } from "#moderation/desk/held.js";
import type { Actor, Reply, TestUser } from "#test/callers/actors.js";
import type { TestApp } from "#test/server/harness.js";
import { makeProject, type ProjectOptions, setProject, type TestProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";

/** Requests a page like a browser. */
export const look = (actor: Actor, path: string): Promise<Reply> =>
  actor.get(path, { headers: { accept: "text/html" } });

/** A decision can be undone for some seconds; this advances the clock past them. */
export async function carryOut({ clock, app }: Pick<TestApp, "clock" | "app">): Promise<void> {
  clock.advance(holdMs);
  await app.jobs.settle();
}

/** Each project has waited a little less than the one before. */
export async function queueProject(
  world: TestApp,
  owner: TestUser,
  options: ProjectOptions = {},
): Promise<TestProject & { versionId: string; sha512: string }> {
  const project = await makeProject(world, owner, {
    status: "processing",
    description: "It does a thing.",
    ...options,
  });
  const version = await makeVersion(world, owner, project.id);
  world.clock.advance(1000);
  await setProject(world, project.id, { date_queued: world.clock.now() });
  return { ...project, versionId: version.id, sha512: version.sha512 };
}
