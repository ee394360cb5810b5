// The other parts of the moderation desk: reports, files, users and the log.
import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Actor, Reply, TestUser } from "#test/callers/actors.js";
import { submit } from "#test/callers/page-forms.js";
import { testApp } from "#test/server/harness.js";
import { countStatements } from "#test/server/statement-count.js";
import { makeProject } from "#test/worlds/content.js";
import { look, queueProject } from "#test/worlds/desk-world.js";
import { makeVersion } from "#test/worlds/versions.js";

const world = await testApp();
const { as, make, resources } = world;
const { db } = resources;
const owner = await make.user();
const moderator = await make.user({ role: "moderator" });
const other = await make.user({ role: "moderator" });
const admin = await make.user({ role: "admin" });
const desk = as.user(moderator);
const office = as.user(admin);

const wrongWith = (page: Reply, name: string): string | undefined =>
  new RegExp(`id="${name}-wrong">([^<]*)<`).exec(page.text)?.[1];

async function report(reporter: TestUser, itemType: string, itemId: string, reportType = "spam") {
  const body = { reportType, itemType, itemId, body: "This is <b>not</b> what it says" };
  const { reportId } = (await as.user(reporter).post("/api/report", body)).body;
  const row = await db.selectFrom("reports").selectAll().where("id", "=", reportId).executeTakeFirstOrThrow();
  return { id: row.id, caseId: row.case_id! };
}

describe("access", () => {
  test.each([
    ["getReportsPage", "/moderation/reports"],
    ["getCasePage", "/moderation/report/aaaaaaaa"],
    ["getFilesPage", "/moderation/files"],
    ["getQuarantinePage", "/moderation/quarantine?versionId=aaaaaaaa"],
    ["getModeratedUsersPage", "/moderation/users"],
    ["getModeratedUserPage", "/moderation/user/aaaaaaaa"],
    ["getEndSessionsPage", "/moderation/user/aaaaaaaa/sign-out"],
    ["getRolePage", "/moderation/user/aaaaaaaa/role"],
    ["getModerationLogPage", "/moderation/log"],
  ])("%s redirects guests to the sign-in page and does not exist for members", async (_id, path) => {
    expect((await look(as.anyone, path)).headers.get("location")).toMatch(/^\/auth\/sign-in\?next=/);
    expect((await look(as.user(owner), path)).status).toBe(404);
  });

  test.each([
    ["submitCaseClaim", "/moderation/report/aaaaaaaa/claim"],
    ["submitCaseRelease", "/moderation/report/aaaaaaaa/release"],
    ["submitCaseClose", "/moderation/report/aaaaaaaa/close"],
    ["submitReportClose", "/moderation/report/aaaaaaaa/close/bbbbbbbb"],
    ["submitReportReopen", "/moderation/report/aaaaaaaa/reopen/bbbbbbbb"],
    ["submitCaseMessage", "/moderation/report/aaaaaaaa/say/bbbbbbbb"],
    ["submitQuarantine", "/moderation/quarantine"],
    ["submitQuarantineLift", "/moderation/quarantine/aaaaaaaa/lift"],
    ["submitContentDenial", "/moderation/files/deny"],
    ["submitContentAllowance", "/moderation/files/allow"],
    ["submitSuspension", `/moderation/user/${moderator.userName}/suspend`],
    ["submitUnsuspension", `/moderation/user/${moderator.userName}/unsuspend`],
    ["submitEndSessions", `/moderation/user/${moderator.userName}/sign-out`],
    ["submitRole", `/moderation/user/${moderator.userName}/role`],
  ])("%s accepts no form of members", async (_id, path) => {
    expect((await submit(as.user(owner), path, { role: "admin" })).status).toBe(404);
    expect((await submit(as.anyone, path, { role: "admin" })).status).toBe(401);
  });
});

