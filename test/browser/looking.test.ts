// Lists and figures: saved views and density, a page by its number, values of a chart, a collection as one download;
// and the bar at the bottom of phones.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { rebuildIndex } from "#discovery/search/rebuild.js";
import { dayOf } from "#lib/days.js";
import { write } from "#platform/changes/write.js";
import { readByDirectory } from "#test/files/archive-readers.js";
import { makeManyProjects } from "#test/worlds/content.js";
import { TestMods } from "#test/worlds/test-mods.js";
import { openSite, phone } from "./browser.js";

const site = await openSite();
const { as, make, resources, clock } = site;
const author = await make.user();
const shelf = new TestMods(site, author);
await shelf.version("Lumen@1.0", { fileName: "lumen.jar" });
await shelf.version("Lantern@1.0", { fileName: "lantern.jar", needs: "Lumen" });
const lantern = shelf.projects.get("Lantern")!;
const { collectionId } = (await as.user(author).post("/api/collections", { name: "Lamps", projects: [lantern.id] }))
  .body;
await makeManyProjects(site, lantern.id, 60);
await rebuildIndex(resources, { fromScratch: true });

describe.each([true, false])("with script: %s", (script) => {
  test("the view of a list is chosen with one press, and saved for lists of its kind", async () => {
    const page = await site.visit("/mods", { script });
    await page.getByRole("button", { name: "Gallery" }).click();
    await page.locator(".project-cards.tiles").waitFor();
    expect(new URL(page.url()).search).toBe("");
    await page.goto("/mods?l=quilt");
    expect(await page.locator(".project-cards.tiles").count()).toBe(1);
    expect(await page.getByRole("button", { name: "Gallery" }).getAttribute("aria-pressed")).toBe("true");
    await page.goto("/projects");
    expect(await page.locator(".project-cards.tiles").count()).toBe(0);
  });

  test("a page of a long list is reached by its number", async () => {
    const page = await site.visit("/mods?n=10", { script });
    await page.getByLabel("Go to page").fill("4");
    await page.getByRole("button", { name: "Go", exact: true }).click();
    await page.waitForURL(/n=10&page=4/);
    expect(await page.locator(".pagination [aria-current]").textContent()).toBe("4");
  });

  test("a collection is one archive with all dependencies", async () => {
    const page = await site.visit(`/collection/${collectionId}`, { script });
    await page.getByRole("link", { name: "Download all" }).click();
    await page.locator("select[name=v]").selectOption("0.4.8");
    if (!script) await page.getByRole("button", { name: "Show files" }).click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: /^Download all \(2 files/ }).click(),
    ]);
    const { "manifest.json": manifest, ...files } = readByDirectory(readFileSync(await download.path()));
    expect(Object.keys(files).sort()).toEqual(["lantern.jar", "lumen.jar"]);
    expect(manifest).toBeDefined();
  });
});

test("guests choose the density on the settings page, and it applies immediately", async () => {
  const page = await site.visit("/settings");
  await page.locator("select[name=density]").selectOption("compact");
  await page.locator('form[action="/settings/display"]').getByRole("button", { name: "Save" }).click();
  await page.waitForURL(/done/);
  await page.goto("/mods");
  expect(await page.locator("html").getAttribute("data-density")).toBe("compact");
  const { height } = (await page.locator(".project-card").first().boundingBox())!;
  expect(height).toBeLessThan(100);
});

test("a chart shows the value under the pointer, and each value by keyboard", async () => {
  const today = dayOf(clock.now());
  await write(resources, { credential: "test" }, async (tx) => {
    const rows = Array.from({ length: 10 }, (_, at) => ({
      ...{ project_id: lantern.id, version_id: shelf.versions.get("Lantern@1.0")!.id },
      ...{ day: today - at, count: 10 + at, country: "" },
    }));
    // Some of its days may have downloads already.
    await tx.db.deleteFrom("download_days").where("project_id", "=", lantern.id).execute();
    await tx.db.insertInto("download_days").values(rows).execute();
    await tx.db.updateTable("projects").set({ downloads: 145 }).where("id", "=", lantern.id).execute();
    tx.changed("project", lantern.id);
  });
  const page = await site.visit(`/project/${lantern.slug}/stats`);
  const value = page.locator(".chart-value");
  await page.locator("figure.chart").focus();
  const last = (await value.textContent())!;
  const count = Number(/: (\d+)$/.exec(last)![1]);
  expect(count).toBeGreaterThan(0);
  await page.keyboard.press("ArrowLeft");
  expect(await value.textContent()).toMatch(new RegExp(`: ${count + 1}$`));
  await page.keyboard.press("Home");
  expect(await value.textContent()).toMatch(/: 0$/);
  await page.keyboard.press("End");
  expect(await value.textContent()).toBe(last);
  const { x, y, width, height } = (await page.locator("figure.chart svg").boundingBox())!;
  await page.mouse.move(x + width - 2, y + height / 4);
  expect(await value.textContent()).toBe(last);
});

test("phones have a bar at the bottom with the four most used pages", async () => {
  const page = await site.visit("/mods", { viewport: phone, user: author });
  const bar = page.getByRole("navigation", { name: "Menu" });
  await bar.getByRole("link", { name: "Library" }).click();
  await page.waitForURL("**/dashboard/library");
  expect(await bar.getByRole("link", { name: "Library" }).getAttribute("aria-current")).toBe("page");
  const { y, height } = (await bar.boundingBox())!;
  expect(Math.round(y + height)).toBe(phone.height);
  const guest = await site.visit("/mods", { viewport: phone });
  await guest.getByRole("navigation", { name: "Menu" }).getByRole("link", { name: "Account" }).click();
  await guest.waitForURL(/\/auth\/sign-in\?next=%2Fdashboard$/);
});
