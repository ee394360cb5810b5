// Uploads to continue with, notifications by group, and changes to several projects at once.
import { describe, expect, test } from "vitest";
import { toJson } from "#lib/json.js";
import type { TestUser } from "#test/callers/actors.js";
import { location, readPage, submit, wrongWith } from "#test/callers/page-forms.js";
import { testApp, uniqueName } from "#test/server/harness.js";
import { addMember, makeOrg, makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";

const world = await testApp();
const { as, make, resources, clock } = world;

const notify = async (user: TestUser, type: string, body: Record<string, unknown>, isRead = false): Promise<string> => {
  const id = uniqueName("n");
  const row = { id, user_id: user.id, type, group_key: null, body: toJson<unknown>(body) };
  await resources.db
    .insertInto("notifications")
    .values({ ...row, date_created: clock.now(), date_read: isRead ? clock.now() : null })
    .execute();
  return id;
};

describe("getUploadPage and submitUploadDiscard", () => {
  const begin = async (user: TestUser) =>
    (await as.user(user).post("/api/upload", { name: "lamps.jar", size: 5000 })).body.upload.id as string;

  test("offer the projects that the file can become a version of, and a new one", async () => {
    const user = await make.user();
    const id = await begin(user);
    const own = await makeProject(world, user, { name: "Mine" });
    const archived = await makeProject(world, user, { visibility: "archived" });
    const [boss, org] = await make.user().then(async (other) => [other, await makeOrg(world, other)] as const);
    const inside = await makeProject(world, boss, { orgId: org.id });
    const closed = await makeProject(world, boss);
    await addMember(world, org.teamId, user, { permissions: ["upload_version"] });
    await addMember(world, closed.teamId, user, { permissions: ["edit_details"] });
    expect((await readPage(as.user(user), "/dashboard")).text).toContain(`/dashboard/upload/${id}`);
    const { text } = await readPage(as.user(user), `/dashboard/upload/${id}`);
    for (const { slug } of [own, inside]) expect(text).toContain(`/project/${slug}/version/new?upload=${id}`);
    for (const { slug } of [archived, closed]) expect(text).not.toContain(`/project/${slug}/version/new`);
    expect(text).toContain(`/new?upload=${id}`);
    expect(text).toContain("lamps.jar");
  });

  test("offer a refused file to no project, and say why it was refused", async () => {
    const user = await make.user();
    const actor = as.user(user);
    await makeProject(world, user);
    const id = (await actor.post("/api/upload", { name: "notajar.jar", size: 7 })).body.upload.id as string;
    const part = { offset: "0", part: new File(["nothing"], "part") };
    expect(await actor.form("PATCH", `/api/upload/${id}`, part)).toSucceed();
    expect((await actor.post(`/api/upload/${id}/finish`, {})).body.upload.file.problem).toContain("was rejected");
    for (const path of ["/dashboard", `/dashboard/upload/${id}`]) {
      const { text } = await readPage(actor, path);
      expect(text).toContain("notajar.jar was rejected");
      expect(text).toContain("Choose another file, or discard this one.");
      expect(text).toContain("Discard");
      for (const words of ["kept until", ">Continue</a>", "A new version of"]) expect(text).not.toContain(words);
    }
  });

  test("discard a file, once; another user's is not found", async () => {
    const [user, other] = [await make.user(), await make.user()];
    const id = await begin(user);
    const path = `/dashboard/upload/${id}`;
    expect((await readPage(as.user(other), path)).status).toBe(404);
    expect((await submit(as.user(other), path)).status).toBe(404);
    expect(location(await submit(as.user(user), path))).toBe("/dashboard");
    expect((await submit(as.user(user), path)).status).toBe(404);
    expect((await readPage(as.user(user), "/dashboard")).text).not.toContain(path);
  });
});

describe("getNotificationsPage and getNotificationHistoryPage", () => {
  test("separate unread from read ones, and can show one group only", async () => {
    const user = await make.user();
    await notify(user, "report_closed", {});
    await notify(user, "token_expiring", { tokenName: "Old key", daysLeft: 3 });
    await notify(user, "report_reopened", {}, true);
    const page = async (path: string) => (await readPage(as.user(user), `/dashboard/notifications${path}`)).text;
    expect(await page("")).toContain("was closed");
    expect(await page("")).not.toContain("reopened");
    expect(await page("/history")).toContain("reopened");
    expect(await page("/history")).not.toContain("was closed");
    expect(await page("?kind=account")).toContain("Old key");
    expect(await page("?kind=account")).not.toContain("was closed");
    expect(await page("?kind=review")).toContain("Nothing new");
    expect(await page("?kind=nonsense")).toContain("was closed");
  });

  test("group those of one project", async () => {
    const user = await make.user();
    const project = await makeProject(world, user, { name: "Lamps" });
    for (const new_status of ["approved", "withheld"])
      await notify(user, "status_change", { projectId: project.id, new_status });
    const { text } = await readPage(as.user(user), "/dashboard/notifications");
    expect(text.match(/class="card stack"/g)).toHaveLength(1);
    expect(text.match(/name="act" value="delete"/g)).toHaveLength(2);
  });
});

describe("submitNotifications mutes", () => {
  test("the versions of a project, and nothing else", async () => {
    const [user, owner] = [await make.user(), await make.user()];
    const [loud, other] = [await makeProject(world, owner), await makeProject(world, owner)];
    for (const { id } of [loud, other]) await as.user(user).post(`/api/project/${id}/follow`);
    const version = await makeVersion(world, owner, loud.id);
    const body = { projectId: loud.id, versionIds: [version.id], versionCount: 1 };
    const id = await notify(user, "version_published", body);
    expect((await readPage(as.user(user), "/dashboard/notifications")).text).toContain("Mute this project");
    await submit(as.user(user), "/dashboard/notifications", { act: "mute", id });
    const follows = (await as.user(user).get("/api/user/follows/preferences")).body as unknown;
    expect(JSON.stringify(follows)).toContain('"none"');
    expect((await as.user(user).get("/api/notifications/settings")).body.muted).toEqual([]);
    expect((await as.user(user).get("/api/notifications/unread-count")).body).toMatchObject({ unread: 0 });
  });

  test("invitations as a type", async () => {
    const user = await make.user();
    const id = await notify(user, "organization_invite", { teamId: "x" });
    await submit(as.user(user), "/dashboard/notifications", { act: "mute", id });
    expect((await as.user(user).get("/api/notifications/settings")).body.muted).toEqual(["organization_invite"]);
  });

  test("no notification of another user, and never messages of moderators", async () => {
    const [user, other] = [await make.user(), await make.user()];
    const foreign = await notify(other, "team_invite", {});
    const important = await notify(user, "status_change", { new_status: "rejected" });
    for (const id of [foreign, important, "nothing"])
      expect((await submit(as.user(user), "/dashboard/notifications", { act: "mute", id })).status).toBe(303);
    for (const each of [user, other])
      expect((await as.user(each).get("/api/notifications/settings")).body.muted).toEqual([]);
  });
});

describe("getOwnProjectsPage and submitOwnProjects", () => {
  const shown = async (user: TestUser, id: string) => (await as.user(user).get(`/api/project/${id}`)).body.project;

  test("change links and visibility of the ticked projects, and leave empty fields", async () => {
    const user = await make.user();
    const [first, second, third] = [
      await makeProject(world, user),
      await makeProject(world, user),
      await makeProject(world, user),
    ];
    await as.user(user).patch(`/api/project/${first.id}/external-links`, {
      ...{ wikiPage: "https://wiki.example/a", discordServer: "https://chat.example/a" },
    });
    const reply = await submit(as.user(user), "/dashboard/projects", {
      project: [first.id, second.id],
      visibility: "unlisted",
      sourceCode: "https://code.example/repo",
      clear: ["discordServer"],
    });
    expect(location(reply)).toBe("/dashboard/projects?done=2");
    expect((await readPage(as.user(user), location(reply)!)).text).toContain("2 projects were changed.");
    for (const { id } of [first, second])
      expect(await shown(user, id)).toMatchObject({
        ...{ visibility: "unlisted", projectSourceUrl: "https://code.example/repo", discordInviteUrl: null },
      });
    expect((await shown(user, first.id)).projectWikiUrl).toBe("https://wiki.example/a");
    expect(await shown(user, third.id)).toMatchObject({ visibility: "listed", projectSourceUrl: null });
  });

  test("show problems of the form beside its fields, and change nothing", async () => {
    const user = await make.user();
    const { id } = await makeProject(world, user);
    for (const issueTracker of ["javascript:alert(1)", "no address"]) {
      const page = await submit(as.user(user), "/dashboard/projects", {
        project: id,
        issueTracker,
        visibility: "private",
      });
      expect([page.status, Boolean(wrongWith(page, "issueTracker"))]).toEqual([400, true]);
      expect(page.text).toContain(issueTracker);
    }
    expect((await shown(user, id)).visibility).toBe("listed");
    expect((await submit(as.user(user), "/dashboard/projects", { project: id, visibility: "nowhere" })).status).toBe(
      400,
    );
    expect((await submit(as.user(user), "/dashboard/projects", { visibility: "private" })).status).toBe(400);
  });

  test("change the projects that the user may change, and name the others", async () => {
    const [user, owner] = [await make.user(), await make.user()];
    const own = await makeProject(world, user, { name: "Own one" });
    const theirs = await makeProject(world, owner, { name: "Their one" });
    await addMember(world, theirs.teamId, user, { permissions: ["upload_version"] });
    const secret = await makeProject(world, owner, { name: "Secret one", visibility: "private" });
    const page = await submit(as.user(user), "/dashboard/projects", {
      project: [own.id, theirs.id, secret.id],
      visibility: "unlisted",
    });
    expect(page.status).toBe(409);
    expect(page.text).toContain("Their one:");
    expect(page.text).not.toContain("Secret one");
    expect((await shown(user, own.id)).visibility).toBe("unlisted");
    expect((await shown(owner, theirs.id)).visibility).toBe("listed");
    expect((await shown(owner, secret.id)).visibility).toBe("private");
  });

  test("list the projects of the user's organizations too, with the last version", async () => {
    const [boss, member] = [await make.user(), await make.user()];
    const org = await makeOrg(world, boss);
    const project = await makeProject(world, boss, { orgId: org.id, name: "Common work", status: "draft" });
    await makeVersion(world, boss, project.id, { versionNumber: "4.5.6" });
    await addMember(world, org.teamId, member);
    const { text } = await readPage(as.user(member), "/dashboard/projects");
    expect(text).toContain("Common work");
    expect(text).toContain("latest version 4.5.6");
  });
});