describe("reports", () => {
  test("getReportsPage groups reports by their target, urgent ones first", async () => {
    const [one, two] = [await make.user(), await make.user()];
    const calm = await makeProject(world, owner, { name: "Calm thing" });
    const hot = await makeProject(world, owner, { name: "Hot thing" });
    await report(one!, "project", calm.id);
    await report(one!, "project", hot.id, "malicious");
    await report(two!, "project", hot.id);
    const { text } = await look(desk, "/moderation/reports");
    expect(text.indexOf("Hot thing")).toBeLessThan(text.indexOf("Calm thing"));
    expect(text).toContain("2 reports");
    expect((await look(desk, "/moderation/reports?about=user")).text).not.toContain("Hot thing");
    expect((await look(desk, "/moderation/reports?status=closed")).text).not.toContain("Hot thing");
    expect((await look(desk, "/moderation/reports?status=x&about=%00")).status).not.toBe(500);
  });

  test("getCasePage shows reports with their threads; the path of a report redirects to its case", async () => {
    const project = await makeProject(world, owner, { name: "Reported <thing>" });
    const { id, caseId } = await report(await make.user(), "project", project.id);
    expect((await look(desk, `/moderation/report/${id}`)).headers.get("location")).toBe(
      `/moderation/report/${caseId}#report-${id}`,
    );
    const page = await look(desk, `/moderation/report/${caseId}`);
    expect(page.text).toContain("Reported &lt;thing>");
    expect(page.text).toContain("This is &lt;b>not&lt;/b> what it says");
    expect((await look(desk, "/moderation/report/AAAAAAAA")).status).toBe(404);
  });

  test("submitCaseClaim, submitCaseClose: the claiming moderator closes it, and the reporter is told", async () => {
    const reporter = await make.user();
    const project = await makeProject(world, owner);
    const { id, caseId } = await report(reporter, "project", project.id);
    const path = `/moderation/report/${caseId}`;
    expect((await submit(desk, `${path}/claim`)).status).toBe(303);
    expect((await submit(as.user(other), `${path}/claim`)).status).toBe(409);
    expect((await submit(as.user(other), `${path}/close`)).status).toBe(409);
    expect((await look(as.user(other), path)).text).toContain(`${moderator.userName} has claimed this`);
    const bad = await submit(desk, `${path}/close`, { outcome: "made up", message: "typed this" });
    expect(bad.status).toBe(400);
    expect(wrongWith(bad, "outcome")).toMatch(/\w/);
    expect(bad.text).toContain("typed this");
    expect((await submit(desk, `${path}/close`, { outcome: "action_taken", message: "Thanks" })).status).toBe(303);
    const row = await db.selectFrom("reports").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    expect(row).toMatchObject({ closed: 1, outcome: "action_taken" });
    const told = await db.selectFrom("notifications").select("type").where("user_id", "=", reporter.id).execute();
    expect(told).toEqual([{ type: "report_closed" }]);
  });

  test("submitCaseRelease drops the claim; submitReportClose and submitReportReopen act on one report", async () => {
    const project = await makeProject(world, owner);
    const [first, second] = [
      await report(await make.user(), "project", project.id),
      await report(await make.user(), "project", project.id),
    ];
    const path = `/moderation/report/${first.caseId}`;
    await submit(desk, `${path}/claim`);
    expect((await submit(desk, `${path}/release`)).status).toBe(303);
    expect((await submit(desk, `${path}/release`)).status).toBe(409);
    expect((await submit(desk, `${path}/close/${first.id}`)).status).toBe(303);
    expect((await submit(desk, `${path}/close/${first.id}`)).status).toBe(409);
    expect((await submit(desk, `${path}/reopen/${first.id}`)).status).toBe(303);
    const elsewhere = await report(await make.user(), "user", owner.id);
    expect((await submit(desk, `${path}/close/${elsewhere.id}`)).status).toBe(404);
    expect(second.caseId).toBe(first.caseId);
  });

  test("submitCaseMessage answers the reporter, or adds an internal note", async () => {
    const project = await makeProject(world, owner);
    const { id, caseId } = await report(await make.user(), "project", project.id);
    const path = `/moderation/report/${caseId}/say/${id}`;
    const blank = await submit(desk, path, { say: " " });
    expect(blank.status).toBe(400);
    expect(wrongWith(blank, `say-${id}`)).toMatch(/\w/);
    expect((await submit(desk, path, { say: "We look at it" })).status).toBe(303);
    expect((await submit(desk, path, { say: "Known for this", private: "on" })).status).toBe(303);
    const { text } = await look(as.user(other), `/moderation/report/${caseId}`);
    expect(text).toContain("We look at it");
    expect(text).toContain("Private note");
    await submit(desk, `/moderation/report/${caseId}/close`, {});
    const late = await submit(desk, path, { say: "One more thing" });
    expect(late.status).toBe(409);
    expect(late.text).toContain("One more thing");
  });
});

