// The status of a project: every status × every operation on it.
import { describe, expect, test } from "vitest";
import { routes } from "#app.js";
import { projectEditRoutes } from "#content/projects/edit-routes.js";
import { statuses } from "#content/shapes/project.js";
import { moderationRoutes } from "#moderation/desk/routes.js";
import type { ProjectStatus } from "#platform/db/tables.js";
import { testApp } from "#test/server/harness.js";
import { makeProject, type ProjectOptions, setProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";

const allRoutes = [...new Set([...routes, ...projectEditRoutes, ...moderationRoutes])];
const world = await testApp({ routes: allRoutes });
const withoutReview = await testApp({ routes: allRoutes, settings: { MODSHELF_REVIEW: "off" } });
const hour = 3_600_000;

type World = typeof world;

async function makeReady(at: World, options: ProjectOptions = {}) {
  const owner = await at.make.user();
  const project = await makeProject(at, owner, { status: "draft", description: "Words", ...options });
  await makeVersion(at, owner, project.id);
  const actor = at.as.user(owner);
  return {
    ...project,
    owner,
    submit: () => actor.post(`/api/project/${project.slug}/submit-for-review`),
    withdraw: () => actor.post(`/api/project/${project.slug}/withdraw`),
    read: async () => (await actor.get(`/api/project/${project.id}`)).body.project,
  };
}

const rowOf = (at: World, id: string) =>
  at.resources.db.selectFrom("projects").selectAll().where("id", "=", id).executeTakeFirstOrThrow();

const messagesOf = async (at: World, id: string) => {
  const rows = await at.resources.db
    .selectFrom("thread_messages")
    .innerJoin("threads", "threads.id", "thread_messages.thread_id")
    .select(["thread_messages.type", "thread_messages.body", "thread_messages.author_id"])
    .where("threads.entity_id", "=", id)
    .orderBy("thread_messages.date_created")
    .execute();
  return rows.map(({ type, body, author_id }) => ({ type, body: JSON.parse(body), author_id }));
};

describe("submitProject", () => {
  const after: Record<ProjectStatus, ProjectStatus | 409> = {
    draft: "processing",
    rejected: "processing",
    withheld: "processing",
    processing: 409,
    approved: 409,
  };

  test.each(statuses)("a project that is %s", async (status) => {
    const { id, submit, read } = await makeReady(world, { status });
    const reply = await submit();
    const expected = after[status];
    if (expected === 409) {
      expect(reply).toFail(409, "wrongState");
      expect((await read()).status).toBe(status);
      expect(await messagesOf(world, id)).toEqual([]);
      return;
    }
    expect(reply.body).toMatchObject({ success: true, status: expected });
    expect(await read()).toMatchObject({ status: expected, requestedStatus: "approved" });
    const row = await rowOf(world, id);
    expect(Math.abs(row.date_queued! - world.clock.now())).toBeLessThan(60_000);
    expect(row.date_approved).toBeNull();
    const [message] = await messagesOf(world, id);
    expect(message).toMatchObject({ type: "status_change", body: { prev_status: status, new_status: expected } });
  });

  test("reports everything that is missing at once", async () => {
    const owner = await world.make.user();
    const { id } = await makeProject(world, owner, { status: "draft", license: "", description: " \n\t" });
    const submit = () => world.as.user(owner).post(`/api/project/${id}/submit-for-review`);
    const nothing = await submit();
    expect(nothing).toFail(409, "wrongState");
    expect(nothing.body.message).toMatch(/Add a version, a description, a license before/);
    await setProject(world, id, { description: "Words" });
    expect((await submit()).body.message).toMatch(/Add a version, a license before/);
    await setProject(world, id, { license_name: "My own", license_url: "https://example.org" });
    expect((await submit()).body.message).toMatch(/Add a version before/);
    const version = await makeVersion(world, owner, id);
    await world.resources.db.updateTable("versions").set({ date_yanked: 1 }).where("id", "=", version.id).execute();
    expect((await submit()).body.message).toMatch(/Add a version before/);
    await makeVersion(world, owner, id);
    expect(await submit()).toSucceed();
  });

  test.each(["rejected", "withheld"] as const)(
    "after being %s waits 3 hours from the last decision",
    async (status) => {
      const { id, submit } = await makeReady(world);
      expect(await submit()).toSucceed();
      const { date_queued } = await rowOf(world, id);
      await setProject(world, id, { status, requested_status: null });
      const early = await submit();
      expect(early).toFail(409, "wrongState");
      expect(early.body.message).toContain(new Date(date_queued! + 3 * hour).toISOString());
      world.clock.advance(3 * hour - 60_000);
      expect(await submit()).toFail(409, "wrongState");
      world.clock.advance(60_000);
      expect(await submit()).toSucceed();
    },
  );

  test("a draft that was withdrawn need not wait", async () => {
    const { submit, withdraw } = await makeReady(world);
    for (let round = 0; round < 3; round++) {
      expect(await submit()).toSucceed();
      expect(await withdraw()).toSucceed();
    }
  });

  test("ten concurrent requests submit it once", async () => {
    const { id, submit } = await makeReady(world);
    const replies = await Promise.all(Array.from({ length: 10 }, submit));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const reply of replies) if (reply.status !== 200) expect(reply).toFail(409, "wrongState");
    expect(await messagesOf(world, id)).toHaveLength(1);
  });

  test("with the same Idempotency-Key gives the same answer", async () => {
    const { slug, owner } = await makeReady(world);
    const send = () =>
      world.as.user(owner).post(`/api/project/${slug}/submit-for-review`, undefined, {
        headers: { "idempotency-key": "submit-1" },
      });
    const first = await send();
    expect(first).toSucceed();
    const again = await send();
    expect([again.status, again.text]).toEqual([200, first.text]);
  });

  test("approves at once if there is no review", async () => {
    const { id, slug, submit, read } = await makeReady(withoutReview);
    expect(await withoutReview.as.anyone.get(`/api/project/${slug}`)).toFail(404);
    expect((await submit()).body.status).toBe("approved");
    expect(await read()).toMatchObject({ status: "approved", requestedStatus: null });
    expect(await withoutReview.as.anyone.get(`/api/project/${slug}`)).toSucceed();
    const row = await rowOf(withoutReview, id);
    expect(row.date_approved).not.toBeNull();
    expect(row.date_queued).not.toBeNull();
    expect(await submit()).toFail(409, "wrongState");
  });

  test.each(["rejected", "withheld"] as const)(
    "without review still needs a review after a moderator has %s the project, even if it is withdrawn first",
    async (status) => {
      const { id, slug, submit, withdraw, read } = await makeReady(withoutReview);
      expect((await submit()).body.status).toBe("approved");
      const user = await withoutReview.make.user({ role: "moderator" });
      const moderator = withoutReview.as.user(user);
      expect(await moderator.post(`/api/moderation/project/${slug}`, { status })).toSucceed();
      withoutReview.clock.advance(3 * hour);
      await withoutReview.make.confirmed(user);
      expect((await submit()).body.status).toBe("processing");
      expect(await withdraw()).toSucceed();
      expect((await submit()).body.status).toBe("processing");
      expect(await withoutReview.as.anyone.get(`/api/project/${slug}`)).toFail(404);
      expect((await read()).requestedStatus).toBe("approved");
      // After a moderator has approved it, that decision counts.
      withoutReview.clock.advance(1000);
      expect(await moderator.post(`/api/moderation/project/${slug}`, { status: "approved" })).toSucceed();
      await setProject(withoutReview, id, { status: "draft" });
      expect((await submit()).body.status).toBe("approved");
    },
  );

  test("has the same requirements without review", async () => {
    const owner = await withoutReview.make.user();
    const { id } = await makeProject(withoutReview, owner, { status: "draft", description: "Words" });
    expect(await withoutReview.as.user(owner).post(`/api/project/${id}/submit-for-review`)).toFail(409, "wrongState");
  });
});

