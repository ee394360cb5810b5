// The taxonomy in a real browser: new entries with two clicks each, seen on the public site; dragging; and the effects
// of a removal.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";
import { expectAccessible, expectFits, openSite } from "./browser.js";

interface Scrollable {
  scrollIntoView(options: { block: "center" }): void;
}

const site = await openSite();
const admin = await site.make.user({ role: "admin" });
const office = site.as.user(admin);
const namesOf = async (list: string): Promise<string[]> =>
  (await office.get("/admin/taxonomy/taxonomy.json")).body[list].map(({ name }: { name: string }) => name);

const summaryOf = (page: Page, list: string) => page.locator(`details:has(form#${list}) > summary`);

/** One click opens the form, and one sends it. */
async function add(page: Page, list: string, fields: Record<string, string>, ticks: readonly string[] = []) {
  await page.goto("/admin/taxonomy");
  await summaryOf(page, list).click();
  const form = page.locator(`form#${list}`);
  for (const [name, value] of Object.entries(fields)) {
    const field = form.locator(`[name=${name}]`);
    if (["icon", "kind", "releaseType"].includes(name)) await field.selectOption(value);
    else await field.fill(value);
  }
  for (const tick of ticks) await form.locator(`[name=projectTypes][value=${tick}]`).check();
  await form.locator("[value=add]").click();
  await page.waitForURL(`**/admin/taxonomy#${list}`);
  // The list that was changed is open.
  await form.locator("[value=add]").waitFor({ state: "visible" });
}

test("a type, a loader, a category and a game version are added, and are on the public site at once", async () => {
  const page = await site.visit("/admin/taxonomy", { user: admin });
  await add(page, "projectTypes", { name: "hat", label: "Hat", plural: "Fine hats", path: "headwear", icon: "star" });
  await add(page, "loaders", { name: "hatter", label: "Hatter", icon: "anvil", color: "#aa2200" }, ["hat"]);
  await add(page, "categories", { name: "felt", icon: "leaf" }, ["hat"]);
  await add(page, "gameVersions", { name: "9.9.9", releaseType: "release" });
  const owner = await site.make.user();
  const bowler = await makeProject(site, owner, { name: "Bowler", types: ["hat"] });
  await makeVersion(site, owner, bowler.id, { loaders: ["hatter"], gameVersions: ["9.9.9"] });
  const tags = { categories: ["felt"], featuredCategories: [] };
  expect(await site.as.user(owner).patch(`/api/project/${bowler.id}/tags`, tags)).toSucceed();
  const visitor = await site.visit("/headwear");
  expect(await visitor.textContent("h1")).toContain("Fine hats");
  const filters = await visitor.locator("main").innerHTML();
  for (const shown of ["Hatter", '#anvil"', "#aa2200", '#leaf"', "9.9.9"]) expect(filters).toContain(shown);
  expect(await visitor.locator("header a[href='/headwear']").count()).toBeGreaterThan(0);
});

test("entries are moved by dragging and by keyboard; a removal shows its effects first", async () => {
  const before = await namesOf("loaders");
  const page = await site.visit("/admin/taxonomy", { user: admin, viewport: { width: 1280, height: 900 } });
  await summaryOf(page, "loaders").click();
  const handles = page.locator("#order-loaders .drag-handle");
  // Near the edge of the window, dragging would scroll the page.
  await handles.nth(0).evaluate((handle) => (handle as never as Scrollable).scrollIntoView({ block: "center" }));
  const [first, second] = [(await handles.nth(0).boundingBox())!, (await handles.nth(1).boundingBox())!];
  await page.mouse.move(second.x + 10, second.y + 10);
  await page.mouse.down();
  await page.mouse.move(second.x + 10, first.y - 5, { steps: 4 });
  await page.mouse.up();
  await page.waitForSelector("[role=status]:has-text('The new order is saved.')");
  expect((await namesOf("loaders")).slice(0, 2)).toEqual([before[1], before[0]]);
  await page.getByRole("button", { name: `Move ${before[1]} down` }).press("Enter");
  await page.waitForURL("**/admin/taxonomy#loaders");
  expect(await namesOf("loaders")).toEqual(before);

  for (const theme of ["light", "dark"] as const) {
    const shown = await site.visit("/admin/taxonomy", { user: admin, theme });
    await summaryOf(shown, "loaders").click();
    await expectAccessible(shown);
    await shown.setViewportSize({ width: 320, height: 640 });
    await expectFits(shown);
    await shown.getByRole("button", { name: `Remove ${before[0]}` }).click();
    await shown.waitForSelector("h2:has-text('Effects of this change')");
    await expectAccessible(shown);
    await expectFits(shown);
  }
  expect(await namesOf("loaders")).toEqual(before);
});
