// Lists and figures: saved views and density, a page by its number, values of a chart, a collection as one download; how
// much of a page is on the first screen; the header, and the bar at the bottom of phones.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { viewCounterOf } from "#content/views/counters.js";
import { rebuildIndex } from "#discovery/search/rebuild.js";
import { dayOf } from "#lib/days.js";
import { write } from "#platform/changes/write.js";
import { readByDirectory } from "#test/files/archive-readers.js";
import { makeManyProjects } from "#test/worlds/content.js";
import { TestMods } from "#test/worlds/test-mods.js";
import { desktop, expectFits, openSite, phone } from "./browser.js";

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

test("a page that the browser has prefetched counts as viewed when it is opened, and not before", async () => {
  const seen: unknown[] = [];
  site.app.http.server.prependListener("request", ({ url, headers }) => {
    if (url === `/project/${lantern.slug}`) seen.push([headers["sec-purpose"], headers["sec-fetch-dest"]]);
  });
  const page = await site.visit(`/user/${author.userName}`);
  // Tests run in a browser that names itself as a robot.
  const userAgent =
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
  await (await page.context().newCDPSession(page)).send("Network.setUserAgentOverride", { userAgent });
  const countViews = async () => {
    await viewCounterOf(resources).flush();
    const rows = await resources.db
      .selectFrom("view_days")
      .select("count")
      .where("project_id", "=", lantern.id)
      .execute();
    return rows.reduce((all, { count }) => all + count, 0);
  };
  const link = page.locator(`a[href="/project/${lantern.slug}"]`).first();
  await link.hover();
  const prefetched = [expect.stringMatching(/^prefetch/), "document"];
  await expect.poll(() => seen).toEqual([prefetched]);
  expect(await countViews()).toBe(0);
  await link.click();
  await page.waitForURL(`**/project/${lantern.slug}`);
  await expect.poll(countViews).toBe(1);
  expect(seen).toEqual([prefetched, [undefined, "empty"]]);
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

describe.each([360, 390])("on a phone of %i px", (width) => {
  const viewport = { width, height: 740 };
  /** The bar at the bottom covers the rest. */
  const shownHeight = viewport.height - 56;

  test("the menu of a project opens inside of the page", async () => {
    for (const user of [undefined, author]) {
      const page = await site.visit(`/project/${lantern.slug}`, { viewport, ...(user && { user }) });
      const [beside, menu] = await page.locator(".with-more > *").all();
      expect((await menu!.boundingBox())!.y, "not on a line of its own").toBe((await beside!.boundingBox())!.y);
      await page.locator(".project-actions .menu > summary").click();
      const { x, width: wide } = (await page.locator(".project-actions .menu > ul").boundingBox())!;
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x + wide).toBeLessThanOrEqual(width);
      await expectFits(page);
    }
  });

  test("the download button is on the first screen, and the matrix comes before the description", async () => {
    const page = await site.visit(`/project/${lantern.slug}`, { viewport });
    const bottomOf = async (selector: string) => {
      const { y, height } = (await page.locator(selector).first().boundingBox())!;
      return y + height;
    };
    expect(await bottomOf(".download-bar .button")).toBeLessThanOrEqual(shownHeight);
    expect(await bottomOf(".project-by a")).toBeLessThan(shownHeight / 2);
    expect(await bottomOf(".matrix")).toBeLessThan((await page.locator(".description").boundingBox())!.y);
    await page.goto(`/project/${lantern.slug}/download?v=0.4.8&l=quilt`);
    expect(await bottomOf(".project-main .button:has-text('Download')")).toBeLessThanOrEqual(shownHeight);
  });
});

test.each([true, false])("search in the bar at the bottom focuses the field (script: %s)", async (script) => {
  const page = await site.visit("/about", { viewport: phone, script });
  await page.getByRole("navigation", { name: "Menu" }).getByRole("link", { name: "Search" }).click();
  await page.keyboard.type("lant");
  expect(await page.locator("header [name=q]").inputValue()).toBe("lant");
});

test("the filter sheet of phones says how many results it shows", async () => {
  const page = await site.visit("/mods", { viewport: phone });
  await page.getByRole("button", { name: "Filters" }).click();
  const total = Number.parseInt((await page.locator("[data-total]").textContent())!, 10);
  expect(total).toBeGreaterThan(60);
  await page.getByRole("button", { name: `Show ${total} results` }).waitFor();
  const shown = async (license: string) => {
    await page.locator(`form.filters input[name=li][value="${license}"]`).check();
    await page.waitForURL((url) => url.searchParams.get("li") === license);
    const count = Number.parseInt((await page.locator("[data-total]").textContent())!, 10);
    await page.getByRole("button", { name: new RegExp(`^Show ${count} results?$`) }).waitFor();
    return count;
  };
  // One of them differs from the total, so the text of the button has changed.
  expect((await shown("oss")) + (await shown("!oss"))).toBe(total);
});

test.each([
  ["a guest on a desktop", desktop, undefined],
  ["a member on a desktop", desktop, author],
  ["a guest on a phone", phone, undefined],
  ["a member on a phone", phone, author],
] as const)("the Tab key follows the header as %s sees it", async (_who, viewport, user) => {
  const page = await site.visit("/about", { viewport, ...(user && { user }) });
  await page.context().addCookies([{ name: "setup", value: "0.4.8|quilt", url: page.url() }]);
  await page.reload();
  const places: { x: number; y: number }[] = [];
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press("Tab");
    const place = await page.evaluate(() => {
      const focused = document.activeElement!;
      const { x, y, height } = focused.getBoundingClientRect();
      return focused.closest(".site-header") ? { x, y: y + height / 2 } : undefined;
    });
    if (place) places.push(place);
    else if (places.length > 0) break;
  }
  expect(places.length).toBeGreaterThan(5);
  const rowOf = ({ y }: { y: number }) => Math.round(y / 30);
  expect(places).toEqual(places.toSorted((a, b) => rowOf(a) - rowOf(b) || a.x - b.x));
});

