// The site's figures: always equal to a count, after any changes and on any number of servers.
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { removeAccount } from "#accounts/users/write.js";
import { catchUp } from "#platform/changes/consumer.js";
import { write } from "#platform/changes/write.js";
import { testApp } from "#test/server/harness.js";
import { addMember, makeOrg, makeProject, setProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";
import { statisticsConsumer } from "./consumer.js";
import { readStatistics } from "./read.js";

const here = await testApp();
const there = await testApp({ sharedWith: here });
const { as, make, resources } = here;
const { db } = resources;

async function figures() {
  await catchUp(resources, statisticsConsumer);
  return (await as.anyone.get("/api/statistics")).body;
}

/** The same by counting. */
async function counted() {
  const { rows } = await sql<Record<string, number>>`
    with listed as (select id from projects where status = 'approved' and visibility in ('listed', 'archived'))
    select (select count(*) from users where id <> 'deleted_user') as users,
      (select count(distinct user_id) from team_members where accepted = 1 and user_id <> 'deleted_user') as authors,
      (select count(*) from listed) as projects,
      (select count(*) from versions where project_id in (select id from listed) and date_quarantined is null) as versions,
      (select count(*) from version_files where version_id in (select id from versions
        where project_id in (select id from listed) and date_quarantined is null)) as files`.execute(db);
  return rows[0]!;
}

/** The difference of the figures from these. */
async function since(before: Record<string, number>) {
  const now = await figures();
  expect(now).toEqual(await counted());
  return Object.fromEntries(
    Object.entries(now).flatMap(([name, value]) => {
      const more = (value as number) - before[name]!;
      return more === 0 ? [] : [[name, more]];
    }),
  );
}

describe("getStatistics", () => {
  test("counts users, authors and listed content, and may be cached for a minute", async () => {
    const before = await figures();
    const author = await make.user();
    await make.user();
    expect(await since(before)).toEqual({ users: 2 });
    const project = await makeProject(here, author);
    await makeVersion(here, author, project.id, { additional: [{ name: "b.jar", bytes: Buffer.from("b") }] });
    expect(await since(before)).toEqual({ users: 2, authors: 1, projects: 1, versions: 1, files: 2 });
    const reply = await as.anyone.get("/api/statistics");
    expect(Object.keys(reply.body)).toEqual(["users", "authors", "files", "projects", "versions"]);
    expect(reply.headers.get("cache-control")).toBe("public, max-age=60");
  });

  test.each([
    ["unlisted", "approved", false],
    ["private", "approved", false],
    ["archived", "approved", true],
    ["listed", "withheld", false],
    ["listed", "draft", false],
    ["listed", "approved", true],
  ] as const)("a project that becomes %s and %s counts: %s of it", async (visibility, status, counts) => {
    const author = await make.user();
    const project = await makeProject(here, author);
    await makeVersion(here, author, project.id);
    const before = await figures();
    await setProject(here, project.id, { visibility, status });
    expect(await since(before)).toEqual(counts ? {} : { projects: -1, versions: -1, files: -1 });
    await setProject(here, project.id, { visibility: "listed", status: "approved" });
    expect(await since(before)).toEqual({});
  });

  test("a version held back counts for nothing until it is released", async () => {
    const author = await make.user();
    const project = await makeProject(here, author);
    const version = await makeVersion(here, author, project.id);
    const before = await figures();
    const hold = (date_quarantined: number | null) =>
      write(resources, {}, async (tx) => {
        await tx.db.updateTable("versions").set({ date_quarantined }).where("id", "=", version.id).execute();
        tx.changed("project", project.id);
      });
    await hold(1);
    expect(await since(before)).toEqual({ versions: -1, files: -1 });
    await hold(null);
    expect(await since(before)).toEqual({});
  });

  test("an author counts once in any number of teams, and not at all after leaving the last", async () => {
    const [owner, member] = [await make.user(), await make.user()];
    const projects = [await makeProject(here, owner), await makeProject(here, owner)];
    const org = await makeOrg(here, owner);
    const before = await figures();
    for (const { teamId } of [...projects, org]) await addMember(here, teamId, member);
    expect(await since(before)).toEqual({ authors: 1 });
    for (const [at, { teamId }] of [...projects, org].entries()) {
      expect(await as.user(member).post(`/api/team/${teamId}/leave`)).toSucceed();
      expect(await since(before)).toEqual(at < 2 ? { authors: 1 } : {});
    }
  });

  test("an invited user is not an author, and a user who leaves an organization leaves its projects", async () => {
    const [owner, invitee, member] = [await make.user(), await make.user(), await make.user()];
    const org = await makeOrg(here, owner);
    const project = await makeProject(here, owner, { orgId: org.id });
    const before = await figures();
    await addMember(here, project.teamId, invitee, { accepted: false });
    await addMember(here, org.teamId, member);
    await addMember(here, project.teamId, member);
    expect(await since(before)).toEqual({ authors: 1 });
    expect(await as.user(member).post(`/api/team/${org.teamId}/leave`)).toSucceed();
    expect(await since(before)).toEqual({});
  });

  test("deleted accounts, projects and organizations are no longer counted", async () => {
    const before = await figures();
    const [owner, other] = [await make.user(), await make.user()];
    const project = await makeProject(here, owner);
    await makeVersion(here, owner, project.id);
    const org = await makeOrg(here, other);
    expect(await since(before)).toEqual({ users: 2, authors: 2, projects: 1, versions: 1, files: 1 });
    expect(await as.user(other).delete(`/api/organization/${org.slug}`)).toSucceed();
    expect(await since(before)).toEqual({ users: 2, authors: 1, projects: 1, versions: 1, files: 1 });
    await write(resources, {}, (tx) => removeAccount(tx, owner.id, resources.accountRemovals));
    // The user's published content stays, under the placeholder.
    expect(await since(before)).toEqual({ users: 1, projects: 1, versions: 1, files: 1 });
    const admin = await make.user({ role: "admin" });
    expect(await as.user(admin).delete(`/api/project/${project.id}`)).toSucceed();
    expect(await since(before)).toEqual({ users: 2 });
  });

  test("is exact after many parallel changes on two servers", async () => {
    const before = await figures();
    const work = async (at: number) => {
      const world = [here, there][at % 2]!;
      const author = await world.make.user();
      const project = await makeProject(world, author, { visibility: at % 3 === 0 ? "unlisted" : "listed" });
      await makeVersion(world, author, project.id);
      await makeVersion(world, author, project.id);
      if (at % 4 === 0) await setProject(world, project.id, { visibility: "private" });
      if (at % 5 === 0) await world.as.user(author).delete(`/api/project/${project.id}`);
      return as.anyone.get("/api/statistics");
    };
    await Promise.all(Array.from({ length: 30 }, (_, at) => work(at)));
    await Promise.all([here, there].map(({ resources: each }) => catchUp(each, statisticsConsumer)));
    expect(await since(before)).toMatchObject({ users: 30 });
    expect(await readStatistics(there.resources.db)).toEqual(await counted());
  });

  test("starts with the content from before the counters existed", async () => {
    for (const table of ["counters", "project_counts", "counted_users", "counted_members"] as const)
      await db.deleteFrom(table).execute();
    // Like the migration.
    await write(resources, {}, async (tx) => {
      for (const kind of ["user", "team", "project"] as const)
        for (const { id } of await tx.db.selectFrom(`${kind}s`).select("id").execute()) tx.changed(kind, id);
    });
    expect(await figures()).toEqual(await counted());
  });
});

describe("getStorageUse", () => {
  test("is for administrators", async () => {
    const [user, moderator] = [await make.user(), await make.user({ role: "moderator" })];
    for (const each of [user, moderator])
      expect(await as.user(each).get("/api/statistics/storage")).toFail(403, "adminOnly");
  });

  test("adds up to the stored bytes, with no null values, and is measured periodically", async () => {
    const admin = await make.user({ role: "admin" });
    const ask = async () => (await as.user(admin).get("/api/statistics/storage")).body;
    const first = await ask();
    const { total } = await db
      .selectFrom("blobs")
      .select(sql<number>`cast(sum(size) as bigint)`.as("total"))
      .executeTakeFirstOrThrow();
    expect(first.totalUsed).toBe(total);
    expect(first.breakdown).toMatchObject({ galleryImages: 0, iconImages: 0 });
    const { versionFiles, galleryImages, iconImages, unused } = first.breakdown;
    expect(versionFiles + galleryImages + iconImages + unused).toBe(total);
    expect(versionFiles).toBeGreaterThan(0);
    expect(unused).toBeGreaterThan(0);
    const project = await makeProject(here, admin);
    const bytes = Buffer.alloc(1000, 7);
    await makeVersion(here, admin, project.id, { bytes });
    // The same bytes take no additional space.
    await makeVersion(here, admin, project.id, { bytes });
    expect(await ask()).toEqual(first);
    here.clock.advance(10 * 60_000);
    const later = await ask();
    expect(later.totalUsed).toBe(total + 1000);
    expect(later.breakdown.versionFiles).toBe(versionFiles + 1000);
  });
});
