// The moderation desk and the administration in a real browser: a review by keyboard alone, two concurrent moderators,
// and the findings of axe on every page.
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { jar, jarFile, publishTo } from "#test/callers/uploads.js";
import { makeProject } from "#test/worlds/content.js";
import { carryOut, queueProject } from "#test/worlds/desk-world.js";
import { expectAccessible, expectFits, openSite, widths } from "./browser.js";

const site = await openSite();
const { db } = site.resources;
const author = await site.make.user();
const moderator = await site.make.user({ role: "moderator" });
const other = await site.make.user({ role: "moderator" });
const admin = await site.make.user({ role: "admin" });

const statusOf = async (id: string) =>
  (await db.selectFrom("projects").select("status").where("id", "=", id).executeTakeFirstOrThrow()).status;
const reviewOf = (id: string) =>
  db.selectFrom("reviews").selectAll().where("project_id", "=", id).executeTakeFirstOrThrow();
const emptyQueue = () =>
  db.updateTable("projects").set({ status: "draft" }).where("status", "=", "processing").execute();
const idIn = (page: Page) => new URL(page.url()).pathname.split("/").at(-1);

describe.each(widths)("a review at %s width", (_name, viewport) => {
  test("works by keyboard alone: claim, walk through, mark, request changes, approve, skip", async () => {
    await emptyQueue();
    const first = await queueProject(site, author, { name: "The first" });
    const second = await queueProject(site, author, { name: "The second" });
    const third = await queueProject(site, author, { name: "The third" });
    const page = await site.visit("/moderation/queue", { viewport, user: moderator });
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/moderation/queue/${first.id}`);
    for (let step = 0; step < 5; step++) await page.keyboard.press("j");
    await page.keyboard.press("x");
    const licence = "Please choose a license that lets you publish everything in the files.";
    expect(await page.inputValue("[name=message]")).toBe(licence);
    await page.keyboard.press("x");
    expect(await page.inputValue("[name=message]")).toBe("");
    await page.keyboard.press("k");
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.keyboard.press("r");
    await page.waitForURL(`**/moderation/queue/${second.id}?last=*`);
    await page.keyboard.press("u");
    await page.waitForURL(`**/moderation/queue/${first.id}?last=*&did=undone`);
    for (let step = 0; step < 5; step++) await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.keyboard.press("r");
    await page.waitForURL(`**/moderation/queue/${second.id}?last=*`);
    await carryOut(site);
    expect(await reviewOf(first.id)).toMatchObject({ status: "draft", reason: "licence", message: licence });
    await page.keyboard.press("?");
    expect(await page.isVisible("[data-key-help] a[href='/settings/shortcuts']")).toBe(true);
    await page.keyboard.press("s");
    await page.waitForURL(`**/moderation/queue/${third.id}`);
    await page.keyboard.press("a");
    await page.waitForURL(`**/moderation/queue?last=${third.id}`);
    await carryOut(site);
    expect(await statusOf(third.id)).toBe("approved");
    expect(await statusOf(second.id)).toBe("processing");
  });

  test("types letters in text fields; other keys can be configured, or none", async () => {
    await emptyQueue();
    const project = await queueProject(site, author);
    const page = await site.visit(`/moderation/queue/${project.id}`, { viewport, user: moderator });
    await page.click("[data-take]");
    await page.waitForSelector("[data-decision]");
    await page.focus("[name=message]");
    await page.keyboard.type("a war was");
    expect(await page.inputValue("[name=message]")).toBe("a war was");
    const settings = await site.visit("/settings/shortcuts", { viewport, user: moderator });
    const choose = async (key: string, isOn: boolean) => {
      await settings.fill("[name=mark]", key);
      await settings.setChecked("[name=isOn]", isOn);
      await settings.click("form[action='/settings/shortcuts'] .button:not(.quiet)");
      await settings.waitForURL("**?done=saved");
      await page.reload();
      await page.focus("[name=problem]");
    };
    const press = async (key: string) => {
      await page.keyboard.press(key);
      return page.isChecked("[name=problem] >> nth=0");
    };
    await choose("m", true);
    expect([await press("x"), await press("m"), await press("M")]).toEqual([false, true, false]);
    await choose("m", false);
    expect([await press("m"), await press("a")]).toEqual([false, false]);
    expect(await statusOf(project.id)).toBe("processing");
    await settings.click("[name=reset]");
    await settings.waitForURL("**?done=reset");
  });

  test("works without script", async () => {
    await emptyQueue();
    const project = await queueProject(site, author);
    const page = await site.visit("/moderation", { viewport, user: moderator, script: false });
    await page.click("form[action='/moderation/queue/next'] button");
    await page.check("[name=problem][value=links]");
    await page.click("[name=decision][value=withheld]");
    await page.waitForURL(`**?last=${project.id}`);
    await page.click("form[action$='/undo'] button");
    await page.waitForURL("**did=undone");
    await page.check("[name=problem][value=links]");
    await page.click("[name=decision][value=withheld]");
    await page.waitForURL(`**?last=${project.id}`);
    await carryOut(site);
    expect(await reviewOf(project.id)).toMatchObject({ status: "withheld", reason: "links" });
  });
});

test("two moderators who press at the same time never get the same project", async () => {
  await emptyQueue();
  const made = [await queueProject(site, author), await queueProject(site, author)].map(({ id }) => id);
  const pages = await Promise.all([moderator, other].map((user) => site.visit("/moderation/queue", { user })));
  await Promise.all(
    pages.map(async (page) => {
      await page.click(".section-title form button");
      await page.waitForSelector("[data-decision]");
    }),
  );
  expect(pages.map(idIn).sort()).toEqual(made.sort());
});

async function expectGoodPages(page: Page, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const answer = await page.goto(path);
    expect(answer?.status(), path).toBe(200);
    await expectAccessible(page);
    await expectFits(page);
  }
}

const settingsPages = [
  ...[
    "general",
    "branding",
    "registration",
    "sign-in",
    "sign-in/github",
    "moderation",
    "mail",
    "limits",
    "scanner",
    "backup",
  ],
  "all",
].map((name) => `/admin/settings/${name}`);

describe.each(widths)("every page at %s width", (_name, viewport) => {
  describe.each(["light", "dark"] as const)("is accessible and fits in the %s theme", (theme) => {
    test("for moderators", async () => {
      await emptyQueue();
      const project = await queueProject(site, author, { name: "شجرة Überlang".repeat(2), summary: "w".repeat(100) });
      await makeProject(site, author);
      const body = {
        reportType: "malicious",
        itemType: "project",
        itemId: project.id,
        body: "It reads my passwords",
      };
      await site.as.user(moderator).post("/api/report", body);
      const found = await db
        .selectFrom("report_cases")
        .select("id")
        .where("item_id", "=", project.id)
        .executeTakeFirst();
      const file = await db
        .selectFrom("version_files")
        .select("id")
        .where("project_id", "=", project.id)
        .executeTakeFirstOrThrow();
      const page = await site.visit("/moderation", { viewport, theme, user: admin });
      await expectGoodPages(page, [
        "/moderation",
        "/moderation/queue",
        `/moderation/queue/${project.id}`,
        "/moderation/reports",
        ...(found ? [`/moderation/report/${found.id}`] : []),
        "/moderation/files",
        `/moderation/files?hash=${project.sha512}`,
        `/moderation/quarantine?versionId=${project.versionId}`,
        "/moderation/users",
        `/moderation/user/${author.userName}`,
        `/moderation/user/${author.userName}/sign-out`,
        "/moderation/log",
        `/moderation/scan/${file.id}`,
      ]);
      await page.goto(`/moderation/queue/${project.id}`);
      await page.click("[data-take]");
      await page.waitForSelector("[data-decision]");
      await expectAccessible(page);
      await expectFits(page);
    });

    test("for administrators", async () => {
      const page = await site.visit("/admin", { viewport, theme, user: admin });
      await expectGoodPages(page, [
        ...["/setup/site", "/setup/content", "/admin", ...settingsPages, "/admin/legal", "/admin/taxonomy"],
        ...["/admin/users", "/admin/jobs", "/admin/storage", "/admin/notices", "/admin/audit"],
      ]);
    });
  });
});

test("the notice about a decision says what happens, and when it is final; then it no longer offers to undo it", async () => {
  await emptyQueue();
  const project = await queueProject(site, author, { name: "Decided" });
  const page = await site.visit(`/moderation/queue/${project.id}`, { user: moderator });
  await page.click("[data-take]");
  await page.check("[name=problem][value=licence]");
  await page.click("[name=decision][value=draft]");
  await page.waitForURL(`**?last=${project.id}`);
  const notice = page.locator("[data-undo]");
  expect(await notice.textContent()).toContain("You requested changes to Decided");
  expect(await notice.textContent()).toMatch(/Final at \d\d:\d\d:\d\d UTC/);
  await page.locator("form[action$='/undo']").waitFor({ state: "detached" });
  expect(await notice.textContent()).toContain("Final: the decision is in effect");
  expect(await notice.textContent()).not.toContain("undo");
  await carryOut(site);
  await page.reload();
  expect(await page.locator("[role=status]").allTextContents()).toContainEqual(
    expect.stringContaining("Decided is back with its author"),
  );
});

test("an expired form shows its own labels, carries hidden fields along, and can be sent again", async () => {
  const page = await site.visit("/admin/notices", { user: admin });
  await page.fill("[name=text]", "Closed on Sunday");
  await page.evaluate("document.querySelector('main [name=form-token]').value = 'old'");
  await page.click("main form .button:not(.quiet)");
  await page.waitForSelector("h1:has-text('Please send this again')");
  expect(await page.getByLabel("Text").inputValue()).toBe("Closed on Sunday");
  const labels = await page.locator("main label").allTextContents();
  expect(labels).not.toContain("level");
  await expectAccessible(page);
  await page.click("main form[action='/admin/notices'] button");
  await page.waitForURL("**/admin/notices*");
  expect(await page.textContent(".site-notice")).toContain("Closed on Sunday");
});

test("the log has sentences whose links lead to what they are about; a user is suspended only after a question", async () => {
  const user = await site.make.user();
  const page = await site.visit(`/moderation/user/${user.userName}`, { user: moderator });
  await page.click("text=Suspend");
  await page.waitForURL("**/suspend");
  await page.fill("[name=reason]", "Steals work");
  await page.click("main .button.danger");
  await page.waitForURL(`**/moderation/user/${user.userName}`);
  await page.goto("/moderation/log");
  await page.selectOption("[name=action]", "user.suspend");
  await page.click(".desk-filters button");
  const entry = page.locator("tbody tr").first();
  expect(await entry.locator("p").textContent()).toBe(`${moderator.userName} suspended ${user.userName}: Steals work`);
  await entry.locator("summary").click();
  expect(await entry.locator("pre").textContent()).toContain('"action": "user.suspend"');
  await entry.locator("p a").last().click();
  await page.waitForURL(`**/moderation/user/${user.userName}`);
});

test("a moderator gets from the pages of a project, a version and a user to the desk", async () => {
  const owner = await site.make.user();
  const project = await queueProject(site, owner, { name: "Looked at" });
  const page = await site.visit(`/project/${project.slug}`, { user: moderator });
  await page.locator(".project-actions .menu summary").last().click();
  await expectAccessible(page);
  await page.click(`form[action='/moderation/queue/${project.id}/claim'] button`);
  await page.waitForURL(`**/moderation/queue/${project.id}`);
  await page.waitForSelector("[data-decision]");
  await page.goto(`/project/${project.slug}/versions`);
  await page.click("main a[href*='/version/']");
  await page.click(".staff-menu summary");
  await page.click(".staff-menu a[href^='/moderation/quarantine']");
  expect(await page.textContent("h1")).toBe("Quarantine");
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(`/user/${owner.userName}`);
  await page.click(".staff-menu summary");
  await expectFits(page);
  await page.click(".staff-menu a[href$='/suspend']");
  expect(await page.textContent("h1")).toBe(`Suspend ${owner.userName}?`);
});

test("a moderator reads the files inside an archive, and what has changed in them since the last version", async () => {
  const owner = await site.make.user();
  const project = await makeProject(site, owner);
  async function publish(name: string, settings: string) {
    const bytes = jar({ name: "config/settings.json", content: settings });
    site.clock.advance(1000);
    expect(await publishTo(site.as.user(owner), project.id, { primaryFile: jarFile(name, bytes) })).toSucceed();
  }
  await publish("old.jar", '{\n  "url": "https://example.com",\n  "on": true\n}');
  await publish("mod.jar", '{\n  "url": "https://example.org",\n  "on": true\n}');
  const file = await db
    .selectFrom("version_files")
    .select("id")
    .where("name", "=", "mod.jar")
    .executeTakeFirstOrThrow();
  for (const theme of ["light", "dark"] as const) {
    const page = await site.visit(`/moderation/scan/${file.id}`, { user: moderator, theme, script: false });
    await page.click(".file-tree summary");
    await page.click(".file-tree a[href$='settings.json']");
    expect(await page.textContent("h1")).toBe("settings.json");
    expect(await page.textContent("pre code")).toContain('"url": "https://example.org"');
    expect(await page.locator(".hljs-attr").count()).toBe(2);
    await page.setViewportSize({ width: 320, height: 640 });
    await expectFits(page);
  }
  for (const theme of ["light", "dark"] as const) {
    const page = await site.visit(`/moderation/scan/${file.id}`, { user: moderator, theme });
    await page.click(".diff-files a[href$='settings.json']");
    expect(await page.textContent("del.diff-line")).toContain('−  "url": "https://example.com"');
    expect(await page.textContent("ins.diff-line")).toContain('+  "url": "https://example.org"');
    await expectAccessible(page);
    await page.setViewportSize({ width: 320, height: 640 });
    await expectFits(page);
  }
  const page = await site.visit(`/moderation/scan/${file.id}/read?path=config%2Fsettings.json`, { user: moderator });
  await expectAccessible(page);
});
