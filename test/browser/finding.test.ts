// A player finds a mod for their game and downloads it with its dependencies (flow B.1): at both widths, with script
// and without.
import { readFileSync } from "node:fs";
import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { readByDirectory } from "#test/files/archive-readers.js";
import { makeProject, setProject } from "#test/worlds/content.js";
import { TestMods } from "#test/worlds/test-mods.js";
import { makeVersion } from "#test/worlds/versions.js";
import { expectAccessible, expectFits, openSite, phone, widths } from "./browser.js";

const site = await openSite();
const author = await site.make.user();
const shelf = new TestMods(site, author);
await shelf.version("Lumen@1.0", { fileName: "lumen.jar" });
await shelf.version("Glow@1.0", { fileName: "glow.jar", needs: "Lumen" });
await shelf.version("Lantern Post@1.0", { fileName: "lantern.jar", needs: "Glow", gameVersions: ["0.4.8", "0.4.7"] });
await shelf.version("Lantern Moth@1.0", { loaders: ["puzzle_loader"] });
await setProject(site, shelf.projects.get("Lumen")!.id, {
  ...{ client_side: "required", server_side: "optional", date_published: Date.UTC(2020, 0, 2) },
});
const glare = await makeProject(site, author, { name: "Glare", types: ["shader"] });
await makeVersion(site, author, glare.id, {
  ...{ channel: "beta", loaders: ["simply_shaders"], gameVersions: ["0.4.8"] },
});
const lantern = shelf.projects.get("Lantern Post")!;

const ways = widths.flatMap(([name, viewport]) =>
  [true, false].map((script) => ({ name, viewport, script, isPhone: viewport === phone })),
);

