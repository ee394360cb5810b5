// A player finds a mod for their game and downloads it with its dependencies (flow B.1): at both widths, with script
// and without.
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { readByDirectory } from "#test/files/archive-readers.js";
import { TestMods } from "#test/worlds/test-mods.js";
import { openSite, phone, widths } from "./browser.js";

const site = await openSite();
const author = await site.make.user();
const shelf = new TestMods(site, author);
await shelf.version("Lumen@1.0", { fileName: "lumen.jar" });
await shelf.version("Glow@1.0", { fileName: "glow.jar", needs: "Lumen" });
await shelf.version("Lantern Post@1.0", { fileName: "lantern.jar", needs: "Glow", gameVersions: ["0.4.8", "0.4.7"] });
await shelf.version("Lantern Moth@1.0", { loaders: ["puzzle_loader"] });
const lantern = shelf.projects.get("Lantern Post")!;

const ways = widths.flatMap(([name, viewport]) =>
  [true, false].map((script) => ({ name, viewport, script, isPhone: viewport === phone })),
);

/** With script, a choice shows its results immediately; without it, a button does. */
async function filterByQuilt(page: Page, { script, isPhone }: { script: boolean; isPhone: boolean }): Promise<void> {
  if (isPhone) await page.getByRole("button", { name: /^Filters/ }).click();
  if (script) await page.getByRole("button", { name: /^Quilt/ }).click();
  else await page.locator('input[name="l.quilt"][value="only"]').check();
  if (isPhone || !script) await page.locator(".filters-foot").getByRole("button", { name: "Show results" }).click();
  await page.waitForURL(/\/search\?q=lantern&l=quilt$/);
}

async function hashesByApi(): Promise<string[]> {
  const plan = await site.as.anyone.post("/api/resolve", {
    projects: [{ project: lantern.slug }],
    ...{ gameVersion: "0.4.8", loader: "quilt", releaseChannel: "release" },
  });
  return plan.body.files.map(({ file }: { file: { sha512_hash: string } }) => file.sha512_hash).sort();
}

describe.each(ways)("at $name width, script: $script", (way) => {
  test("search, filter, open, download: the ZIP contains exactly the dependencies", async () => {
    const page = await site.visit("/", way);
    await page.locator(".site-search input").fill("lantern");
    await page.locator(".site-search input").press("Enter");
    expect(await page.getByRole("link", { name: "Lantern Moth" }).count()).toBe(1);
    await filterByQuilt(page, way);
    expect(await page.getByRole("link", { name: "Lantern Moth" }).count()).toBe(0);
    await page.getByRole("link", { name: "Lantern Post" }).click();
    await page.waitForURL(`**/project/${lantern.slug}`);
    await page.getByRole("link", { name: "Download", exact: true }).filter({ visible: true }).click();
    await page.waitForURL("**/download");
    await page.locator("select[name=v]").selectOption("0.4.7");
    if (!way.script) await page.getByRole("button", { name: "Show files" }).click();
    await page.waitForURL(/v=0\.4\.7/);
    // None of its dependencies has a version for this game version.
    await page.getByText("has no version for 0.4.7").first().waitFor();
    await page.locator("select[name=v]").selectOption("0.4.8");
    if (!way.script) await page.getByRole("button", { name: "Show files" }).click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: /^Download all \(3 files, 192/ }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`${lantern.slug}-1.0.zip`);
    const { "manifest.json": manifest, ...files } = readByDirectory(readFileSync(await download.path()));
    expect(Object.keys(files).sort()).toEqual(["glow.jar", "lantern.jar", "lumen.jar"]);
    const { files: listed } = JSON.parse(Buffer.from(manifest!, "hex").toString());
    expect(listed.map(({ sha512 }: { sha512: string }) => sha512).sort()).toEqual(await hashesByApi());
  });
});

test("by keyboard alone: search, open, download one file", async () => {
  const page = await site.visit("/");
  await page.keyboard.press("/");
  await page.keyboard.type("lantern post");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/search?q=lantern*");
  await page.getByRole("link", { name: "Lantern Post" }).focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/project/${lantern.slug}`);
  await page.locator(".project-actions .download").focus();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/download");
  await page.locator(".tree-file").last().focus();
  const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
  expect(download.suggestedFilename()).toBe("lumen.jar");
});

test("with a saved game, lists show what works with it and downloads match", async () => {
  const page = await site.visit("/");
  await page.locator(".setup-picker select[name=gameVersion]").selectOption("0.4.8");
  await page.locator(".setup-picker select[name=loader]").selectOption("quilt");
  await page.getByRole("button", { name: "Use this setup" }).click();
  await page.getByText("0.4.8 · Quilt").first().waitFor();
  await page.goto("/mods?q=lantern");
  await page
    .getByRole("link", { name: /^Download .* for your setup$/ })
    .first()
    .click();
  await page.waitForURL("**/download?version=1.0");
  expect(await page.locator("select[name=l]").inputValue()).toBe("quilt");
});

describe("filters with script", () => {
  test("cycle through their states, announce them by name, and follow the back button", async () => {
    const page = await site.visit("/mods");
    const button = page.locator(".tri-button", { hasText: "Quilt" });
    await button.click();
    await page.waitForURL("**/mods?l=quilt");
    await page.getByRole("button", { name: /^Quilt \d+ ?, Include$/ }).waitFor();
    await button.click();
    await page.waitForURL("**/mods?l=!quilt");
    await page.getByRole("button", { name: /^Quilt \d+ ?, Exclude$/ }).waitFor();
    await page.getByRole("link", { name: "Lantern Post" }).waitFor({ state: "detached" });
    expect(await page.locator("[data-announce]").textContent()).toBe("1 project");
    await page.goBack();
    await page.waitForURL("**/mods?l=quilt");
    await page.getByRole("link", { name: "Lantern Post" }).waitFor();
    await page.getByRole("link", { name: "Remove filter: Quilt" }).click();
    await page.waitForURL("**/mods");
    await button.press("-");
    await page.waitForURL("**/mods?l=!quilt");
  });

  test("sort without pressing another button", async () => {
    const page = await site.visit("/mods");
    await page.locator("select[name=sort]").selectOption("published");
    await page.waitForURL("**/mods?sort=published");
    expect(await page.locator("select[name=sort]").inputValue()).toBe("published");
  });
});
