// Tests who may decide about projects, with which input, and who is notified. The states themselves are in
// content/submissions/submit.test.ts.
import { describe, expect, test } from "vitest";
import { removeAccount } from "#accounts/users/write.js";
import { routes } from "#app.js";
import { createOrg } from "#content/organizations/edit.js";
import { assignableScopes } from "#lib/scopes.js";
import { write } from "#platform/changes/write.js";
import { testApp, uniqueName } from "#test/server/harness.js";
import { addMember, makeProject } from "#test/worlds/content.js";
import { moderationRoutes } from "./routes.js";

const world = await testApp({ routes: [...new Set([...routes, ...moderationRoutes])] });
const { as, make, resources } = world;
const { db } = resources;
const owner = await make.user();
const moderator = await make.user({ role: "moderator" });
const admin = await make.user({ role: "admin" });
const path = (ref: string) => `/api/moderation/project/${ref}`;

const noticesOf = async (userId: string) =>
  (await db.selectFrom("notifications").select("body").where("user_id", "=", userId).execute()).map(({ body }) =>
    JSON.parse(body),
  );

describe("setProjectStatus", () => {
  test("is for moderators and administrators, and tells others nothing", async () => {
    const { id, slug, teamId } = await makeProject(world, owner, { status: "processing" });
    const [stranger, member] = [await make.user(), await make.user()];
    await addMember(world, teamId, member);
    expect(await as.anyone.post(path(slug), { status: "approved" })).toFail(401, "signInNeeded");
    for (const user of [owner, stranger, member]) {
      expect(await as.user(user).post(path(slug), { status: "approved" })).toFail(403, "moderatorOnly");
      expect(await as.user(user).post(path("no-such-project"), { status: "approved" })).toFail(403, "moderatorOnly");
    }
    const others = assignableScopes.filter((scope) => scope !== "project_write");
    expect(await (await as.token(moderator, { scopes: others })).post(path(slug), { status: "approved" })).toFail(
      403,
      "scopeMissing",
    );
    const plain = await as.token(moderator, { scopes: assignableScopes });
    expect(await plain.post(path(slug), { status: "approved" })).toFail(403, "scopeMissing");
    const right = await as.token(moderator, { scopes: ["project_write", "staff"] });
    expect(await right.post(path(id), { status: "withheld" })).toSucceed();
    expect(await as.user(admin).post(path(slug), { status: "approved" })).toSucceed();
    expect(await as.user(moderator).post(path("no-such-project"), { status: "approved" })).toFail(
      404,
      "projectNotFound",
    );
  });

  test.each([
    {},
    { status: "public" },
    { status: "Approved" },
    { status: null },
    { status: ["approved"] },
    { status: "approved", message: 5 },
    { status: "approved", message: "x".repeat(2049) },
  ])("refuses %o", async (body) => {
    const { slug } = await makeProject(world, owner, { status: "processing" });
    expect(await as.user(moderator).post(path(slug), body)).toFail(400, "invalidRequest");
    const row = await db.selectFrom("projects").select("status").where("slug", "=", slug).executeTakeFirst();
    expect(row?.status).toBe("processing");
  });

  test("takes any message up to its limit, or none", async () => {
    for (const message of ["", null, undefined, "<script>\r\n\u202e", "x".repeat(2048)]) {
      const { slug, id } = await makeProject(world, owner, { status: "processing" });
      expect(await as.user(moderator).post(path(slug), { status: "rejected", message })).toSucceed();
      const texts = await db
        .selectFrom("thread_messages")
        .innerJoin("threads", "threads.id", "thread_messages.thread_id")
        .select("thread_messages.body")
        .where("threads.entity_id", "=", id)
        .where("thread_messages.type", "=", "text")
        .execute();
      expect(texts.map(({ body }) => JSON.parse(body).text)).toEqual(message ? [message] : []);
    }
  });

  test("changes the status and nothing else", async () => {
    const { id, slug } = await makeProject(world, owner, { status: "processing" });
    const before = await db.selectFrom("projects").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    const greedy = {
      status: "rejected",
      downloads: 5,
      name: "Other",
      visibility: "private",
      requestedStatus: "approved",
    };
    expect(await as.user(moderator).post(path(slug), greedy)).toSucceed();
    const after = await db.selectFrom("projects").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    expect(after).toEqual({ ...before, status: "rejected", requested_status: null });
  });

  test("notifies the organization's owner if the project belongs to an organization, and no ordinary member", async () => {
    const [head, plain] = [await make.user(), await make.user()];
    const org = { name: "Guild", slug: uniqueName("org"), description: "" };
    const orgId = await write(resources, {}, (tx) => createOrg(tx, head.id, org));
    const { team_id } = await db
      .selectFrom("organizations")
      .select("team_id")
      .where("id", "=", orgId)
      .executeTakeFirstOrThrow();
    await addMember(world, team_id, plain);
    const { id, slug } = await makeProject(world, head, { orgId, status: "processing" });
    expect(await as.user(moderator).post(path(slug), { status: "approved" })).toSucceed();
    expect(await noticesOf(head.id)).toEqual([{ projectId: id, prev_status: "processing", new_status: "approved" }]);
    expect(await noticesOf(plain.id)).toEqual([]);
  });

  test("notifies no one about a project whose owner was deleted", async () => {
    const leaving = await make.user();
    const { slug } = await makeProject(world, leaving, { status: "processing" });
    await write(resources, {}, (tx) => removeAccount(tx, leaving.id, resources.accountRemovals));
    expect(await as.user(moderator).post(path(slug), { status: "approved" })).toSucceed();
    expect(await noticesOf("deleted_user")).toEqual([]);
  });

  test("happens once when ten moderators decide the same in parallel", async () => {
    const { id, slug } = await makeProject(world, owner, { status: "processing" });
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => as.user(moderator).post(path(slug), { status: "approved" })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const reply of replies) if (reply.status !== 200) expect(reply).toFail(409, "wrongState");
    const told = (await noticesOf(owner.id)).filter(({ projectId }) => projectId === id);
    expect(told).toHaveLength(1);
  });
});
