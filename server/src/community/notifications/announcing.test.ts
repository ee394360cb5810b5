// Notifications about followed projects: created by jobs, once for each follower and burst of versions, for followers
// who want them.
import { describe, expect, test } from "vitest";
import { catchUp } from "#platform/changes/consumer.js";
import type { TestUser } from "#test/callers/actors.js";
import { type TestApp, testApp, uniqueName } from "#test/server/harness.js";
import { makeProject, setProject, type TestProject } from "#test/worlds/content.js";
import { makeVersion, type VersionOptions } from "#test/worlds/versions.js";
import { gatherMs } from "./announcements.js";
import { versionNews } from "./consumer.js";
import { burstMs } from "./grouping.js";

const world = await testApp();
const { as, make, resources, clock, app } = world;
const { db } = resources;
const owner = await make.user();

const publish = async (project: TestProject, options: VersionOptions = {}, author = owner): Promise<string> => {
  // Newer than all before, and than every follow.
  clock.advance(10);
  return (await makeVersion(world, author, project.id, options)).id;
};
async function tellAll(on: Pick<TestApp, "resources" | "app"> = { resources, app }): Promise<void> {
  await catchUp(on.resources, versionNews);
  clock.advance(gatherMs + 1);
  await on.app.jobs.settle();
}

async function follower(project: TestProject, preferences: object = {}): Promise<TestUser> {
  const user = await make.user();
  expect(await as.user(user).post(`/api/project/${project.id}/follow`, preferences)).toSucceed();
  return user;
}

interface News {
  id: string;
  read: boolean;
  text: string;
  body: { projectId: string; versionIds: string[]; versionCount: number };
}
const newsOf = async (user: TestUser): Promise<News[]> => (await as.user(user).get("/api/notifications")).body;
const told = async (user: TestUser): Promise<string[][]> =>
  (await newsOf(user)).map(({ body: { versionIds } }) => versionIds);
const waiting = () => db.selectFrom("announcements").select("id").execute();

describe("a new version of a followed project", () => {
  test("is announced to its followers, not by the request that publishes it", async () => {
    const project = await makeProject(world, owner, { name: "Fancy lamps" });
    const [user, stranger] = [await follower(project), await make.user()];
    const id = await publish(project, { versionNumber: "1.2.0" });
    await catchUp(resources, versionNews);
    await app.jobs.settle();
    expect(await told(user)).toEqual([]);
    await tellAll();
    const [news, ...more] = await newsOf(user);
    expect(more).toEqual([]);
    expect(news).toMatchObject({
      type: "version_published",
      read: false,
      text: "Fancy lamps has a new version: 1.2.0",
      body: { projectId: project.id, versionIds: [id], versionCount: 1 },
      about: { kind: "project", id: project.id },
    });
    expect(await told(stranger)).toEqual([]);
    expect(await waiting()).toEqual([]);
    await tellAll();
    expect(await told(user)).toEqual([[id]]);
  });

  test("shares one notification with versions published in the same minute", async () => {
    const project = await makeProject(world, owner, { name: "Bursting" });
    const user = await follower(project);
    const ids: string[] = [];
    for (const versionNumber of ["1.0", "1.1", "1.2", "1.3", "1.4"]) {
      ids.unshift(await publish(project, { versionNumber }));
      await catchUp(resources, versionNews);
    }
    await tellAll();
    const [news] = await newsOf(user);
    expect(await told(user)).toEqual([ids]);
    expect(news!.text).toBe("Bursting has 5 new versions: 1.4, 1.3, 1.2 and 2 more");
  });

  test("joins the news before it while that is fresh and unread, and comes to the top with it", async () => {
    const [project, other] = [await makeProject(world, owner), await makeProject(world, owner)];
    const user = await follower(project);
    await as.user(user).post(`/api/project/${other.id}/follow`);
    const first = await publish(project);
    await tellAll();
    const second = await publish(other);
    await tellAll();
    expect(await told(user)).toEqual([[second], [first]]);
    const third = await publish(project);
    await tellAll();
    expect(await told(user)).toEqual([[third, first], [second]]);
    const [{ id }] = (await newsOf(user)) as [News];

    expect(await as.user(user).patch(`/api/notifications/${id}`)).toSucceed();
    const fourth = await publish(project);
    await tellAll();
    expect(await told(user)).toEqual([[fourth], [third, first], [second]]);

    clock.advance(burstMs);
    const fifth = await publish(project);
    await tellAll();
    expect(await told(user)).toEqual([[fifth], [fourth], [third, first], [second]]);
  });

  test("lists the newest fifty of a long burst and counts the rest", async () => {
    const project = await makeProject(world, owner);
    const user = await follower(project);
    const ids: string[] = [];
    for (let at = 0; at < 53; at++) ids.unshift(await publish(project));
    await tellAll();
    const [news] = await newsOf(user);
    expect(news!.body).toEqual({ projectId: project.id, versionIds: ids.slice(0, 50), versionCount: 53 });
  });
});

