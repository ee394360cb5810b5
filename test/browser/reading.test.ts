// Every page for reading: no serious findings of axe in either theme, no horizontal scrolling, within the size budget,
// and without layout shift.
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { drawPicture } from "#test/files/pictures.js";
import { makeProject } from "#test/worlds/content.js";
import { TestMods } from "#test/worlds/test-mods.js";
import { desktop, expectAccessible, expectFits, openSite, phone, shiftOf } from "./browser.js";

const site = await openSite();
const { make, as } = site;
const owner = await make.user();
const shelf = new TestMods(site, owner);
const longWord = "Donaudampfschifffahrtsgesellscha";
const everything = [
  "# Heading",
  "| a | b |\n|---|---|\n| a-very-long-cell-without-any-space-in-it-at-all-that-goes-on | b |",
  "```java\nint x = 1; // a long line that goes on and on and on and on and on and on and on and on\n```",
  `- [x] ${longWord.repeat(5)}\n\n<details><summary>More</summary>text</details>\n\nرمال وماء ونخيل`,
].join("\n\n");
await shelf.version("library@1.0");
await shelf.project(longWord, { description: everything, summary: "رمال وماء ونخيل ".repeat(8) });
for (let at = 0; at < 12; at++)
  await shelf.version(`${longWord}@1.${at}.0-with-a-long-name`, {
    gameVersions: [`0.4.${at}`],
    loaders: at % 2 ? ["quilt"] : ["quilt", "puzzle_loader"],
    channel: (["release", "beta", "alpha", "dev"] as const)[at % 4]!,
    changelog: at % 3 ? everything : "",
    needs: "library",
    fileName: `${longWord.toLowerCase()}-1.${at}.0-with-a-long-name-and-more.jar`,
  });
const { slug } = shelf.projects.get(longWord)!;
const image = await drawPicture({ width: 64, height: 48 });
await as.user(owner).form("POST", `/api/project/${slug}/gallery`, { image, title: longWord });
const collected = { name: "Für den Winter", projects: [slug] };
const { collectionId } = (await as.user(owner).post("/api/collections", collected)).body;
const bare = await makeProject(site, owner, { name: "Bare", visibility: "archived" });

const pages = {
  home: "/",
  "a list": "/mods",
  "a list with filters": "/mods?l=quilt&v=!0.4.1&view=compact",
  "a list without results": "/mods?q=zzzzzz&l=quilt",
  "a list as a gallery": "/mods?view=gallery",
  "a search": "/search?q=don",
  "a search for people": `/search/users?q=${owner.userName}`,
  "a search for collections": "/search/collections?q=winter",
  "a collection": `/collection/${collectionId}`,
  "a collection's download": `/collection/${collectionId}/download?v=0.4.8&l=quilt`,
  "a project": `/project/${slug}`,
  "its gallery": `/project/${slug}/gallery`,
  "its changelog": `/project/${slug}/changelog?ch=dev`,
  "its versions": `/project/${slug}/versions`,
  "a version": `/project/${slug}/version/1.8.0-with-a-long-name`,
  "its dependents": `/project/${shelf.projects.get("library")!.slug}/dependents`,
  "its figures": `/project/${slug}/stats`,
  "its download": `/project/${slug}/download?v=0.4.8&l=quilt`,
  "a download that fits no game": `/project/${slug}/download?v=0.5.13&l=quilt`,
  "a project without anything": `/project/${bare.slug}`,
  "a download of nothing": `/project/${bare.slug}/download`,
};
const signedIn = { "following it": `/project/${slug}/follow`, "saving it": `/project/${slug}/save` };

describe.each(Object.entries({ ...pages, ...signedIn }))("%s (%s)", (name, path) => {
  const visitor = name in signedIn ? { user: owner } : {};

  test("is accessible in both themes and fits at every width", async () => {
    for (const theme of ["light", "dark"] as const) {
      const page = await site.visit(path, { ...visitor, theme, viewport: theme === "light" ? desktop : phone });
      await expectAccessible(page);
      await expectFits(page);
      await page.setViewportSize({ width: 320, height: 640 });
      await expectFits(page);
    }
  });

  test("is complete without script", async () => {
    const page = await site.visit(path, { ...visitor, script: false, viewport: phone });
    await expectFits(page);
    expect(await page.locator("h1").count()).toBe(1);
  });
});

const kilobyte = 1024;

describe.each([
  ["home", "/"],
  ["a list", "/mods"],
  ["a project", `/project/${slug}`],
  ["its versions", `/project/${slug}/versions`],
  ["a version", `/project/${slug}/version/1.8.0-with-a-long-name`],
])("%s", (_name, path) => {
  test("has HTML, styles and scripts within their budgets", async () => {
    const { bytes, text } = await as.anyone.get(path, { headers: { accept: "text/html" } });
    expect(gzipSync(bytes).length).toBeLessThan(30 * kilobyte);
    const load = async (pattern: RegExp) => {
      let sum = 0;
      for (const [, asset] of text.matchAll(pattern)) sum += gzipSync((await as.anyone.get(asset!)).bytes).length;
      return sum;
    };
    expect(await load(/<script type="module" src="([^"]+)"/g)).toBeLessThan(15 * kilobyte);
    expect(await load(/<link rel="stylesheet" href="([^"]+)"/g)).toBeLessThan(14 * kilobyte);
  });

  test("has no layout shift", async () => {
    for (const viewport of [desktop, phone]) {
      const page = await site.visit(path, { viewport });
      expect(await shiftOf(page), path).toBeLessThan(0.02);
    }
  });
});
