// A version with a security problem is withdrawn: all followers of the project are notified.
import { describe, expect, test } from "vitest";
import type { TestUser } from "#test/callers/actors.js";
import { readPage, submit, wrongWith } from "#test/callers/page-forms.js";
import { testApp } from "#test/server/harness.js";
import { makeProject, setProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";
import { warnFollowers } from "./warnings.js";

const world = await testApp();
const { as, make, app, resources } = world;

async function followed(options = {}) {
  const [owner, follower] = [await make.user(), await make.user()];
  const project = await makeProject(world, owner, { name: "Lamps", ...options });
  const version = await makeVersion(world, owner, project.id);
  await as.user(follower).post(`/api/project/${project.id}/follow`);
  const yank = (body: object) => as.user(owner).post(`/api/project/${project.id}/version/${version.id}/yank`, body);
  return { owner, follower, project, version, yank };
}

async function warningsOf(user: TestUser) {
  await app.jobs.settle();
  const { body } = await as.user(user).get("/api/notifications?type=version_withdrawn");
  return body as { text: string; body: Record<string, unknown> }[];
}

describe("yankVersion", () => {
  test("notifies followers of a danger once, with the reason, even those who want no notifications about versions", async () => {
    const { follower, project, version, yank } = await followed();
    await as.user(follower).patch("/api/notifications/settings", { muted: ["version_published"] });
    await as.user(follower).patch(`/api/project/${project.id}/follow`, { mode: "none" });
    expect(await yank({ reason: "Sends passwords elsewhere", security: true })).toSucceed();
    expect(await yank({ reason: "Sends passwords elsewhere", security: true })).toSucceed();
    const warnings = await warningsOf(follower);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]!.text).toBe(
      `Version ${version.versionNumber} of Lamps was yanked because of a security issue. Its page says why`,
    );
    expect(warnings[0]!.body).toMatchObject({ versionIds: [version.id], reason: "Sends passwords elsewhere" });
  });

  test("says nothing for any other reason", async () => {
    const { follower, yank } = await followed();
    await yank({ reason: "Crashes" });
    await yank({ reason: "Crashes", security: false });
    expect(await warningsOf(follower)).toEqual([]);
  });

  test("does not mention versions that the public cannot see, or that are available again by then", async () => {
    const hidden = await followed();
    await setProject(world, hidden.project.id, { visibility: "private" });
    await hidden.yank({ reason: "Danger", security: true });
    expect(await warningsOf(hidden.follower)).toEqual([]);
    const back = await followed();
    await warnFollowers(resources, { versionId: back.version.id, toldUpTo: "" });
    expect(await warningsOf(back.follower)).toEqual([]);
  });

  test("reaches more followers than one transaction notifies", async () => {
    const { project, yank } = await followed();
    const rows = Array.from({ length: 1003 }, (_, at) => ({
      id: `fan-${project.id}-${at}`,
      user_name: `fan-${project.id}-${at}`,
      email: null,
      email_verified: 0 as const,
      role: "user" as const,
      date_joined: 0,
    }));
    await resources.db.insertInto("users").values(rows).execute();
    await resources.db
      .insertInto("follows")
      .values(
        rows.map(({ id }) => ({ user_id: id, project_id: project.id, preferences: "{}" as never, date_created: 0 })),
      )
      .execute();
    await yank({ reason: "Danger", security: true });
    await app.jobs.settle();
    const { count } = await resources.db
      .selectFrom("notifications")
      .select(resources.db.fn.countAll<number>().as("count"))
      .where("user_id", "like", `fan-${project.id}-%`)
      .executeTakeFirstOrThrow();
    expect(count).toBe(1003);
  });
});

test("submitYank with the mark of a danger needs a reason, and names the version to take instead", async () => {
  const { owner, follower, project, version } = await followed();
  const next = await makeVersion(world, owner, project.id, { versionNumber: "9.9.9" });
  const path = `/project/${project.slug}/version/${version.versionNumber}/yank`;
  const bare = await submit(as.user(owner), path, { security: "on", reason: " " });
  expect([bare.status, Boolean(wrongWith(bare, "reason")), /name="security"[^>]*checked/.test(bare.text)]).toEqual([
    ...[400, true, true],
  ]);
  await submit(as.user(owner), path, { security: "on", reason: "Leaks keys", replacement: next.id });
  const [warning] = await warningsOf(follower);
  expect(warning!.body).toMatchObject({ reason: "Leaks keys", replacementId: next.id });
  const news = await readPage(as.user(follower), "/dashboard/notifications");
  expect(news.text).toContain("Leaks keys");
  expect(news.text).toContain(`/project/${project.slug}/version/${version.id}`);
  expect(news.text).toContain("Download 9.9.9");
});