/** With script, a choice shows its results immediately; without it, a button does. */
async function filterByQuilt(page: Page, { script, isPhone }: { script: boolean; isPhone: boolean }): Promise<void> {
  if (isPhone) await page.getByRole("button", { name: /^Filters/ }).click();
  await page.getByRole("checkbox", { name: /^Quilt/ }).check();
  if (isPhone || !script)
    await page
      .locator(".filters-foot")
      .getByRole("button", { name: /^Show \d+ result/ })
      .click();
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

describe("suggestions while typing", () => {
  test("are chosen with arrow keys, opened with Enter and closed with Escape", async () => {
    const page = await site.visit("/");
    const field = page.getByRole("combobox", { name: "Search", exact: true });
    await field.pressSequentially("lantern");
    const list = page.getByRole("listbox", { name: "Suggestions" });
    await list.waitFor();
    expect(await field.getAttribute("aria-expanded")).toBe("true");
    await expectAccessible(page);
    await field.press("ArrowDown");
    const active = list.locator("[aria-selected=true]");
    expect(await field.getAttribute("aria-activedescendant")).toBe(await active.getAttribute("id"));
    await field.press("Escape");
    expect([await list.count(), await field.getAttribute("aria-expanded"), await field.inputValue()]).toEqual([
      ...[0, "false", "lantern"],
    ]);
    await field.pressSequentially(" post");
    await list.getByRole("option", { name: /Lantern Post/ }).waitFor();
    await field.press("ArrowDown");
    await field.press("Enter");
    await page.waitForURL(`**/project/${lantern.slug}`);
  });

  test("leave Enter to the search if none is chosen, and can be clicked", async () => {
    const page = await site.visit("/", { viewport: phone });
    const field = page.locator(".site-search input");
    await field.pressSequentially("lantern post");
    await page.getByRole("option", { name: /Lantern Post/ }).waitFor();
    await expectFits(page);
    await field.press("Enter");
    await page.waitForURL("**/search?q=lantern+post");
    await field.clear();
    await field.pressSequentially("glare");
    await page.getByRole("option", { name: "Glare Shader" }).click();
    await page.waitForURL(`**/project/${glare.slug}`);
  });
});

test("a misspelled search asks what was meant", async () => {
  const page = await site.visit("/search?q=lantren");
  await page.getByRole("link", { name: "lantern", exact: true }).click();
  await page.waitForURL("**/search?q=lantern");
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
  await page.locator(".setup-picker").getByLabel("Quilt").check();
  await page.locator(".setup-picker").getByLabel("Simply Shaders").check();
  await page.getByRole("button", { name: "Use this setup" }).click();
  await page.getByText("0.4.8 · Quilt · Simply Shaders").first().waitFor();
  await page.goto("/mods?q=lantern");
  await page.getByText("No Quilt version").waitFor();
  await page
    .getByRole("link", { name: /^Download .* for your setup$/ })
    .first()
    .click();
  await page.waitForURL("**/download?version=1.0");
  expect(await page.locator("select[name=l]").inputValue()).toBe("quilt");
});

test("a saved loader of mods says nothing about shaders, and a beta is called a beta", async () => {
  const page = await site.visit("/");
  await page.context().addCookies([{ name: "setup", value: "0.4.8|quilt", url: page.url() }]);
  await page.goto("/shaders");
  expect(await page.getByText("No Quilt version").count()).toBe(0);
  await page.getByRole("link", { name: "Only for my setup: 0.4.8", exact: true }).click();
  await page.waitForURL("**/shaders?fit=0.4.8");
  const card = page.locator(".project-card", { hasText: "Glare" });
  await card.getByText("Works with your setup (beta)").waitFor();
  await card.getByRole("link", { name: "Download Glare for your setup (beta)" }).waitFor();
  expect(await page.locator("[data-total]").textContent()).toBe("1 project");
});

test("a list that is sorted by publication shows those dates", async () => {
  const page = await site.visit("/projects?sort=published");
  const dates = await page
    .locator(".project-card-figures time")
    .evaluateAll((times) => times.map((time) => time.getAttribute("datetime")!));
  expect(dates).toEqual(dates.toSorted().reverse());
  expect(dates.at(-1)).toMatch(/^2020-01-02/);
});

describe("filters with script", () => {
  test("include with a tick, exclude with a button of their own, and follow the back button", async () => {
    const page = await site.visit("/mods");
    const [quilt, notQuilt] = ["Quilt", "Exclude Quilt"].map((name) =>
      page.getByRole("checkbox", { name: new RegExp(`^${name}`) }),
    ) as [Locator, Locator];
    await quilt.check();
    await page.waitForURL("**/mods?l=quilt");
    // Taking the tick away excludes nothing.
    await quilt.uncheck();
    await page.waitForURL("**/mods");
    await quilt.check();
    await page.waitForURL("**/mods?l=quilt");
    await notQuilt.press("Space");
    await page.waitForURL("**/mods?l=!quilt");
    expect([await quilt.isChecked(), await notQuilt.isChecked()]).toEqual([false, true]);
    await page.getByRole("link", { name: "Lantern Post" }).waitFor({ state: "detached" });
    expect(await page.locator("[data-announce]").textContent()).toBe("1 project");
    await page.goBack();
    await page.waitForURL("**/mods?l=quilt");
    await page.getByRole("link", { name: "Lantern Post" }).waitFor();
    await page.getByRole("link", { name: "Remove filter: Quilt" }).click();
    await page.waitForURL("**/mods");
  });

  test("by loader widen the results, say how they are combined, and stay if nothing is found", async () => {
    const page = await site.visit("/mods");
    const loaders = page.getByRole("group", { name: /^Loader any of these/ });
    await loaders.getByRole("checkbox", { name: /^Quilt/ }).check();
    await loaders.getByRole("checkbox", { name: /^Puzzle Loader/ }).check();
    await page.waitForURL("**/mods?l=quilt&l=puzzle_loader");
    expect(await page.locator("[data-total]").textContent()).toBe("4 projects");
    await loaders.getByRole("checkbox", { name: /^Quilt/ }).uncheck();
    await page.getByRole("checkbox", { name: /^0\.4\.7/ }).check();
    await page.getByText("No results").waitFor();
    await loaders.getByRole("checkbox", { name: "Quilt 1", exact: true }).waitFor();
    await page.goto(page.url());
    await loaders.getByRole("checkbox", { name: "Quilt 1", exact: true }).waitFor();
  });

  test("by environment find what is optional there, and what is for one side only", async () => {
    const page = await site.visit("/mods");
    await page.getByRole("radio", { name: /^Server \d/ }).check();
    await page.waitForURL("**/mods?e=server");
    expect(await page.locator("[data-total]").textContent()).toBe("1 project");
    await page.getByRole("link", { name: "Lumen" }).waitFor();
    await page.getByRole("radio", { name: /^Server only/ }).check();
    await page.getByText("No results").waitFor();
  });

  test("sort without pressing another button", async () => {
    const page = await site.visit("/mods");
    await page.locator("select[name=sort]").selectOption("published");
    await page.waitForURL("**/mods?sort=published");
    expect(await page.locator("select[name=sort]").inputValue()).toBe("published");
  });
});