describe("files", () => {
  test("getFilesPage finds a file by either hash, and says if the text is not a hash", async () => {
    const project = await queueProject(world, owner, { name: "Has the file" });
    const file = await db
      .selectFrom("version_files")
      .select("sha1")
      .where("version_id", "=", project.versionId)
      .executeTakeFirstOrThrow();
    const sha1 = Buffer.from(file.sha1).toString("hex");
    for (const hash of [project.sha512, project.sha512.toUpperCase(), sha1])
      expect((await look(desk, `/moderation/files?hash=${hash}`)).text).toContain("Has the file");
    expect((await look(desk, `/moderation/files?hash=${"0".repeat(128)}`)).text).toContain("No version has this file");
    const bad = await look(desk, "/moderation/files?hash=%3Cb%3E");
    expect(bad.status).toBe(400);
    expect(wrongWith(bad, "hash")).toMatch(/hexadecimal/);
  });

  test("getQuarantinePage, submitQuarantine, submitQuarantineLift: a version is withheld and restored", async () => {
    const project = await makeProject(world, owner);
    const version = await makeVersion(world, owner, project.id);
    const { caseId } = await report(await make.user(), "version", version.id);
    const quarantineLink = `/moderation/quarantine?versionId=${version.id}&amp;case=${caseId}`;
    const open = await look(desk, `/moderation/report/${caseId}`);
    expect(open.text).toContain(quarantineLink);
    expect(open.text).toContain(`/project/${project.id}/version/${version.id}"`);
    const confirm = await look(desk, `/moderation/quarantine?versionId=${version.id}`);
    expect(confirm.text).toContain("1 version has this file");
    const blank = await submit(desk, "/moderation/quarantine", { versionId: version.id, reason: "" });
    expect(blank.status).toBe(400);
    expect(wrongWith(blank, "reason")).toMatch(/\w/);
    const done = await submit(desk, "/moderation/quarantine", { versionId: version.id, reason: "Reads passwords" });
    expect(done.headers.get("location")).toBe("/moderation/files");
    expect(await as.anyone.get(`/api/project/${project.id}/version/${version.id}`)).toFail(404, "versionNotFound");
    const again = await submit(desk, "/moderation/quarantine", { versionId: version.id, reason: "Once more" });
    expect(again.status).toBe(409);
    expect(again.text).toContain("Once more");
    const { id } = await db
      .selectFrom("quarantines")
      .select("id")
      .where("version_id", "=", version.id)
      .executeTakeFirstOrThrow();
    const held = await look(desk, `/moderation/report/${caseId}`);
    expect(held.text).not.toContain(quarantineLink);
    expect(held.text).toContain("quarantined");
    const files = await look(desk, "/moderation/files");
    expect(files.text).toContain("Reads passwords");
    expect(files.text).toContain(`/version/${version.id}"`);
    expect((await submit(desk, `/moderation/quarantine/${id}/lift`)).status).toBe(303);
    expect(await as.anyone.get(`/api/project/${project.id}/version/${version.id}`)).toSucceed();
    expect((await look(desk, "/moderation/quarantine?versionId=AAAAAAAA")).status).toBe(404);
    expect((await look(desk, "/moderation/quarantine")).status).toBe(404);
  });

  test("submitContentDenial and submitContentAllowance, by hash and with a reason", async () => {
    const hash = randomBytes(64).toString("hex");
    const bad = await submit(desk, "/moderation/files/deny", { hash: "zz", reason: "Kept text" });
    expect(bad.status).toBe(400);
    expect(wrongWith(bad, "hash")).toMatch(/\w/);
    expect(bad.text).toContain("Kept text");
    expect((await submit(desk, "/moderation/files/deny", { hash, reason: "Does harm" })).status).toBe(303);
    expect((await submit(desk, "/moderation/files/deny", { hash, reason: "Does harm" })).status).toBe(409);
    expect((await look(desk, `/moderation/files?hash=${hash}`)).text).toContain("Does harm");
    expect((await submit(desk, "/moderation/files/allow", { hash })).status).toBe(303);
    expect((await submit(desk, "/moderation/files/allow", { hash })).status).toBe(404);
    expect((await submit(desk, "/moderation/files/allow", { hash: "zz" })).status).toBe(400);
  });

  test("submitQuarantine of a file can deny its content too", async () => {
    const project = await queueProject(world, owner);
    const fields = { sha512: project.sha512, reason: "Stolen", deny: "on" };
    const done = await submit(desk, "/moderation/quarantine", fields);
    expect(done.headers.get("location")).toBe(`/moderation/files?hash=${project.sha512}`);
    const page = await look(desk, done.headers.get("location")!);
    expect(page.text).toContain("Quarantined");
    expect(page.text).toContain("Blocked: it cannot be uploaded again");
  });
});

