// Following users and organizations: the forms, the figures, and the notifications of new projects.
import { describe, expect, test } from "vitest";
import { removeAccount } from "#accounts/users/write.js";
import { versionNews } from "#community/notifications/consumer.js";
import { settleMs } from "#community/notifications/new-projects.js";
import { createFeedKey } from "#integrations/feeds/write.js";
import { collectOwnData } from "#operations/data-export/collect.js";
import { catchUp } from "#platform/changes/consumer.js";
import { write } from "#platform/changes/write.js";
import { placeholderId } from "#platform/db/placeholder.js";
import type { TestUser } from "#test/callers/actors.js";
import { readPage, submit } from "#test/callers/page-forms.js";
import { testApp } from "#test/server/harness.js";
import { makeOrg, makeProject, type ProjectOptions, setProject } from "#test/worlds/content.js";
import { maxFollowedAuthors } from "./authors.js";

const world = await testApp();
const { as, make, resources, clock, app } = world;
const { db } = resources;
const moderator = as.user(await make.user({ role: "moderator" }));

const follow = (user: TestUser, path: string, act = "follow", next?: string) =>
  submit(as.user(user), `${path}/follow`, { act, ...(next !== undefined && { next }) });
const goesTo = ({ status, headers }: { status: number; headers: Headers }) => [status, headers.get("location")];
const pageOf = ({ userName }: TestUser) => `/user/${userName}`;
const followersOf = async (table: "users" | "organizations", id: string) =>
  (await db.selectFrom(table).select("followers").where("id", "=", id).executeTakeFirstOrThrow()).followers;

/** Approves a project as a moderator does, which publishes it. */
async function approve(owner: TestUser, options: ProjectOptions = {}) {
  const project = await makeProject(world, owner, { name: "Lamps", ...options, status: "processing" });
  clock.advance(10);
  await decide(project.id, "approved");
  return project;
}
const decide = async (id: string, status: string) =>
  expect(await moderator.post(`/api/moderation/project/${id}`, { status, message: "A reason" })).toSucceed();

async function tellAll(): Promise<void> {
  await catchUp(resources, versionNews);
  clock.advance(settleMs + 1);
  await app.jobs.settle();
}

interface News {
  id: string;
  type: string;
  text: string;
  body: Record<string, unknown>;
}
const newsOf = async (user: TestUser): Promise<News[]> =>
  (await as.user(user).get("/api/notifications?type=project_published")).body;
const told = async (user: TestUser) => (await newsOf(user)).map(({ body }) => body.projectId);

describe("followUser, unfollowUser, getUserFollow, followOrganization, unfollowOrganization and getOrganizationFollow", () => {
  test("follow and unfollow once, by id or name, and change what the website shows", async () => {
    const [author, reader] = [await make.user(), await make.user()];
    const org = await makeOrg(world, author, { name: "Weavers" });
    const me = as.user(reader);
    for (const [refs, table, id, path] of [
      [[author.userName.toUpperCase(), author.id], "users", author.id, "/api/user"],
      [[org.slug, org.id], "organizations", org.id, "/api/organization"],
    ] as const) {
      const [byName, byId] = refs.map((ref) => `${path}/${ref}/follow`) as [string, string];
      expect(await me.delete(byId)).toFail(409, "notFollowing");
      expect((await me.get(byName)).body).toEqual({ following: false });
      const twice = await Promise.all([me.post(byName), me.post(byId)]);
      expect(twice.map(({ status }) => status).sort()).toEqual([200, 409]);
      expect(await me.post(byId)).toFail(409, "alreadyFollowing");
      expect((await me.get(byId)).body).toEqual({ following: true });
      expect((await as.user(author).get(byId)).body, "of the caller only").toEqual({ following: false });
      expect(await followersOf(table, id)).toBe(1);
      expect(await me.delete(byName)).toSucceed();
      expect(await followersOf(table, id)).toBe(0);
    }
  });

  test("refuse guests, the user themselves, and authors that do not exist", async () => {
    const reader = await make.user();
    const org = await makeOrg(world, reader);
    const own = `/api/user/${reader.id}/follow`;
    for (const path of [own, `/api/organization/${org.id}/follow`])
      for (const method of ["GET", "POST", "DELETE"]) expect(await as.anyone.call(method, path)).toFail(401);
    expect(await as.user(reader).post(own)).toFail(409, "wrongState");
    for (const method of ["GET", "POST", "DELETE"]) {
      expect(await as.user(reader).call(method, "/api/user/no-such-user/follow")).toFail(404, "userNotFound");
      const missing = await as.user(reader).call(method, "/api/organization/no-such-org/follow");
      expect(missing).toFail(404, "organizationNotFound");
    }
  });
});

