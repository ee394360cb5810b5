// Cases: all reports about one object form one case, from any reporter and on any server.
import { describe, expect, test } from "vitest";
import type { Actor, TestUser } from "#test/callers/actors.js";
import { testApp } from "#test/server/harness.js";
import { makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";

const world = await testApp();
const second = await testApp({ sharedWith: world });
const { as, make, clock, resources } = world;
const { db } = resources;
const author = await make.user();
const moderator = await make.user({ role: "moderator" });
const other = await make.user({ role: "moderator" });
const admin = await make.user({ role: "admin" });
const desk = as.user(moderator);

const report = (actor: Actor, itemId: string, reportType = "spam", itemType = "project") =>
  actor.post("/api/report", { reportType, itemType, itemId, body: "Something is wrong with it" });

interface Case {
  id: string;
  itemId: string;
}
const listCases = async (query = ""): Promise<Case[]> => (await desk.get(`/api/moderation/reports?${query}`)).body;
const caseOf = async (itemId: string) => (await listCases()).find((one) => one.itemId === itemId)!;
const detail = async (id: string) => (await desk.get(`/api/moderation/report/${id}`)).body;
const closeCase = (user: TestUser, id: string, more: object = {}) =>
  as.user(user).patch(`/api/moderation/report/${id}`, { closed: true, ...more });

async function makeCase(reporters = 1) {
  const project = await makeProject(world, author);
  const users = await Promise.all(Array.from({ length: reporters }, () => make.user()));
  for (const user of users) await report(as.user(user), project.id);
  return { project, users, id: (await caseOf(project.id)).id };
}

describe("getReportCases", () => {
  test("shows the reports of many users about one object as one, on two servers in parallel", async () => {
    const { id } = await makeProject(world, author);
    const users = await Promise.all(Array.from({ length: 12 }, () => make.user()));
    const replies = await Promise.all(
      users.map((user, at) => report((at % 2 ? as : second.as).user(user), id, at === 5 ? "malicious" : "spam")),
    );
    for (const reply of replies) expect(reply).toSucceed();
    const cases = (await listCases()).filter(({ itemId }) => itemId === id);
    expect(cases).toHaveLength(1);
    expect(cases[0]).toMatchObject({
      itemType: "project",
      isUrgent: true,
      closed: false,
      reportCount: 12,
      reportTypes: ["malicious", "spam"],
      claim: null,
      item: { title: "Sample project", projectId: id },
    });
  });

  test("lists malicious content first, then the oldest; and describes the object of each", async () => {
    const project = await makeProject(world, author);
    const version = await makeVersion(world, author, project.id);
    const person = await make.user();
    const reporter = as.user(await make.user());
    await report(reporter, project.id);
    clock.advance(1000);
    await report(reporter, person.userName, "other", "user");
    clock.advance(1000);
    await report(reporter, version.id, "malicious", "version");
    const mine = [project.id, person.id, version.id];
    const cases = (await listCases()).filter(({ itemId }) => mine.includes(itemId));
    expect(cases.map(({ itemId }) => itemId)).toEqual([version.id, project.id, person.id]);
    expect(cases).toMatchObject([
      { item: { title: version.versionNumber, projectSlug: project.slug } },
      { item: { title: "Sample project" } },
      { item: { title: person.userName, projectId: null } },
    ]);
    const users = await listCases("itemType=user");
    expect(users.length).toBeGreaterThan(0);
    expect(users.every((one) => "itemId" in one && !mine.slice(0, 1).includes(one.itemId))).toBe(true);
    const [first] = await listCases("limit=1");
    const [next] = await listCases("limit=1&offset=1");
    expect(first!.id).not.toBe(next!.id);
    expect(await listCases("offset=100000")).toEqual([]);
    for (const query of ["limit=0", "offset=-1", "status=all", "itemType=x"])
      expect(await desk.get(`/api/moderation/reports?${query}`)).toFail(400, "invalidRequest");
  });

  test("is not for others", async () => {
    const { id } = await makeCase();
    const user = as.user(await make.user());
    expect(await user.get("/api/moderation/reports")).toFail(403, "moderatorOnly");
    for (const ref of [id, "AAAAAAAA"]) {
      expect(await user.get(`/api/moderation/report/${ref}`)).toFail(403, "moderatorOnly");
      expect(await user.patch(`/api/moderation/report/${ref}`, { closed: true })).toFail(403, "moderatorOnly");
      expect(await user.post(`/api/moderation/report/${ref}/claim`)).toFail(403, "moderatorOnly");
      expect(await user.delete(`/api/moderation/report/${ref}/claim`)).toFail(403, "moderatorOnly");
    }
  });
});

describe("getReportCase", () => {
  test("shows each report with its reporter and the outcome of their earlier reports", async () => {
    const old = await makeCase();
    const [reporter] = old.users;
    await closeCase(moderator, old.id, { outcome: "action_taken" });
    const project = await makeProject(world, author);
    await report(as.user(reporter!), project.id);
    const found = await detail((await caseOf(project.id)).id);
    expect(found.reports).toMatchObject([
      {
        reporter: reporter!.id,
        reporterName: reporter!.userName,
        isGuest: false,
        reporterHistory: { closed: 1, actionTaken: 1 },
        closed: false,
      },
    ]);
    expect(await desk.get("/api/moderation/report/AAAAAAAA")).toFail(404, "caseNotFound");
  });
});

describe("closeReportCase", () => {
  test("answers every reporter in their own thread, and notifies each", async () => {
    const { id, users, project } = await makeCase(3);
    const reply = await closeCase(moderator, id, { outcome: "no_violation", message: "It is allowed" });
    expect(reply.body).toMatchObject({ success: true, reports: 3 });
    for (const user of users) {
      const [mine] = (await as.user(user).get("/api/report")).body;
      expect(mine).toMatchObject({ closed: true, outcome: "no_violation" });
      const { messages } = (await as.user(user).get(`/api/thread/${mine.threadId}`)).body;
      expect(messages.map(({ type }: { type: string }) => type)).toEqual(["text", "thread_closure"]);
      const notices = await db.selectFrom("notifications").selectAll().where("user_id", "=", user.id).execute();
      expect(notices.map(({ type }) => type)).toEqual(["report_closed"]);
      expect(JSON.parse(notices[0]!.body)).toMatchObject({ reportId: mine.id, outcome: "no_violation" });
    }
    expect(await caseOf(project.id)).toBeUndefined();
    expect((await listCases("status=closed")).map((one) => one.id)).toContain(id);
    expect(await closeCase(moderator, id)).toFail(409, "wrongState");
    expect(await closeCase(moderator, "AAAAAAAA")).toFail(404, "caseNotFound");
    expect(await closeCase(moderator, id, { closed: false })).toFail(400, "invalidRequest");
  });

  test("happens by itself with the last of its reports; a new report begins a new case", async () => {
    const { id, users, project } = await makeCase(2);
    const { reports } = await detail(id);
    for (const [at, { id: reportId }] of reports.entries()) {
      expect((await detail(id)).closed).toBe(false);
      expect(await desk.patch(`/api/report/${reportId}`, { closed: true })).toSucceed();
      expect((await detail(id)).closed).toBe(at === 1);
    }
    await report(as.user(users[0]!), project.id);
    const newer = await caseOf(project.id);
    expect(newer.id).not.toBe(id);
    // A report that is opened again joins the current open case.
    const [again] = reports.filter(({ reporter }: { reporter: string }) => reporter === users[1]!.id);
    expect(await desk.patch(`/api/report/${again.id}`, { closed: false })).toSucceed();
    expect((await detail(newer.id)).reportCount).toBe(2);
  });

  test("while others still report: no report is lost between two cases", async () => {
    const { id, project } = await makeCase();
    const users = await Promise.all(Array.from({ length: 10 }, () => make.user()));
    const replies = await Promise.all([
      closeCase(moderator, id),
      ...users.map((user, at) => report((at % 2 ? as : second.as).user(user), project.id)),
    ]);
    for (const reply of replies) expect(reply).toSucceed();
    const rows = await db
      .selectFrom("reports")
      .innerJoin("report_cases", "report_cases.id", "reports.case_id")
      .select(["reports.closed", "report_cases.date_closed"])
      .where("reports.item_id", "=", project.id)
      .execute();
    expect(rows).toHaveLength(11);
    for (const row of rows) expect(row.date_closed === null).toBe(row.closed === 0);
  });
});

describe("claimReportCase", () => {
  const claim = (user: TestUser, id: string) => as.user(user).post(`/api/moderation/report/${id}/claim`);
  const release = (user: TestUser, id: string) => as.user(user).delete(`/api/moderation/report/${id}/claim`);

  test("keeps others from closing it or its reports, until it ends", async () => {
    const { id } = await makeCase(2);
    const taken = await claim(moderator, id);
    expect(taken.body.claim).toMatchObject({ userId: moderator.id, userName: moderator.userName });
    expect((await detail(id)).claim).toEqual(taken.body.claim);
    for (const reply of [
      await claim(other, id),
      await closeCase(other, id),
      await closeCase(admin, id),
      await as.user(other).patch(`/api/report/${(await detail(id)).reports[0].id}`, { closed: true }),
      await release(other, id),
    ]) {
      expect(reply).toFail(409, "claimed");
      expect(reply.body.message).toContain(moderator.userName);
      expect(reply.body.message).toContain(taken.body.claim.dateExpires);
    }
    clock.advance(31 * 60_000);
    expect(await closeCase(other, id)).toSucceed();
    expect(await claim(moderator, id)).toFail(409, "wrongState");
    expect(await claim(moderator, "AAAAAAAA")).toFail(404, "caseNotFound");
  });

  test("releaseReportCase lets go of it, for oneself; an administrator for others too", async () => {
    const { id } = await makeCase();
    expect(await release(moderator, id)).toFail(409, "wrongState");
    await claim(moderator, id);
    expect(await release(moderator, id)).toSucceed();
    expect(await claim(other, id)).toSucceed();
    expect(await release(admin, id)).toSucceed();
    expect(await closeCase(moderator, id)).toSucceed();
    expect(await release(moderator, "AAAAAAAA")).toFail(404, "caseNotFound");
  });
});