test("the search field keeps its distance to the edge at 320 px", async () => {
  const page = await site.visit("/mods", { viewport: { width: 320, height: 640 }, user: author });
  const { x, width } = (await page.locator(".site-header search").boundingBox())!;
  expect(x).toBeGreaterThanOrEqual(16);
  expect(x + width).toBeLessThanOrEqual(304);
  expect(width).toBeGreaterThan(80);
  await expectFits(page);
});

test.each(["/mods", "/projects", "/mods?li=!oss", "/search?q=lantern"])(
  "the first screen of %s has at least seven results, the first near its top",
  async (path) => {
    const page = await site.visit(path);
    await page.context().addCookies([{ name: "setup", value: "0.4.8|quilt", url: page.url() }]);
    for (const _setup of [false, true]) {
      const boxes = await page
        .locator(".project-card")
        .evaluateAll((cards) => cards.map((card) => card.getBoundingClientRect().toJSON()));
      expect(boxes[0].top).toBeLessThanOrEqual(260);
      expect(boxes.filter(({ bottom }) => bottom <= desktop.height).length).toBeGreaterThanOrEqual(7);
      await page.reload();
    }
  },
);

test("the only search field is in the header; it has the text that was searched for, and keeps the filters", async () => {
  const page = await site.visit("/mods?l=quilt");
  expect(await page.locator("[type=search]:visible").count()).toBe(1);
  await page.locator("header [name=q]").fill('Lantern "&<b>');
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/mods\?.*q=/);
  expect(new URL(page.url()).searchParams.get("l")).toBe("quilt");
  expect(await page.locator("header [name=q]").inputValue()).toBe('Lantern "&<b>');
  await page.goto("/search/users?q=ab");
  expect(await page.locator("header [name=q]").inputValue()).toBe("ab");
});
