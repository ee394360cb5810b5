// Users, organizations, collections and reports in a real browser: B.5 and B.7 of the flows, and layout.

import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { uniqueName } from "#test/server/harness.js";
import { addMember, makeOrg, makeProject } from "#test/worlds/content.js";
import { expectAccessible, expectFits, openSite, phone, widths } from "./browser.js";

const site = await openSite();
const { make, as } = site;

const expectInOrder = async (page: Page) => {
  await expectAccessible(page);
  await expectFits(page);
};

const author = await make.user();
const project = await makeProject(site, author, { name: "Lamps that glow", summary: "Light for long winters" });
const rightToLeft = await makeProject(site, author, { name: "مشروع الضوء", types: ["shader"] });
await makeProject(site, author, { name: "X".repeat(32), summary: "y".repeat(300), types: ["world"] });
const shared = await makeOrg(site, author, { name: "Grass Makers", description: "z".repeat(250) });
await makeProject(site, author, { name: "Shared mod", orgId: shared.id });
const invitee = await make.user();
await addMember(site, shared.teamId, invitee, { accepted: false });
const { collectionId } = (
  await as.user(author).post("/api/collections", { name: "Winter lights", projects: [project.id, rightToLeft.id] })
).body;
const admin = await make.user({ role: "admin" });

describe.each(widths)("at %s width", (_name, viewport) => {
  test.each([true, false])("B.5: a user reports a project in three steps (script: %s)", async (script) => {
    const reporter = await make.user();
    const page = await site.visit(`/project/${project.slug}`, { viewport, script, user: reporter });
    // The menu with the link also opens without script.
    await page.goto((await page.locator('a[href^="/report?"]').first().getAttribute("href"))!);
    if (script) await expectInOrder(page);
    await page.click("input[value=malicious]");
    await page.fill("textarea[name=body]", "The archive holds a program that reads saved passwords.");
    await page.click("main form button[type=submit]");
    await page.waitForURL(/\/dashboard\/report\/\w+/);
    const [report] = (await as.user(reporter).get("/api/report")).body;
    expect(page.url()).toContain(report.id);
    expect(report).toMatchObject({ reportType: "malicious", itemId: project.id });
    await page.goto(`/report?itemType=project&itemId=${project.id}`);
    if (script) await expectInOrder(page);
    expect(await page.getAttribute("main a.button", "href")).toBe(`/dashboard/report/${report.id}`);
    await page.context().close();
  });

  test.each([true, false])("B.7: an owner invites a member and moves a project in (script: %s)", async (script) => {
    const [owner, guest] = [await make.user(), await make.user()];
    const own = await makeProject(site, owner, { name: "Wanderer" });
    const slug = uniqueName("org");
    const page = await site.visit("/organizations/new", { viewport, script, user: owner });
    await page.fill("#name", "Night shift");
    await page.fill("#slug", slug);
    await page.click("main form button[type=submit]");
    await page.waitForURL(`**/organization/${slug}`);
    await page.goto(`/organization/${slug}/settings/members`);
    if (script) await expectInOrder(page);
    await page.fill("#userName", guest.userName);
    await page.click("input[value=publisher]");
    await page
      .locator("main form", { has: page.locator("#userName") })
      .locator("button[type=submit]")
      .click();
    await page.waitForSelector(`text=${guest.userName}`);

    const theirs = await site.visit(`/organization/${slug}`, { viewport, script, user: guest });
    if (script) await expectInOrder(theirs);
    await theirs.click("button[value=accept]");
    await theirs.waitForSelector(".project-roll >> text=Publisher");
    expect(await theirs.locator("button[value=accept]").count()).toBe(0);

    await page.goto(`/organization/${slug}/settings/projects`);
    if (script) await expectInOrder(page);
    await page.selectOption("#project", own.slug);
    await page.locator("main form:has(#project) button[type=submit]").click();
    await page.waitForSelector("table");
    if (script) await expectInOrder(page);
    expect(await page.textContent("table")).toContain("Upload versions");
    await page.fill("#confirm", "something else");
    await page.click("main form button[type=submit]");
    await page.waitForSelector("#confirm-wrong");
    await page.fill("#confirm", own.slug);
    await page.click("main form button[type=submit]");
    await page.waitForURL(`**/organization/${slug}/settings/projects`);
    expect(await page.textContent("main")).toContain("Wanderer");
    for (const each of [page, theirs]) await each.context().close();
  });

  const pages: [string, "guest" | "author" | "invitee" | "admin"][] = [
    [`/user/${author.userName}`, "guest"],
    [`/user/${author.userName}`, "author"],
    [`/user/${author.userName}/shaders`, "guest"],
    ["/user/deleted_user", "guest"],
    [`/organization/${shared.slug}`, "guest"],
    [`/organization/${shared.slug}`, "invitee"],
    [`/organization/${shared.slug}/settings`, "author"],
    [`/organization/${shared.slug}/settings/members`, "author"],
    [`/organization/${shared.slug}/settings/members/transfer`, "author"],
    [`/organization/${shared.slug}/settings/delete`, "author"],
    [`/collection/${collectionId}`, "guest"],
    [`/collection/${collectionId}/edit`, "author"],
    [`/collection/${collectionId}/delete`, "author"],
    ["/collections/new", "author"],
    ["/report", "author"],
    ["/legal/terms", "guest"],
    ["/admin/legal?page=rules", "admin"],
    ["/about", "guest"],
    ["/status", "guest"],
    ["/feeds", "guest"],
    ["/docs", "guest"],
    ["/docs?q=token", "guest"],
    ["/docs/modrinth", "guest"],
    ["/user/nobody-of-that-name", "guest"],
  ];
  const people = { guest: undefined, author, invitee, admin };

  // One half of the variants at each width: together they cover both themes and both languages.
  const half =
    viewport === phone ? ({ theme: "dark", locale: "de" } as const) : ({ theme: "light", locale: "en" } as const);

  test.each(pages)("%s is accessible and fits for the %s", async (path, who) => {
    const page = await site.visit(path, { viewport, ...half, user: people[who] });
    await expectInOrder(page);
    await page.context().close();
  });
});

test.each([
  `/user/${author.userName}`,
  `/organization/${shared.slug}`,
  `/collection/${collectionId}`,
  "/feeds",
  "/docs/modrinth",
])("%s fits on the narrowest screens", async (path) => {
  const page = await site.visit(path, { viewport: { width: 320, height: 640 } });
  await expectFits(page);
  await page.context().close();
});
