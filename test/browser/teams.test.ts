// Teams and their pending items in a real browser: transfers, suggestions, the dashboard's pages.
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { beginTotp, confirmTotp } from "#accounts/second-factor/write.js";
import { write } from "#platform/changes/write.js";
import { uniqueName } from "#test/server/harness.js";
import { addMember, makeOrg, makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";
import { expectAccessible, expectFits, openSite, phone, widths } from "./browser.js";

const site = await openSite();
const { make, as, resources } = site;

const expectInOrder = async (page: Page) => {
  await expectAccessible(page);
  await expectFits(page);
};

const [busy, other] = [await make.user(), await make.user()];
const draft = await makeProject(site, busy, { name: "مشروع الضوء", status: "draft" });
await makeProject(site, busy, { name: "X".repeat(32), status: "rejected" });
const org = await makeOrg(site, busy);
const moved = await makeProject(site, busy, { name: "Moved" });
await as.user(busy).post(`/api/organization/${org.id}/projects`, { projectId: moved.id });
const followed = await makeProject(site, other);
await as.user(busy).post(`/api/project/${followed.id}/follow`);
const bad = await makeVersion(site, other, followed.id);
await as.user(other).post(`/api/project/${followed.id}/version/${bad.id}/yank`, {
  ...{ reason: "Sends your password elsewhere", security: true },
});
await site.app.jobs.settle();
const { upload } = (await as.user(busy).post("/api/upload", { name: `${"long".repeat(20)}.jar`, size: 9000 })).body;
const paths = [
  "/dashboard",
  "/dashboard/projects",
  "/dashboard/notifications",
  "/dashboard/notifications/history",
  `/dashboard/upload/${upload.id}`,
  `/project/${moved.id}/settings/move/undo`,
  `/project/${moved.slug}/settings/members`,
  `/project/${draft.slug}`,
  `/project/${draft.slug}/settings/publishing`,
  "/settings/pats/new",
  "/settings/profile",
  "/auth/invitation?code=nothing",
  "/auth/revoke-session?code=nothing",
  "/auth/confirm-action?code=nothing",
];

describe.each(widths)("at %s width", (_name, viewport) => {
  test.each([true, false])(
    "B.7: an owner offers a project and the other takes it over (script: %s)",
    async (script) => {
      const [owner, heir] = [await make.user(), await make.user()];
      const project = await makeProject(site, owner, { name: "Wanderer" });
      await addMember(site, project.teamId, heir);
      const page = await site.visit(`/project/${project.slug}/settings/members`, { viewport, script, user: owner });
      await page.click("a[href$='/transfer']");
      if (script) await expectInOrder(page);
      await page.click("main form button.danger");
      await page.waitForSelector("text=You offered ownership");
      if (script) await expectInOrder(page);
      const theirs = await site.visit("/dashboard", { viewport, script, user: heir });
      if (script) await expectInOrder(theirs);
      await theirs.click("button[value=accept]");
      await theirs.waitForURL("**/dashboard");
      expect(await theirs.locator("button[value=accept]").count()).toBe(0);
      const { members } = (await as.user(heir).get(`/api/project/${project.id}`)).body.project;
      expect(members.filter((member: { isOwner: boolean }) => member.isOwner)).toMatchObject([{ userId: heir.id }]);
      for (const each of [page, theirs]) await each.context().close();
    },
  );

  const half =
    viewport === phone ? ({ theme: "dark", locale: "de" } as const) : ({ theme: "light", locale: "en" } as const);

  test.each(paths)("%s is accessible and fits, with much content", async (path) => {
    const page = await site.visit(path, { viewport, ...half, user: busy });
    await expectInOrder(page);
    await page.context().close();
  });
});

test("usernames are suggested while typing, and the field accepts any text", async () => {
  const start = uniqueName("Zed").slice(0, 9);
  const [owner] = [await make.user(), await make.user({ userName: `${start}-one` })];
  const project = await makeProject(site, owner);
  const page = await site.visit(`/project/${project.slug}/settings/members`, { user: owner });
  await page.locator("#userName").pressSequentially(start.toLowerCase());
  await page.waitForSelector(`#people option[value="${start}-one"]`, { state: "attached" });
  expect(await page.inputValue("#userName")).toBe(start.toLowerCase());
  await page.context().close();
});

test("several projects are changed together", async () => {
  const user = await make.user();
  const projects = [await makeProject(site, user), await makeProject(site, user)];
  const page = await site.visit("/dashboard/projects", { script: false, user });
  for (const { id } of projects) await page.check(`input[value="${id}"]`);
  await page.click("summary:has-text('Edit several')");
  await page.selectOption("#visibility", "unlisted");
  await page.fill("#sourceCode", "https://code.example/all");
  await page.click("main details button[type=submit]");
  await page.waitForSelector("text=2 projects were changed.");
  for (const { id } of projects)
    expect((await as.user(user).get(`/api/project/${id}`)).body.project).toMatchObject({
      ...{ visibility: "unlisted", projectSourceUrl: "https://code.example/all" },
    });
  await page.context().close();
});

test("a user with a second factor is asked for it on a page that fits", async () => {
  const user = await make.user({ password: "correct horse battery" });
  const actor = { userId: user.id };
  const setter = { userId: user.id, sessionId: "any" };
  const secret = await write(resources, actor, (tx) => beginTotp(tx, setter));
  const { Secret, TOTP } = await import("otpauth");
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: site.clock.now() });
  await write(resources, actor, (tx) => confirmTotp(tx, setter, code));
  const page = await site.visit("/auth/sign-in", { viewport: phone });
  await page.fill("#login", user.userName);
  await page.fill("#password", "correct horse battery");
  await page.click("main form button[type=submit]");
  await page.waitForSelector("#code");
  await expectInOrder(page);
  await page.context().close();
});