describe("users", () => {
  const find = (actor: Actor, q: string) => look(actor, `/moderation/users?q=${encodeURIComponent(q)}`);

  test("getModeratedUsersPage finds by the beginnings of words in the name, never by email", async () => {
    const user = await make.user({ userName: `Wild_${randomBytes(4).toString("hex")}` });
    for (const q of [user.userName.slice(0, 9).toUpperCase(), user.userName.slice(5), user.userName.replace("_", "")])
      expect((await find(desk, q)).text).toContain(user.userName);
    expect((await find(desk, user.userName.slice(1))).text).not.toContain(`/moderation/user/${user.userName}`);
    expect((await find(desk, user.email)).text).not.toContain(`/moderation/user/${user.userName}`);
    expect((await find(desk, "%")).text).toContain("No users found");
    expect((await find(desk, "\\")).text).toContain("No users found");
    expect((await look(desk, "/moderation/users?role=admin")).text).not.toContain(user.userName);
  });

  test("getModeratedUserPage shows projects; submitSuspension and submitUnsuspension need a reason", async () => {
    const user = await make.user();
    const project = await makeProject(world, user, { name: "User project", visibility: "private" });
    const path = `/moderation/user/${user.userName}`;
    expect((await look(desk, path)).text).toContain(`/moderation/queue/${project.id}`);
    expect((await look(desk, path)).text).toContain(`href="${path}/suspend"`);
    const asked = await look(desk, `${path}/suspend`);
    expect(asked.text).toContain(`<h1 dir="auto">Suspend ${user.userName}?</h1>`);
    expect(asked.text).toContain("Published projects stay online");
    const blank = await submit(desk, `${path}/suspend`, { reason: "" });
    expect(blank.status).toBe(400);
    expect(wrongWith(blank, "reason")).toMatch(/\w/);
    expect((await submit(desk, `${path}/suspend`, { reason: "Steals <work>" })).status).toBe(303);
    expect((await look(desk, path)).text).toContain("Steals &lt;work>");
    expect((await look(desk, `${path}/suspend`)).status).toBe(303);
    expect((await as.user(user).get("/api/user")).status).not.toBe(200);
    for (const q of ["", user.userName])
      expect((await look(desk, `/moderation/users?suspended=on&q=${q}`)).text).toContain(user.userName);
    expect((await submit(desk, `${path}/unsuspend`)).status).toBe(303);
    expect((await find(desk, user.userName)).text).toContain(path);
    expect(await as.user(user).get("/api/user")).toSucceed();
    expect((await look(desk, "/moderation/user/nobody-here")).status).toBe(404);
  });

  test("getEndSessionsPage asks for confirmation, submitEndSessions ends all sessions", async () => {
    const user = await make.user();
    const path = `/moderation/user/${user.userName}/sign-out`;
    expect((await look(desk, path)).text).toContain("Sign out everywhere");
    expect(await as.user(user).get("/api/user")).toSucceed();
    expect((await submit(desk, path)).status).toBe(303);
    expect((await as.user(user).get("/api/user")).status).toBe(401);
  });

  test("getSuspensionPage is not about staff of the same rank", async () => {
    expect((await look(desk, `/moderation/user/${other.userName}/suspend`)).status).toBe(303);
    expect((await look(as.user(owner), `/moderation/user/${other.userName}/suspend`)).status).toBe(404);
  });

  test("submitSuspension, submitEndSessions: not about moderators by moderators, nor administrators", async () => {
    for (const target of [other, admin]) {
      const path = `/moderation/user/${target.userName}`;
      expect((await submit(desk, `${path}/suspend`, { reason: "Because" })).status).toBe(403);
      expect((await submit(desk, `${path}/sign-out`)).status).toBe(403);
    }
    const second = await make.user({ role: "admin" });
    expect((await submit(office, `/moderation/user/${second.userName}/suspend`, { reason: "Because" })).status).toBe(
      403,
    );
  });

  test("getRolePage and submitRole are for administrators, and not about administrators", async () => {
    const user = await make.user();
    const path = `/moderation/user/${user.userName}/role`;
    expect((await look(desk, `${path}?role=moderator`)).status).toBe(404);
    expect((await submit(desk, path, { role: "moderator" })).status).toBe(404);
    expect((await look(office, `${path}?role=admin`)).text).toContain("Administrators can see and change everything");
    expect((await look(office, `${path}?role=king`)).status).toBe(303);
    expect((await submit(office, path, { role: "king" })).status).toBe(400);
    expect((await submit(office, path, { role: "moderator" })).status).toBe(303);
    expect((await look(as.user(user), "/moderation")).status).toBe(200);
    expect((await submit(office, path, { role: "moderator" })).status).toBe(409);
    expect((await submit(office, `/moderation/user/${admin.userName}/role`, { role: "user" })).status).toBe(403);
  });
});

