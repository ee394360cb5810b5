// The queue: its order, the place of each project, and claims by one moderator at a time.
import { beforeEach, describe, expect, test } from "vitest";
import { removeAccount } from "#accounts/users/write.js";
import { write } from "#platform/changes/write.js";
import type { Actor, TestUser } from "#test/callers/actors.js";
import { testApp } from "#test/server/harness.js";
import { addMember, makeOrg, makeProject, setProject } from "#test/worlds/content.js";
import { claimMs } from "./claims.js";

const world = await testApp();
const second = await testApp({ sharedWith: world });
const { as, make, clock, resources } = world;
const { db } = resources;
const author = await make.user();
const moderator = await make.user({ role: "moderator" });
const other = await make.user({ role: "moderator" });
const admin = await make.user({ role: "admin" });
const desk = as.user(moderator);
const minute = 60_000;

beforeEach(async () => {
  await db.deleteFrom("reviews").execute();
  await db.deleteFrom("review_claims").execute();
  await db.updateTable("projects").set({ status: "approved" }).execute();
});

/** A project that has been in the queue for so many minutes. */
async function queued(minutes: number, options: Parameters<typeof makeProject>[2] = {}) {
  const project = await makeProject(world, author, { status: "processing", ...options });
  await setProject(world, project.id, { date_queued: clock.now() - minutes * minute });
  return project;
}

const queue = async (query = "", actor = desk) => (await actor.get(`/api/moderation/projects?${query}`)).body;
const ids = (items: { id: string }[]) => items.map(({ id }) => id);
const decide = (actor: Actor, ref: string, body: object = { status: "approved" }) =>
  actor.post(`/api/moderation/project/${ref}`, body);
const claim = (actor: Actor, ref: string) => actor.post(`/api/moderation/project/${ref}/claim`);
const release = (actor: Actor, ref: string) => actor.delete(`/api/moderation/project/${ref}/claim`);
const review = async (user: TestUser, ref: string) => (await as.user(user).get(`/api/project/${ref}/review`)).body;

describe("getModerationQueue", () => {
  test("has the longest waiting first, each with its author and place", async () => {
    const org = await makeOrg(world, author);
    const [late, early, middle] = [
      await queued(1),
      await queued(30),
      await queued(20, { orgId: org.id, types: ["shader"] }),
    ];
    const items = await queue();
    expect(ids(items)).toEqual([early.id, middle.id, late.id]);
    expect(items[0]).toEqual({
      id: early.id,
      slug: early.slug,
      name: "Sample project",
      summary: "A project for a test",
      type: ["mod"],
      icon: null,
      downloads: 0,
      followers: 0,
      dateQueued: expect.any(String),
      status: "processing",
      requestedStatus: "approved",
      visibility: "listed",
      author: { name: author.userName, slug: author.userName, icon: expect.any(String), isOrg: false },
      position: 1,
      decisions: 0,
      claim: null,
    });
    expect(items[1].author).toMatchObject({ slug: org.slug, isOrg: true });
    // Neither a page nor a filter changes the places.
    expect(await queue("limit=1&offset=1")).toMatchObject([{ id: middle.id, position: 2 }]);
    expect(await queue("type=shader")).toMatchObject([{ id: middle.id, position: 2 }]);
    expect(await queue("type=sha")).toEqual([]);
    expect(await queue("offset=3")).toEqual([]);
    for (const query of ["limit=0", "limit=101", "offset=-1", "type=%25", "claimed=yes"])
      expect(await desk.get(`/api/moderation/projects?${query}`)).toFail(400, "invalidRequest");
  });

  test("distinguishes unclaimed projects, own claims and claims of others", async () => {
    const [free, mine, his] = [await queued(3), await queued(2), await queued(1)];
    await claim(desk, mine.id);
    await claim(as.user(other), his.id);
    expect(ids(await queue("claimed=mine"))).toEqual([mine.id]);
    expect(ids(await queue("claimed=free"))).toEqual([free.id, mine.id]);
    const shown = await queue();
    expect(shown[2].claim).toMatchObject({ userId: other.id, userName: other.userName });
    expect(shown[0].claim).toBeNull();
    clock.advance(claimMs);
    expect((await queue()).map((item: { claim: unknown }) => item.claim)).toEqual([null, null, null]);
  });

  test("is for moderators", async () => {
    expect(await as.user(author).get("/api/moderation/projects")).toFail(403, "moderatorOnly");
    expect(await as.user(author).get("/api/moderation")).toFail(403, "moderatorOnly");
  });
});