describe("withdrawProject", () => {
  test.each(statuses)("a project that is %s", async (status) => {
    const { id, withdraw, read } = await makeReady(world, { status });
    const reply = await withdraw();
    if (status !== "processing") {
      expect(reply).toFail(409, "wrongState");
      expect((await read()).status).toBe(status);
      return;
    }
    expect(reply.body).toMatchObject({ success: true, status: "draft" });
    expect(await read()).toMatchObject({ status: "draft", requestedStatus: null });
    expect(await messagesOf(world, id)).toMatchObject([
      { type: "status_change", body: { prev_status: "processing", new_status: "draft" } },
    ]);
  });
});

describe("setProjectStatus", () => {
  const pairs = statuses.flatMap((from) => statuses.map((to) => [from, to] as const));
  const decide = (actor: World["as"]["anyone"], ref: string, body: object) =>
    actor.post(`/api/moderation/project/${ref}`, body);

  test.each(pairs)("from %s to %s", async (from, to) => {
    const { id, slug, owner, read } = await makeReady(world, { status: from });
    await setProject(world, id, { requested_status: "approved", date_approved: null, date_queued: 1 });
    const moderator = await world.make.user({ role: "moderator" });
    const reply = await decide(world.as.user(moderator), slug, { status: to, message: "Because" });
    const notices = await world.resources.db
      .selectFrom("notifications")
      .select(["type", "body", "date_read"])
      .where("user_id", "=", owner.id)
      .execute();
    if (from === to) {
      expect(reply).toFail(409, "wrongState");
      expect(await messagesOf(world, id)).toEqual([]);
      expect(notices).toEqual([]);
      return;
    }
    expect(reply.body).toMatchObject({ success: true, status: to });
    expect(await read()).toMatchObject({ status: to, requestedStatus: to === "processing" ? "approved" : null });
    const row = await rowOf(world, id);
    expect(row.date_approved !== null).toBe(to === "approved");
    expect(row.date_queued === 1).toBe(to !== "processing");
    const isPublic = (await world.as.anyone.get(`/api/project/${slug}`)).status === 200;
    expect(isPublic).toBe(to === "approved");
    const change = { prev_status: from, new_status: to };
    expect(await messagesOf(world, id)).toEqual(
      expect.arrayContaining([
        { type: "status_change", body: change, author_id: moderator.id },
        { type: "text", body: { text: "Because", replying_to: null, isPrivate: false }, author_id: moderator.id },
      ]),
    );
    expect(notices.map(({ type, body }) => [type, JSON.parse(body)])).toEqual([
      ["status_change", { projectId: id, ...change }],
    ]);
    const audits = await world.resources.db
      .selectFrom("audit_log")
      .select(["actor_id", "detail"])
      .where("object_id", "=", id)
      .where("action", "=", "project.status.set")
      .execute();
    expect(audits).toEqual([{ actor_id: moderator.id, detail: JSON.stringify({ from, to }) }]);
  });

  test("after a decision the owner must wait 3 hours, and may then submit again", async () => {
    const { slug, submit } = await makeReady(world);
    const user = await world.make.user({ role: "moderator" });
    const moderator = world.as.user(user);
    expect(await submit()).toSucceed();
    expect(await decide(moderator, slug, { status: "rejected" })).toSucceed();
    expect(await submit()).toFail(409, "wrongState");
    world.clock.advance(3 * hour);
    await world.make.confirmed(user);
    expect(await submit()).toSucceed();
    expect(await decide(moderator, slug, { status: "approved" })).toSucceed();
  });
});