describe("is not announced", () => {
  test("to its publisher, to users who follow only afterwards, and to users who do not want it", async () => {
    const project = await makeProject(world, owner);
    expect(await as.user(owner).post(`/api/project/${project.id}/follow`)).toSucceed();
    const muting = await follower(project);
    expect(await as.user(muting).patch("/api/notifications/settings", { muted: ["version_published"] })).toSucceed();
    const none = await follower(project, { mode: "none" });
    const releases = await follower(project, { mode: "filtered", channels: ["release"] });
    const old = await follower(project, { mode: "filtered", gameVersions: ["0.4.7"] });
    const puzzled = await follower(project, { mode: "filtered", loaders: ["puzzle_loader"] });
    const byDefault = await follower(project);
    const followDefaults = { mode: "filtered", channels: ["release", "beta"], gameVersions: ["0.4.8"] };
    expect(await as.user(byDefault).patch("/api/notifications/settings", { followDefaults })).toSucceed();
    const all = await follower(project, { mode: "all" });

    const release = await publish(project, { gameVersions: ["0.4.8"], loaders: ["quilt"] });
    const beta = await publish(project, { channel: "beta", gameVersions: ["0.4.7"], loaders: ["quilt"] });
    const dev = await publish(project, { channel: "dev", gameVersions: ["0.4.8"], loaders: ["puzzle_loader"] });
    clock.advance(10);
    const late = await follower(project);
    await tellAll();
    const heard = Object.entries({ owner, muting, none, late, releases, old, puzzled, byDefault, all });
    expect(Object.fromEntries(await Promise.all(heard.map(async ([name, user]) => [name, await told(user)])))).toEqual({
      owner: [],
      muting: [],
      none: [],
      late: [],
      releases: [[release]],
      old: [[beta]],
      puzzled: [[dev]],
      byDefault: [[release]],
      all: [[dev, beta, release]],
    });
  });

  test.each<[string, (project: TestProject, version: string) => Promise<unknown>]>([
    ["the project is private by then", (project) => setProject(world, project.id, { visibility: "private" })],
    ["the project is withheld by then", (project) => setProject(world, project.id, { status: "withheld" })],
    ["the project is deleted by then", (project) => as.user(owner).delete(`/api/project/${project.id}`)],
    [
      "the version is withdrawn by then",
      (_, id) => db.updateTable("versions").set({ date_yanked: 1, yank_reason: "" }).where("id", "=", id).execute(),
    ],
    [
      "the version is in quarantine by then",
      (_, id) => db.updateTable("versions").set({ date_quarantined: 1 }).where("id", "=", id).execute(),
    ],
    [
      "the version is deleted by then",
      (project, id) => as.user(owner).delete(`/api/project/${project.id}/version/${id}`),
    ],
  ])("if %s", async (_what, act) => {
    const project = await makeProject(world, owner);
    const user = await follower(project);
    const id = await publish(project);
    await act(project, id);
    await tellAll();
    expect(await told(user)).toEqual([]);
    expect(await waiting()).toEqual([]);
  });

  test("for an unlisted project, however, its followers are notified", async () => {
    const project = await makeProject(world, owner, { visibility: "unlisted" });
    const user = await follower(project);
    const id = await publish(project);
    await tellAll();
    expect(await told(user)).toEqual([[id]]);
  });
});