describe("getProjectReview", () => {
  test("shows members their place, the usual duration, and past decisions", async () => {
    const [first, second_] = [await queued(60), await queued(30)];
    expect(await review(author, second_.slug)).toMatchObject({
      status: "processing",
      position: 2,
      queueLength: 2,
      medianWaitSeconds: null,
      threadId: expect.any(String),
      history: [],
    });
    await decide(desk, first.id, { status: "rejected", reason: "licence", message: "Which licence?" });
    expect(await review(author, second_.id)).toMatchObject({ position: 1, queueLength: 1 });
    const turnedDown = await review(author, first.id);
    expect(turnedDown).toMatchObject({ status: "rejected", position: null });
    // An hour, plus the time that this test has taken so far.
    expect(Math.abs(turnedDown.medianWaitSeconds - 3600)).toBeLessThan(120);
    expect(turnedDown.history).toEqual([
      {
        status: "rejected",
        reason: "licence",
        problems: ["licence"],
        message: "Which licence?",
        dateDecided: expect.any(String),
      },
    ]);
    expect((await review(moderator, first.id)).history[0].moderatorId).toBe(moderator.id);
  });

  test("is for members and moderators: strangers see the project, or nothing at all", async () => {
    const open = await makeProject(world, author);
    const org = await makeOrg(world, author);
    const closed = await queued(5, { orgId: org.id });
    const [stranger, member, invitee] = [await make.user(), await make.user(), await make.user()];
    await addMember(world, org.teamId, member);
    await addMember(world, closed.teamId, invitee, { accepted: false });
    expect(await as.user(stranger).get(`/api/project/${open.id}/review`)).toFail(403, "membersOnly");
    for (const user of [stranger, invitee])
      expect(await as.user(user).get(`/api/project/${closed.id}/review`)).toFail(404, "projectNotFound");
    expect(await as.user(member).get(`/api/project/${closed.id}/review`)).toSucceed();
    expect(await as.user(member).get("/api/project/no-such-project/review")).toFail(404, "projectNotFound");
  });

  test("uses the median of recent decisions, and ignores projects that did not wait", async () => {
    const project = await queued(1);
    const rows = (waits: (number | null)[], daysAgo: number) =>
      waits.map((wait, at) => {
        const date_decided = clock.now() - daysAgo * 24 * 60 * minute - at;
        return {
          ...{ id: `r${daysAgo}-${at}`, project_id: project.id, moderator_id: null, status: "approved" as const },
          ...{
            reason: "",
            message: "",
            date_decided,
            date_queued: wait === null ? null : date_decided - wait * minute,
          },
        };
      });
    await db
      .insertInto("reviews")
      .values([...rows([10, 20, 60, null], 1), ...rows([1000], 91)])
      .execute();
    expect((await review(author, project.id)).medianWaitSeconds).toBe(20 * 60);
    await db
      .insertInto("reviews")
      .values(rows([30], 2))
      .execute();
    expect((await review(author, project.id)).medianWaitSeconds).toBe(25 * 60);
    // A hundred newer ones displace the older ones.
    await db
      .insertInto("reviews")
      .values(rows(Array(100).fill(5), 0))
      .execute();
    expect((await review(author, project.id)).medianWaitSeconds).toBe(5 * 60);
  });
});

describe("getModerationSummary", () => {
  test("counts waiting projects", async () => {
    const empty = (await desk.get("/api/moderation")).body;
    expect(empty).toMatchObject({ queueLength: 0, oldestQueued: null, medianWaitSeconds: null, claims: [] });
    const [old] = [await queued(50), await queued(1)];
    await claim(desk, old.id);
    const { body } = await desk.get("/api/moderation");
    expect(body).toMatchObject({ queueLength: 2, openCases: 0, urgentCases: 0, standingQuarantines: 0 });
    expect(clock.now() - Date.parse(body.oldestQueued)).toBeGreaterThanOrEqual(50 * minute);
    expect(body.claims).toMatchObject([{ kind: "project", id: old.id }]);
    expect((await as.user(other).get("/api/moderation")).body.claims).toEqual([]);
  });
});

describe("setProjectStatus", () => {
  test("takes a matching reason from the list (getDecisionReasons), and stores it", async () => {
    const reasons = (await as.anyone.get("/api/moderation/reasons")).body;
    expect(reasons.length).toBeGreaterThan(8);
    const { id } = await queued(5);
    for (const reason of ["boring", "", 5, "fits"])
      expect(await decide(desk, id, { status: "rejected", reason })).toFail(400, "invalidRequest");
    for (const { id: reason, statuses } of reasons)
      for (const status of statuses) {
        await setProject(world, id, { status: status === "processing" ? "draft" : "processing" });
        expect(await decide(desk, id, { status, reason }), `${status} ${reason}`).toSucceed();
        expect((await review(author, id)).history[0]).toMatchObject({ status, reason });
        clock.advance(1);
      }
    await setProject(world, id, { status: "processing" });
    expect(await decide(desk, id, { status: "approved", reason: null })).toSucceed();
    expect((await review(author, id)).history[0]).toMatchObject({ reason: null });
  });

  test("counts only projects that were in the queue", async () => {
    const { id } = await makeProject(world, author);
    expect(await decide(desk, id, { status: "withheld" })).toSucceed();
    expect((await review(author, id)).medianWaitSeconds).toBeNull();
  });

  test("stays when the moderator's account goes", async () => {
    const leaving = await make.user({ role: "moderator" });
    const [decided, held] = [await queued(5), await queued(4)];
    await decide(as.user(leaving), decided.id, { status: "rejected", message: "No" });
    await claim(as.user(leaving), held.id);
    await write(resources, {}, (tx) => removeAccount(tx, leaving.id, resources.accountRemovals));
    expect((await review(moderator, decided.id)).history).toMatchObject([{ status: "rejected", moderatorId: null }]);
    expect(await decide(desk, held.id)).toSucceed();
  });
});