describe("submitFollowUser and submitFollowOrganization", () => {
  test("follow and unfollow, show the number of followers, and return to the page of the button", async () => {
    const [author, reader] = [await make.user(), await make.user()];
    const org = await makeOrg(world, author, { name: "Makers" });
    for (const [path, table, id] of [
      [pageOf(author), "users", author.id],
      [`/organization/${org.slug}`, "organizations", org.id],
    ] as const) {
      expect((await readPage(as.user(reader), path)).text).toContain('value="follow"');
      const twice = await Promise.all([follow(reader, path), follow(reader, path, "follow", `${path}?page=1`)]);
      expect(twice.map(goesTo)).toEqual([
        [303, path],
        [303, `${path}?page=1`],
      ]);
      expect(await followersOf(table, id)).toBe(1);
      const { text } = await readPage(as.user(reader), path);
      expect(text).toContain("1 follower");
      expect(text).toContain('value="unfollow"');
      for (let time = 0; time < 2; time++)
        expect(goesTo(await follow(reader, path, "unfollow", "//evil.example"))).toEqual([303, path]);
      expect(await followersOf(table, id)).toBe(0);
      expect((await readPage(as.anyone, path)).text).toContain(`/auth/sign-in?next=${encodeURIComponent(path)}`);
      expect((await submit(as.anyone, `${path}/follow`)).status).toBe(401);
    }
  });

  test("refuse oneself, deleted users and unknown names", async () => {
    const user = await make.user();
    expect((await follow(user, pageOf(user))).status).toBe(409);
    expect((await readPage(as.user(user), pageOf(user))).text).not.toContain('value="follow"');
    for (const path of [`/user/${placeholderId}`, "/user/nobody-here", "/organization/nothing-here"])
      expect((await follow(user, path)).status, path).toBe(404);
  });

  test("stop at a limit, and then change nothing", async () => {
    const reader = await make.user();
    const rows = Array.from({ length: maxFollowedAuthors }, (_, at) => ({
      ...{ id: `one-${reader.id}-${at}`, user_name: `one-${reader.id}-${at}`, email: null },
      ...{ email_verified: 0 as const, role: "user" as const, date_joined: 0, followers: 1 },
    }));
    await db.insertInto("users").values(rows).execute();
    await db
      .insertInto("user_follows")
      .values(rows.map(({ id }) => ({ follower_id: reader.id, author_id: id, date_created: 0 })))
      .execute();
    const author = await make.user();
    const refused = await follow(reader, pageOf(author));
    expect([refused.status, refused.text.includes("1000 followed users")]).toEqual([409, true]);
    expect(await followersOf("users", author.id)).toBe(0);
    expect((await follow(reader, `/user/${rows[0]!.user_name}`, "unfollow")).status).toBe(303);
    expect((await follow(reader, pageOf(author))).status).toBe(303);
    expect((await readPage(as.user(reader), "/dashboard/library/people")).text).toContain(author.userName);
  });

  test("two users who follow each other at once both succeed", async () => {
    const [one, two] = [await make.user(), await make.user()];
    const replies = await Promise.all([follow(one, pageOf(two)), follow(two, pageOf(one))]);
    expect(replies.map(({ status }) => status)).toEqual([303, 303]);
    expect([await followersOf("users", one.id), await followersOf("users", two.id)]).toEqual([1, 1]);
  });

  test("are undone by the deletion of either account; getFollowedPeoplePage and getFollowedOrganizationsPage list them", async () => {
    const [author, reader] = [await make.user(), await make.user()];
    const org = await makeOrg(world, await make.user(), { name: "Keepers" });
    for (const path of [pageOf(author), `/organization/${org.slug}`]) await follow(reader, path);
    await follow(author, pageOf(reader));
    expect(await collectOwnData(resources, reader.id)).toMatchObject({
      followedUsers: [{ name: author.userName }],
      followedOrganizations: [{ name: org.slug }],
    });
    expect((await readPage(as.user(reader), "/dashboard/library/people")).text).toContain(author.userName);
    expect((await readPage(as.user(reader), "/dashboard/library/organizations")).text).toContain("Keepers");
    await write(resources, {}, (tx) => removeAccount(tx, reader.id, resources.accountRemovals));
    expect([await followersOf("users", author.id), await followersOf("organizations", org.id)]).toEqual([0, 0]);
    expect(await db.selectFrom("user_follows").selectAll().where("author_id", "=", reader.id).execute()).toEqual([]);
  });
});