describe("getModerationLogPage", () => {
  test("shows moderators the actions of moderators, and administrators all actions with an export", async () => {
    const user = await make.user();
    await submit(desk, `/moderation/user/${user.userName}/suspend`, { reason: "For the <log>" });
    const seen = await look(desk, "/moderation/log?action=user.suspend");
    expect(seen.text).toContain("For the &lt;log>");
    expect(seen.text).not.toContain("audit.csv");
    expect((await look(desk, "/moderation/log")).text).not.toContain("session.create");
    const all = await look(office, "/moderation/log");
    expect(all.text).toContain("/api/moderation/audit.csv");
    expect((await look(office, "/moderation/log?actor=&action=&since=")).status).toBe(200);
  });

  test("has sentences with links, above the folded record", async () => {
    const user = await make.user();
    const project = await makeProject(world, user, { name: "Linked <project>" });
    const version = await makeVersion(world, user, project.id);
    await submit(desk, "/moderation/quarantine", { versionId: version.id, reason: "It is <odd>" });
    await submit(desk, `/moderation/user/${user.userName}/suspend`, { reason: "Spam" });
    const suspended = (await look(desk, "/moderation/log?action=user.suspend")).text;
    const who = `<a href="/moderation/user/${moderator.userName}" dir="auto">${moderator.userName}</a>`;
    expect(suspended).toContain(
      `<p>${who} suspended <a href="/moderation/user/${user.userName}" dir="auto">${user.userName}</a>: `,
    );
    expect(suspended).toContain(`<option value="user.suspend" selected>`);
    const held = (await look(desk, "/moderation/log?objectKind=quarantine")).text;
    expect(held).toContain(
      `${who} quarantined <a href="/project/${project.slug}/version/${version.id}" dir="auto">Linked &lt;project> `,
    );
    expect(held).toMatch(/<details[^>]*><summary>Full record<\/summary><pre[^>]*><code>\{/);
    const made = (await look(office, `/admin/audit?action=project.create&objectId=${project.id}`)).text;
    expect(made).toContain(`</a> created <a href="/project/${project.slug}" dir="auto">Linked &lt;project></a>`);
    expect(made).toContain('data-suggest="/dashboard/people"');
  });

  test("costs the same number of statements, however many objects the entries name", async () => {
    const count = () => countStatements(db, () => look(office, "/admin/audit"));
    const before = await count();
    for (let at = 0; at < 5; at++) await makeProject(world, await make.user());
    expect(await count()).toBeLessThanOrEqual(before);
  });

  test("names a filter that is invalid", async () => {
    const page = await look(desk, "/moderation/log?since=yesterday&action=%25");
    expect(page.status).toBe(400);
    expect(page.text).toContain('href="#since"');
    expect(page.text).toContain('value="yesterday"');
  });
});
