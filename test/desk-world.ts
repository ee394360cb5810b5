// A moderation desk for tests: staff, authors, projects in the queue with a version, and forms as a browser sends them.
import type { Actor, Reply, TestUser } from "./actors.js";
import { makeProject, type ProjectOptions, setProject, type TestProject } from "./content.js";
import { siteUrl, type TestApp } from "./harness.js";
import { makeVersion } from "./versions.js";

export const submit = (
  actor: Actor,
  path: string,
  fields: Record<string, string> | [string, string][] = {},
  origin = siteUrl,
): Promise<Reply> =>
  actor.call("POST", path, {
    headers: { "content-type": "application/x-www-form-urlencoded", accept: "text/html", origin },
    body: new URLSearchParams(fields).toString(),
  });

/** A page as a browser asks for it. */
export const look = (actor: Actor, path: string): Promise<Reply> =>
  actor.get(path, { headers: { accept: "text/html" } });

/** Each waits a little shorter than the one before. */
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