describe("claimProject", () => {
  test("belongs to one moderator at a time: others are told whose it is and until when", async () => {
    const { id, slug } = await queued(5);
    const taken = await claim(desk, slug);
    expect(taken.body.claim).toMatchObject({ userId: moderator.id, userName: moderator.userName });
    expect(Date.parse(taken.body.claim.dateExpires)).toBeGreaterThan(clock.now() + claimMs - minute);
    for (const reply of [
      await claim(as.user(other), id),
      await decide(as.user(other), id),
      await decide(as.user(admin), id, { status: "rejected" }),
      await release(as.user(other), id),
    ]) {
      expect(reply).toFail(409, "claimed");
      expect(reply.body.message).toContain(moderator.userName);
      expect(reply.body.message).toContain(taken.body.claim.dateExpires);
    }
    expect(await decide(desk, id)).toSucceed();
    expect(await claim(desk, id)).toFail(409, "wrongState");
    expect((await desk.get("/api/moderation")).body.claims).toEqual([]);
  });

  test("ends after half an hour, unless its holder holds on", async () => {
    const [held, left] = [await queued(5), await queued(4)];
    for (const { id } of [held, left]) await claim(desk, id);
    clock.advance(20 * minute);
    expect(await claim(desk, held.id)).toSucceed();
    clock.advance(20 * minute);
    expect(await decide(as.user(other), held.id)).toFail(409, "claimed");
    expect(await claim(as.user(other), left.id)).toSucceed();
    expect(await decide(desk, left.id)).toFail(409, "claimed");
  });

  test("releaseProject lets go, for oneself; an administrator for others too", async () => {
    const { id } = await queued(5);
    expect(await release(desk, id)).toFail(409, "wrongState");
    await claim(desk, id);
    expect(await release(desk, id)).toSucceed();
    expect(await claim(as.user(other), id)).toSucceed();
    expect(await release(as.user(admin), id)).toSucceed();
    expect(await decide(desk, id)).toSucceed();
    expect(await release(desk, "no-such-project")).toFail(404, "projectNotFound");
  });

  test("is for projects in the queue", async () => {
    const { id } = await makeProject(world, author, { status: "draft" });
    expect(await claim(desk, id)).toFail(409, "wrongState");
    expect(await claim(desk, "no-such-project")).toFail(404, "projectNotFound");
    for (const user of [author, await make.user()]) {
      expect(await claim(as.user(user), id)).toFail(403, "moderatorOnly");
      expect(await release(as.user(user), id)).toFail(403, "moderatorOnly");
    }
  });

  test("succeeds for one of ten moderators who claim in parallel on two servers", async () => {
    const moderators = await Promise.all(Array.from({ length: 10 }, () => make.user({ role: "moderator" })));
    for (let round = 0; round < 5; round++) {
      const { id } = await queued(5);
      const replies = await Promise.all(moderators.map((user, at) => claim((at % 2 ? as : second.as).user(user), id)));
      const winners = moderators.filter((_, at) => replies[at]!.status === 200);
      expect(winners).toHaveLength(1);
      for (const reply of replies) if (reply.status !== 200) expect(reply).toFail(409, "claimed");
      expect((await queue("", second.as.user(moderator)))[0].claim.userId).toBe(winners[0]!.id);
      await decide(as.user(winners[0]!), id);
    }
  });

  test("never conflicts with a decision: a decided project is not claimed, and a claimed project is decided by its moderator", async () => {
    for (let round = 0; round < 10; round++) {
      const { id } = await queued(5);
      const [claimed, decided] = await Promise.all([
        claim(second.as.user(other), id),
        decide(desk, id, { status: "rejected" }),
      ]);
      expect([claimed.status, decided.status].sort()).toEqual([200, 409]);
      if (claimed.status === 200) expect(decided).toFail(409, "claimed");
      else expect(claimed).toFail(409, "wrongState");
    }
  });
});
