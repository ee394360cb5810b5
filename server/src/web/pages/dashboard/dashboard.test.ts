// The dashboard, as a browser without script uses it.
import { describe, expect, test } from "vitest";
import { toJson } from "#lib/json.js";
import type { TestUser } from "#test/callers/actors.js";
import { heading, location, readPage, submit, wrongWith } from "#test/callers/page-forms.js";
import { testApp, uniqueName } from "#test/server/harness.js";
import { makeOrg, makeProject, setProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";

const world = await testApp();
const { as, make, resources, clock } = world;
const day = 24 * 60 * 60 * 1000;

const notify = async (user: TestUser, type: string, body: Record<string, unknown>, age = 0): Promise<string> => {
  const id = uniqueName("n");
  const row = { id, user_id: user.id, type, group_key: null, body: toJson<unknown>(body), date_read: null };
  await resources.db
    .insertInto("notifications")
    .values({ ...row, date_created: clock.now() - age })
    .execute();
  return id;
};

test("every dashboard page redirects guests to the sign-in page, and is helpful while it is empty", async () => {
  const user = await make.user();
  const pages = [
    "",
    "/notifications",
    "/projects",
    "/organizations",
    "/collections",
    "/library",
    "/reports",
    "/analytics",
  ];
  for (const page of pages) {
    const path = `/dashboard${page}`;
    expect(location(await readPage(as.anyone, path)), path).toBe(`/auth/sign-in?next=${encodeURIComponent(path)}`);
    const reply = await readPage(as.user(user), path);
    expect(reply, path).toSucceed();
    const [, bar = ""] = reply.text.split('class="bottom-bar"');
    const marked = [...bar.matchAll(/href="([^"]+)" aria-current="(\w+)"/g)].map(([, to, how]) => `${to} ${how}`);
    const place = page === "/library" ? path : "/dashboard";
    expect(marked, path).toEqual([`${place} ${place === path ? "page" : "true"}`]);
    if (page !== "") expect(reply.text, path).toContain('class="empty-state"');
  }
});

describe("getDashboardPage", () => {
  test("shows a new member three next steps", async () => {
    const user = await make.user();
    const page = await readPage(as.user(user), "/dashboard");
    expect(page.text).toContain("Get started");
    expect(page.text).toContain('href="/settings#setup"');
  });

  test("lists invitations, rejected projects, drafts and expiring tokens, then the figures", async () => {
    const [user, owner] = [await make.user(), await make.user()];
    await makeProject(world, user, { name: "Turned down", status: "rejected" });
    await makeProject(world, user, { name: "Half done", status: "draft" });
    await makeProject(world, user, { name: "All fine" });
    await make.token(user, { scopes: [], dateExpires: clock.now() + 3 * day });
    const theirs = await makeProject(world, owner, { name: "Their secret", visibility: "private" });
    await as.user(owner).post(`/api/team/${theirs.teamId}/invite`, { userName: user.userName });
    const page = await readPage(as.user(user), "/dashboard");
    expect(page.text).toContain(`${owner.userName} invited you to join Their secret`);
    expect(page.text).toContain("Turned down was not approved");
    expect(page.text).toContain("Half done is a draft");
    expect(page.text).not.toContain("All fine");
    expect(page.text).toContain("expires on");
    expect(page.text).toContain("<dt>Projects</dt>");
  });
});

describe("submitInvitationAnswer", () => {
  const invited = async () => {
    const [user, owner] = [await make.user(), await make.user()];
    const { teamId, slug } = await makeProject(world, owner, { visibility: "private" });
    await as.user(owner).post(`/api/team/${teamId}/invite`, { userName: user.userName });
    return { user, teamId, slug };
  };

  test("joins the team, once", async () => {
    const { user, teamId, slug } = await invited();
    const reply = await submit(as.user(user), "/dashboard/invitation", { teamId, answer: "accept" });
    expect([reply.status, location(reply)]).toEqual([303, "/dashboard"]);
    expect(await as.user(user).get(`/api/project/${slug}`)).toSucceed();
    expect((await submit(as.user(user), "/dashboard/invitation", { teamId, answer: "accept" })).status).toBe(404);
  });

  test("declines, and never accepts users who were not invited", async () => {
    const { user, teamId, slug } = await invited();
    const stranger = await make.user();
    expect((await submit(as.user(stranger), "/dashboard/invitation", { teamId, answer: "accept" })).status).toBe(404);
    expect((await submit(as.user(user), "/dashboard/invitation", { teamId, answer: "decline" })).status).toBe(303);
    expect(await as.user(user).get(`/api/project/${slug}`)).toFail(404);
    expect((await submit(as.user(user), "/dashboard/invitation")).status).toBe(404);
  });
});

describe("getNotificationsPage and submitNotifications", () => {
  test("offer the new versions to download, and the invitation to answer, in place", async () => {
    const [user, owner] = [await make.user(), await make.user()];
    const project = await makeProject(world, owner, { name: "Lamps <3" });
    const version = await makeVersion(world, owner, project.id);
    await notify(user, "version_published", {
      projectId: project.id,
      versionIds: [version.id, "gone"],
      versionCount: 2,
    });
    await as.user(owner).post(`/api/team/${project.teamId}/invite`, { userName: user.userName });
    const page = await readPage(as.user(user), "/dashboard/notifications");
    expect(page.text).toContain("Lamps &lt;3");
    expect(page.text).toContain(`Download ${version.versionNumber}`);
    expect(page.text).toContain(`name="teamId" value="${project.teamId}"`);
    const german = await as.user(user).get("/dashboard/notifications", { headers: { "accept-language": "de" } });
    expect(german.text).toContain("hat 2 neue Versionen");
  });

  test("mark as read and delete, single ones or all; never another user's", async () => {
    const [user, other] = [await make.user(), await make.user()];
    const ids = [await notify(user, "report_closed", {}), await notify(user, "report_closed", {})];
    const foreign = await notify(other, "report_closed", {});
    const act = (fields: Record<string, string>) => submit(as.user(user), "/dashboard/notifications", fields);
    const left = async () => (await as.user(user).get("/api/notifications")).body.length as number;
    expect(location(await act({ act: "read", id: ids[0]! }))).toBe("/dashboard/notifications");
    expect(
      (await readPage(as.user(user), "/dashboard/notifications?show=unread")).text.match(/class="card stack"/g),
    ).toHaveLength(1);
    await act({ act: "delete", id: foreign });
    await act({ act: "deleteRead" });
    expect(await left()).toBe(1);
    await act({ act: "readAll", upTo: "nonsense" });
    await act({ act: "deleteRead" });
    expect(await left()).toBe(0);
    expect((await as.user(other).get("/api/notifications")).body).toHaveLength(1);
  });

  test("marking all leaves those that came after the page was shown", async () => {
    const user = await make.user();
    await notify(user, "report_closed", {}, 5000);
    const upTo = String(clock.now() - 2000);
    await notify(user, "report_reopened", {});
    await submit(as.user(user), "/dashboard/notifications", { act: "readAll", upTo });
    const page = await readPage(as.user(user), "/dashboard/notifications?show=unread");
    expect(page.text).toContain("reopened");
    expect(page.text).not.toContain("was closed");
  });

  test("are in pages", async () => {
    const user = await make.user();
    for (let n = 0; n < 51; n++) await notify(user, "report_closed", {}, n);
    expect((await readPage(as.user(user), "/dashboard/notifications")).text).toContain('rel="next"');
    const second = await readPage(as.user(user), "/dashboard/notifications?page=2");
    expect(second.text.match(/name="id"/g)).toHaveLength(1);
    expect((await readPage(as.user(user), "/dashboard/notifications?page=0")).status).toBe(400);
  });
});

test("getOwnProjectsPage, getOwnOrganizationsPage and getOwnCollectionsPage list hidden ones too", async () => {
  const user = await make.user();
  const project = await makeProject(world, user, { name: "مشروع", status: "draft", visibility: "private" });
  const org = await makeOrg(world, user);
  await as.user(user).post("/api/collections", { name: "My shelf", visibility: "private" });
  const projects = await readPage(as.user(user), "/dashboard/projects");
  expect(projects.text).toContain("مشروع");
  expect(projects.text).toContain("Draft");
  expect(projects.text).toContain(`/project/${project.slug}/settings`);
  expect((await readPage(as.user(user), "/dashboard/organizations")).text).toContain(`/organization/${org.slug}`);
  expect((await readPage(as.user(user), "/dashboard/collections")).text).toContain("My shelf");
  const stranger = await make.user();
  expect((await readPage(as.user(stranger), "/dashboard/projects")).text).not.toContain("مشروع");
});

describe("getLibraryPage and submitLibraryUnfollow", () => {
  test("show the followed projects and what is new for the set-up, and stop following", async () => {
    const [user, owner] = [await make.user(), await make.user()];
    const project = await makeProject(world, owner, { name: "Followed one" });
    const version = await makeVersion(world, owner, project.id);
    await as.user(user).post(`/api/project/${project.id}/follow`);
    const { gameVersions } = (await as.anyone.get(`/api/project/${project.slug}`)).body.project;
    const cookie = (setup: string) => as.user(user).with({ cookie: `auth-token=${user.sessionToken}; setup=${setup}` });
    const plain = await readPage(as.user(user), "/dashboard/library");
    expect(plain.text).toContain("Followed one");
    expect(plain.text).not.toContain("for your setup");
    const fitting = await readPage(cookie(`${gameVersions[0]}|`), "/dashboard/library");
    expect(fitting.text).toContain("New for your setup");
    expect(fitting.text).toContain(`Download ${version.versionNumber}`);
    expect((await readPage(cookie("0.0.0|"), "/dashboard/library")).text).toContain("No version for your setup");
    for (let times = 0; times < 2; times++)
      expect(location(await submit(as.user(user), "/dashboard/library", { projectId: project.id }))).toBe(
        "/dashboard/library",
      );
    expect((await readPage(as.user(user), "/dashboard/library")).text).toContain("You do not follow any projects yet");
    expect((await submit(as.user(user), "/dashboard/library", { projectId: "nothing" })).status).toBe(404);
  });
});

describe("getOwnReportsPage, getOwnReportPage and submitOwnReportMessage", () => {
  test("show the user's reports and let them write; no other user sees them", async () => {
    const [user, owner] = [await make.user(), await make.user()];
    const project = await makeProject(world, owner);
    const body = "This is <b>not</b> their own work at all";
    const report = { reportType: "reuploaded_work", itemType: "project", itemId: project.id, body };
    const reportId = (await as.user(user).post("/api/report", report)).body.reportId as string;
    const list = await readPage(as.user(user), "/dashboard/reports");
    expect(list.text).toContain(`/dashboard/report/${reportId}`);
    const path = `/dashboard/report/${reportId}`;
    expect((await readPage(as.user(user), path)).text).toContain("This is &lt;b>not&lt;/b> their own work");
    for (const page of [await readPage(as.user(owner), path), await submit(as.user(owner), path, { message: "x" })])
      expect(page.status).toBe(404);
    expect(location(await submit(as.user(user), path, { message: "Here is <i>proof</i>" }))).toBe(path);
    const page = await readPage(as.user(user), path);
    expect(page.text).toContain("Here is &lt;i>proof&lt;/i>");
    const long = await submit(as.user(user), path, { message: "x".repeat(3000) });
    expect([long.status, Boolean(wrongWith(long, "message"))]).toEqual([400, true]);
    expect(long.text).toContain("x".repeat(3000));
    await resources.db.updateTable("reports").set({ closed: 1 }).where("id", "=", reportId).execute();
    const late = await submit(as.user(user), path, { message: "One more thing" });
    expect(late.status).toBe(409);
    expect(late.text).toContain("One more thing");
    expect((await readPage(as.user(user), path)).text).not.toContain('name="message"');
  });

  test("name the reported content as long as the reporter can see it", async () => {
    const [user, owner] = [await make.user(), await make.user()];
    const project = await makeProject(world, owner, { name: "Stolen lamps" });
    for (const [itemType, itemId] of [
      ["project", project.id],
      ["user", owner.id],
    ])
      await as.user(user).post("/api/report", { reportType: "spam", itemType, itemId, body: "Look at that please" });
    const pages = async () => {
      const list = await readPage(as.user(user), "/dashboard/reports");
      const links = [...list.text.matchAll(/href="(\/dashboard\/report\/\w+)"/g)].map(([, link]) => link!);
      const single = await Promise.all(links.map(async (link) => (await readPage(as.user(user), link)).text));
      return [list.text, ...single].join("");
    };
    const seen = await pages();
    expect(seen).toContain("Stolen lamps");
    expect(seen).toContain(`href="/project/${project.slug}"`);
    expect(seen).toContain(`href="/user/${owner.userName}"`);
    await setProject(world, project.id, { visibility: "private" });
    const hidden = await pages();
    expect(hidden).not.toContain("Stolen lamps");
    expect(hidden).toContain(owner.userName);
  });
});

test("getAnalyticsPage sums the views and downloads of the user's projects, as a chart and a table", async () => {
  const user = await make.user();
  const project = await makeProject(world, user, { name: "Counted" });
  const version = await makeVersion(world, user, project.id);
  const yesterday = Math.floor(clock.now() / day) - 1;
  await resources.db
    .insertInto("download_days")
    .values(
      [1234, 17].map((count, at) => ({
        ...{ version_id: version.id, project_id: project.id, day: yesterday + at, country: "", count },
      })),
    )
    .execute();
  await resources.db
    .insertInto("view_days")
    .values({ project_id: project.id, day: yesterday, country: "DE", count: 2345 })
    .execute();
  expect((await readPage(as.user(user), "/dashboard")).text).toMatch(/Downloads today<\/dt><dd title="17">/);
  const page = await readPage(as.user(user), "/dashboard/analytics?range=previous_90_days");
  expect(heading(page)).toBe("Analytics");
  expect(page.text).toContain("<svg");
  expect(page.text).toMatch(/Counted<\/a><\/bdi><\/th><td[^>]*>2,345<\/td><td[^>]*>1,251<\/td>/);
  expect(page.text).toMatch(/<td[^>]*>2,345<\/td><td[^>]*>1,234<\/td>/);
  expect(page.text).toContain("<dt>Downloads today, so far</dt><dd>17</dd>");
  expect(page.text).toMatch(/Germany<\/th><td[^>]*>2,345</);
  expect(page.text).toContain("format=csv");
  expect((await readPage(as.user(user), "/dashboard/analytics?range=nonsense")).status).toBe(200);
  expect((await (await as.token(user, { scopes: ["project_read"] })).get("/dashboard/analytics")).status).toBe(403);
});