describe("many followers", () => {
  async function makeFollowers(project: TestProject, count: number): Promise<string[]> {
    const template = await db.selectFrom("users").selectAll().where("id", "=", owner.id).executeTakeFirstOrThrow();
    const ids = Array.from({ length: count }, () => uniqueName("fan"));
    for (let start = 0; start < count; start += 500) {
      const part = ids.slice(start, start + 500);
      await db
        .insertInto("users")
        .values(part.map((id) => ({ ...template, id, user_name: id, email: null })))
        .execute();
      const follow = { project_id: project.id, preferences: "{}", date_created: 0 };
      await db
        .insertInto("follows")
        .values(part.map((user_id) => ({ ...follow, user_id })))
        .execute();
    }
    await setProject(world, project.id, { followers: count });
    return ids;
  }
  const heardOf = (project: TestProject) =>
    db
      .selectFrom("notifications")
      .select(["user_id", "body"])
      .where("group_key", "=", `versions:${project.id}`)
      .orderBy("user_id")
      .execute();

  test("are notified in steps of equal size, each of them once, on any number of servers", async () => {
    const project = await makeProject(world, owner);
    const ids = await makeFollowers(project, 1203);
    const [first, second] = [await publish(project), await publish(project)];
    const there = await testApp({ sharedWith: world });
    /** A server that finds nothing to do may be waiting for the other server. */
    const finish = async () => {
      while ((await waiting()).length > 0) await Promise.all([app.jobs.settle(), there.app.jobs.settle()]);
    };
    await catchUp(resources, versionNews);
    clock.advance(gatherMs + 1);
    await finish();
    const body = JSON.stringify({ projectId: project.id, versionIds: [second, first], versionCount: 2 });
    const heard = await heardOf(project);
    expect(heard.map(({ user_id }) => user_id)).toEqual([...ids].sort());
    expect(new Set(heard.map((row) => row.body))).toEqual(new Set([body]));

    const third = await publish(project);
    // The other server may not have heard of it yet.
    await there.resources.changeLog.catchUp();
    await tellAll(there);
    await finish();
    const again = await heardOf(project);
    expect(again).toHaveLength(1203);
    expect(new Set(again.map((row) => JSON.parse(row.body).versionIds.join()))).toEqual(
      new Set([[third, second, first].join()]),
    );
    await there.stop();
  });

  test("are each notified once when a server dies in the middle and the step is repeated", async () => {
    const project = await makeProject(world, owner);
    await makeFollowers(project, 600);
    await publish(project);
    await catchUp(resources, versionNews);
    clock.advance(gatherMs + 1);
    await app.jobs.settle();
    expect(await heardOf(project)).toHaveLength(600);
    // The first step was committed, the second one was not, and the job still exists.
    const last = (await heardOf(project)).slice(500).map(({ user_id }) => user_id);
    await db.deleteFrom("notifications").where("user_id", "in", last).execute();
    const told_up_to = (await heardOf(project)).at(-1)!.user_id;
    const [version] = await db.selectFrom("versions").select("id").where("project_id", "=", project.id).execute();
    await db
      .insertInto("announcements")
      .values({
        id: uniqueName("half"),
        project_id: project.id,
        version_ids: JSON.stringify([version!.id]),
        told_up_to,
        date_created: 0,
      })
      .execute();
    // A user who deleted the notification in between does not get it again.
    const gone = (await heardOf(project))[3]!.user_id;
    await db.deleteFrom("notifications").where("user_id", "=", gone).execute();
    const job = { kind: "tell-followers", payload: JSON.stringify({ projectId: project.id }), run_after: 0 };
    await db
      .insertInto("jobs")
      .values({ ...job, date_created: 0 })
      .execute();
    await app.jobs.settle();
    const heard = await heardOf(project);
    expect(heard).toHaveLength(599);
    expect(heard.every((row) => JSON.parse(row.body).versionCount === 1)).toBe(true);
    expect(await waiting()).toEqual([]);
  });
});