describe("a new project of a followed author", () => {
  test("is announced once, by a job, to the followers of its owner or organization", async () => {
    const [author, reader, member] = [await make.user(), await make.user(), await make.user()];
    const org = await makeOrg(world, author, { name: "Makers" });
    await follow(reader, pageOf(author));
    await follow(reader, `/organization/${org.slug}`);
    await follow(author, `/organization/${org.slug}`);
    await follow(member, pageOf(author));
    await as.user(member).patch("/api/notifications/settings", { muted: ["project_published"] });
    const lamps = await approve(author);
    await catchUp(resources, versionNews);
    await app.jobs.settle();
    expect(await told(reader)).toEqual([]);
    await tellAll();
    const [news, ...more] = await newsOf(reader);
    expect(more).toEqual([]);
    expect(news).toMatchObject({
      text: `${author.userName} published a new project: Lamps`,
      body: { projectId: lamps.id, userId: author.id, author: author.userName },
    });
    expect(await told(member)).toEqual([]);
    const ours = await approve(author, { orgId: org.id, name: "Ours" });
    await tellAll();
    expect((await newsOf(reader))[0]).toMatchObject({
      text: "Makers published a new project: Ours",
      body: { projectId: ours.id, orgId: org.id, author: "Makers" },
    });
    // A member of the organization knows it already.
    expect(await told(author)).toEqual([]);
    await decide(lamps.id, "withheld");
    await decide(lamps.id, "approved");
    await tellAll();
    expect(await told(reader)).toHaveLength(2);
  });

  test("is announced when it is listed, and never while it is hidden or its author is suspended", async () => {
    const [author, reader] = [await make.user(), await make.user()];
    await follow(reader, pageOf(author));
    const unlisted = await approve(author, { visibility: "unlisted" });
    await makeProject(world, author, { status: "draft" });
    const taken = await approve(author, { name: "Taken back" });
    await catchUp(resources, versionNews);
    await setProject(world, taken.id, { status: "withheld" });
    await tellAll();
    expect(await told(reader)).toEqual([]);
    expect(await as.user(author).patch(`/api/project/${unlisted.id}`, { visibility: "listed" })).toSucceed();
    await tellAll();
    expect(await told(reader)).toEqual([unlisted.id]);
    await decide(taken.id, "approved");
    await tellAll();
    expect(await told(reader)).toEqual([taken.id, unlisted.id]);
    const last = await approve(author);
    await db.updateTable("users").set({ date_suspended: clock.now() }).where("id", "=", author.id).execute();
    await tellAll();
    expect(await told(reader)).not.toContain(last.id);
  });

  test("reaches more followers than one transaction notifies, but none that came later", async () => {
    const author = await make.user();
    const rows = Array.from({ length: 1003 }, (_, at) => ({
      ...{ id: `fan-${author.id}-${at}`, user_name: `fan-${author.id}-${at}`, email: null },
      ...{ email_verified: 0 as const, role: "user" as const, date_joined: 0 },
    }));
    await db.insertInto("users").values(rows).execute();
    await db
      .insertInto("user_follows")
      .values(rows.map(({ id }) => ({ follower_id: id, author_id: author.id, date_created: 0 })))
      .execute();
    const project = await approve(author);
    await catchUp(resources, versionNews);
    clock.advance(1);
    const late = await make.user();
    await follow(late, pageOf(author));
    await tellAll();
    const { count } = await db
      .selectFrom("notifications")
      .select(db.fn.countAll<number>().as("count"))
      .where("group_key", "=", `project:${project.id}`)
      .executeTakeFirstOrThrow();
    expect(Number(count)).toBe(1003);
    expect(await told(late)).toEqual([]);
  });

  test("is in the personal feed, and its author can be unfollowed from the notification", async () => {
    const [author, reader] = [await make.user(), await make.user()];
    const old = await approve(author, { name: "Old one" });
    await tellAll();
    await follow(reader, pageOf(author));
    const fresh = await approve(author, { name: "Fresh one" });
    await tellAll();
    const key = await write(resources, {}, (tx) => createFeedKey(tx, reader.id));
    const feed = await as.anyone.get(`/feeds/following.json?key=${key}`);
    expect(feed.text).toContain("Fresh one");
    expect(feed.text).not.toContain(old.slug);
    const { text } = await readPage(as.user(reader), "/dashboard/notifications");
    expect(text).toContain(`Unfollow ${author.userName}`);
    const [news] = await newsOf(reader);
    expect(news!.body.projectId).toBe(fresh.id);
    await submit(as.user(reader), "/dashboard/notifications", { act: "unfollow", id: news!.id });
    expect(await followersOf("users", author.id)).toBe(0);
    expect((await as.user(reader).get("/api/notifications/unread-count")).body).toEqual({ unread: 0 });
    // Nothing else is muted.
    expect((await as.user(reader).get("/api/notifications/settings")).body.muted).toEqual([]);
  });
});
