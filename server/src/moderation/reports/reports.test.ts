// Reporting: who can report which objects, how a second report is handled, and who can see reports.
import { describe, expect, test } from "vitest";
import { removeAccount } from "#accounts/users/write.js";
import { reportTypes } from "#lib/report-types.js";
import { write } from "#platform/changes/write.js";
import { rateClasses } from "#platform/http/rate-limit-fields.js";
import type { TestUser } from "#test/callers/actors.js";
import { testApp } from "#test/server/harness.js";
import { makeProject, setProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";
import { maxOpenReports } from "./words.js";

const world = await testApp();
const { as, make, clock, resources } = world;
const { db } = resources;
const author = await make.user();
const moderator = await make.user({ role: "moderator" });
const project = await makeProject(world, author);
const version = await makeVersion(world, author, project.id);

const input = (more: object = {}) => ({
  reportType: "spam",
  itemType: "project",
  itemId: project.id,
  body: "This is nothing but advertising",
  ...more,
});
const report = (user: TestUser, more: object = {}) => as.user(user).post("/api/report", input(more));
const shown = async (user: TestUser, id: string) => (await as.user(user).get(`/api/report/${id}`)).body;

describe("createReport", () => {
  test("takes every kind of thing, by every name it goes by", async () => {
    const reporter = await make.user();
    for (const [itemType, itemId, id] of [
      ["project", project.slug.toUpperCase(), project.id],
      ["version", version.id, version.id],
      ["user", author.userName.toUpperCase(), author.id],
    ]) {
      const reply = await report(reporter, { itemType, itemId });
      expect(reply.body).toMatchObject({ success: true, reportId: expect.any(String), threadId: expect.any(String) });
      expect(await shown(reporter, reply.body.reportId)).toEqual({
        id: reply.body.reportId,
        reportType: "spam",
        itemType,
        itemId: id,
        body: "This is nothing but advertising",
        reporter: reporter.id,
        closed: false,
        createdAt: expect.any(String),
        threadId: reply.body.threadId,
        outcome: null,
      });
    }
  });

  test("does not reveal objects that the reporter cannot see", async () => {
    const reporter = await make.user();
    const hidden = await makeProject(world, author, { visibility: "private" });
    const inside = await makeVersion(world, author, hidden.id);
    expect(await report(reporter, { itemId: hidden.id })).toFail(404, "projectNotFound");
    expect(await report(reporter, { itemId: "no-such-project" })).toFail(404, "projectNotFound");
    expect(await report(reporter, { itemType: "version", itemId: inside.id })).toFail(404, "versionNotFound");
    expect(await report(reporter, { itemType: "version", itemId: project.id })).toFail(404, "versionNotFound");
    expect(await report(reporter, { itemType: "user", itemId: "nobody-at-all" })).toFail(404, "userNotFound");
    expect(await report(reporter, { itemType: "user", itemId: "deleted_user" })).toFail(404, "userNotFound");
    expect(await report(author, { itemId: hidden.id })).toSucceed();
  });

  test.each([
    { reportType: "boring" },
    { reportType: null },
    { itemType: "organization" },
    { itemId: "" },
    { itemId: "x".repeat(65) },
    { itemId: 5 },
    { body: "too short" },
    { body: "x".repeat(8193) },
    { body: " ".repeat(20) },
    { body: undefined },
  ])("refuses %o", async (more) => {
    expect(await report(await make.user(), more)).toFail(400, "invalidRequest");
  });

  test("users cannot report themselves", async () => {
    const person = await make.user();
    for (const itemId of [person.id, person.userName.toUpperCase()])
      expect(await report(person, { itemType: "user", itemId })).toFail(400, "selfReport");
  });

  test("a second report of the same person about the same thing joins the open one, and its text is not lost", async () => {
    const reporter = await make.user();
    const first = await report(reporter);
    expect(first.body.joined).toBeUndefined();
    for (const body of ["And it copies another project", "And it copies another project", input().body]) {
      const again = await report(reporter, { itemId: project.slug, reportType: "reuploaded_work", body });
      expect(again.body).toMatchObject({ success: true, reportId: first.body.reportId, joined: true });
    }
    expect((await as.user(reporter).get("/api/report")).body).toHaveLength(1);
    const { messages } = (await as.user(reporter).get(`/api/thread/${first.body.threadId}`)).body;
    expect(messages.map(({ body }: { body: { text: string } }) => body.text)).toEqual([
      "And it copies another project",
    ]);
    await as.user(moderator).patch(`/api/report/${first.body.reportId}`, { closed: true });
    const new_ = await report(reporter);
    expect(new_.body.reportId).not.toBe(first.body.reportId);
  });

  test("twenty parallel reports by one person are one report", async () => {
    const reporter = await make.user();
    const replies = await Promise.all(Array.from({ length: 20 }, () => report(reporter)));
    for (const reply of replies) expect(reply).toSucceed();
    expect(new Set(replies.map(({ body }) => body.reportId)).size).toBe(1);
    expect(replies.filter(({ body }) => !body.joined)).toHaveLength(1);
  });

  test("one person has a limited number of open reports, also in parallel", async () => {
    const reporter = await make.user();
    const projects = [];
    for (let n = 0; n < maxOpenReports + 5; n++) projects.push(await makeProject(world, author));
    const replies = await Promise.all(projects.map(({ id }) => report(reporter, { itemId: id })));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(maxOpenReports);
    for (const reply of replies) if (reply.status !== 200) expect(reply).toFail(409, "tooManyReports");
    const { body } = replies.find(({ status }) => status === 200)!;
    await as.user(moderator).patch(`/api/report/${body.reportId}`, { closed: true });
    expect(await report(reporter, { itemType: "user", itemId: author.id })).toSucceed();
  });

  test("a flood is stopped by its own quota", async () => {
    const limited = await testApp({ settings: { MODSHELF_RATE_LIMITS: "on" } });
    const reporter = await limited.make.user();
    const { quota } = rateClasses.report;
    const statuses: number[] = [];
    for (let n = 0; n <= quota; n++)
      statuses.push((await limited.as.user(reporter).post("/api/report", input({ itemId: "nothing" }))).status);
    expect(statuses).toEqual([...Array(quota).fill(404), 429]);
    await limited.stop();
  });
});

describe("visibility of reports", () => {
  test("getReport: the reporter and moderators; for all others it does not exist", async () => {
    const [reporter, other] = [await make.user(), await make.user()];
    const { reportId } = (await report(reporter)).body;
    expect(await shown(moderator, reportId)).toMatchObject({ id: reportId, caseId: expect.any(String) });
    // The reporter must not learn how many others reported it, or the id of the case.
    expect("caseId" in (await shown(reporter, reportId))).toBe(false);
    for (const user of [other, author])
      expect(await as.user(user).get(`/api/report/${reportId}`)).toFail(404, "reportNotFound");
  });

  test("getReports: the own reports, newest first; moderators can read those of any user", async () => {
    const [reporter, other] = [await make.user(), await make.user()];
    const ids = [];
    for (const itemType of ["project", "user"]) {
      ids.push(
        (await report(reporter, { itemType, itemId: itemType === "user" ? author.id : project.id })).body.reportId,
      );
      clock.advance(1000);
    }
    const own = (await as.user(reporter).get("/api/report")).body;
    expect(own.map(({ id }: { id: string }) => id)).toEqual(ids.reverse());
    expect((await as.user(reporter).get(`/api/report?userId=${reporter.id}`)).body).toHaveLength(2);
    expect((await as.user(moderator).get(`/api/report?userId=${reporter.id}`)).body).toHaveLength(2);
    expect(await as.user(other).get(`/api/report?userId=${reporter.id}`)).toFail(403, "moderatorOnly");
    expect((await as.user(other).get("/api/report")).body).toEqual([]);
  });

  test("getExistingReport: the own open report, also about an object that is hidden since", async () => {
    const [reporter, other] = [await make.user(), await make.user()];
    const hidden = await makeProject(world, author);
    const { reportId } = (await report(reporter, { itemId: hidden.id })).body;
    const ask = (user: TestUser, itemId: string) =>
      as.user(user).get(`/api/report/existingReport?itemType=project&itemId=${itemId}`);
    expect((await ask(reporter, hidden.slug)).body.id).toBe(reportId);
    expect(await ask(other, hidden.slug)).toFail(404, "reportNotFound");
    await setProject(world, hidden.id, { visibility: "private" });
    expect((await ask(reporter, hidden.id)).body.id).toBe(reportId);
    await as.user(moderator).patch(`/api/report/${reportId}`, { closed: true });
    expect(await ask(reporter, hidden.id)).toFail(404, "reportNotFound");
    expect(await as.user(reporter).get("/api/report/existingReport?itemType=project")).toFail(400, "invalidRequest");
  });

  test("getAllReports: moderators, with filters that are combined", async () => {
    const reporter = await make.user();
    const target = await makeProject(world, author);
    const ids: string[] = [];
    for (const reportType of ["spam", "other"] as const) {
      const item = reportType === "spam" ? { itemId: target.id } : { itemType: "user", itemId: author.id };
      ids.push((await report(reporter, { reportType, ...item })).body.reportId);
      clock.advance(1000);
    }
    const [spam, other] = ids as [string, string];
    await as.user(moderator).patch(`/api/report/${other}`, { closed: true, outcome: "no_violation" });
    const list = async (query: string) =>
      (await as.user(moderator).get(`/api/report/getAll?reportedBy=${reporter.id}&${query}`)).body.map(
        ({ id }: { id: string }) => id,
      );
    expect(await list("")).toEqual([spam]);
    expect(await list("status=all")).toEqual([other, spam]);
    expect(await list("status=closed")).toEqual([other]);
    expect(await list("status=all&ruleViolated=other,malicious")).toEqual([other]);
    expect(await list(`status=all&itemType=project&itemId=${target.id}`)).toEqual([spam]);
    expect(await list("status=all&limit=1")).toEqual([other]);
    expect(await list(`status=all&limit=1&before=${other}`)).toEqual([spam]);
    expect(await list(`status=all&before=${spam}`)).toEqual([]);
    for (const query of ["status=maybe", "ruleViolated=boring", "ruleViolated=spam,,", "limit=101", "before=AAAAAAAA"])
      expect(await as.user(moderator).get(`/api/report/getAll?${query}`)).toFail(400, "invalidRequest");
    expect(await as.user(reporter).get("/api/report/getAll")).toFail(403, "moderatorOnly");
    expect(reportTypes).toContain("malicious");
  });

  test("a reporter who deletes their account leaves the report without a name", async () => {
    const reporter = await make.user();
    const { reportId, threadId } = (await report(reporter)).body;
    await as.user(reporter).post(`/api/thread/${threadId}`, { message: "And another thing" });
    await write(resources, {}, (tx) => removeAccount(tx, reporter.id, resources.accountRemovals));
    expect(await shown(moderator, reportId)).toMatchObject({ reporter: null, closed: false });
    expect(await as.user(moderator).patch(`/api/report/${reportId}`, { closed: true })).toSucceed();
  });

  test("the reported object may be deleted; the report stays", async () => {
    const reporter = await make.user();
    const target = await makeProject(world, author);
    const { reportId } = (await report(reporter, { itemId: target.id })).body;
    expect(await as.user(author).delete(`/api/project/${target.id}`)).toSucceed();
    expect(await shown(reporter, reportId)).toMatchObject({ itemId: target.id, closed: false });
  });
});

describe("updateReport", () => {
  const close = (user: TestUser, id: string, body: object = { closed: true }) =>
    as.user(user).patch(`/api/report/${id}`, body);

  test("closes and opens again, says so in the thread and tells the reporter", async () => {
    const reporter = await make.user();
    const { reportId, threadId } = (await report(reporter)).body;
    expect(await close(moderator, reportId, { closed: true, outcome: "action_taken", message: "Done" })).toSucceed();
    expect(await shown(reporter, reportId)).toMatchObject({ closed: true, outcome: "action_taken" });
    expect(await close(moderator, reportId)).toFail(409, "wrongState");
    clock.advance(1000);
    expect(await close(moderator, reportId, { closed: false })).toSucceed();
    expect(await close(moderator, reportId, { closed: false })).toFail(409, "wrongState");
    expect(await shown(reporter, reportId)).toMatchObject({ closed: false, outcome: null });
    const { messages } = (await as.user(reporter).get(`/api/thread/${threadId}`)).body;
    expect(messages.map(({ type, body, authorId }: never) => [type, body, authorId])).toEqual([
      ["text", { text: "Done", replying_to: null, isPrivate: false }, "moderator"],
      ["thread_closure", null, "moderator"],
      ["thread_reopen", null, "moderator"],
    ]);
    const notices = await db.selectFrom("notifications").selectAll().where("user_id", "=", reporter.id).execute();
    expect(notices.map(({ type }) => type)).toEqual(["report_reopened"]);
    expect(JSON.parse(notices[0]!.body)).toMatchObject({ reportId, threadId, itemType: "project", itemId: project.id });
  });

  test("is for moderators; the reporter is refused, and for others the report does not exist", async () => {
    const [reporter, other] = [await make.user(), await make.user()];
    const { reportId } = (await report(reporter)).body;
    expect(await close(reporter, reportId)).toFail(403, "moderatorOnly");
    expect(await close(other, reportId)).toFail(404, "reportNotFound");
    expect(await close(moderator, "AAAAAAAA")).toFail(404, "reportNotFound");
    for (const body of [{}, { closed: "yes" }, { closed: true, outcome: "fun" }, { closed: 1 }])
      expect(await close(moderator, reportId, body)).toFail(400, "invalidRequest");
    expect((await shown(reporter, reportId)).closed).toBe(false);
  });

  test("does not open an old report if the same person has a new one", async () => {
    const reporter = await make.user();
    const { reportId } = (await report(reporter)).body;
    await close(moderator, reportId);
    const newer = (await report(reporter)).body.reportId;
    const reply = await close(moderator, reportId, { closed: false });
    expect(reply).toFail(409, "wrongState");
    expect(reply.body.message).toContain(newer);
  });

  test("happens once when ten moderators close it in parallel", async () => {
    const { reportId, threadId } = (await report(await make.user())).body;
    const replies = await Promise.all(Array.from({ length: 10 }, () => close(moderator, reportId)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    const { messages } = (await as.user(moderator).get(`/api/thread/${threadId}`)).body;
    expect(messages).toHaveLength(1);
  });
});
