// Packs in a real browser: the form of a version reads them, and the page of the version lists their contents.
import { expect, test } from "vitest";
import { indexFile, mrpack } from "#test/files/packs.js";
import { uniqueName } from "#test/server/harness.js";
import { makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";
import { expectAccessible, expectFits, openSite } from "./browser.js";

test.runIf(process.env.PAGES === "full")("a pack fills in the form, and its page lists its contents", async () => {
  const site = await openSite();
  const user = await site.make.user();
  const library = await makeProject(site, user, { name: "Lumen core", slug: uniqueName("library") });
  const { bytes } = await makeVersion(site, user, library.id, { versionNumber: "2.0" });
  const project = await makeProject(site, user, { name: "Big pack", slug: uniqueName("pack"), types: ["modpack"] });
  const files = [
    indexFile("mods/a.jar", bytes),
    ...Array.from({ length: 300 }, (_, at) => indexFile(`mods/z${1000 + at}.jar`, `${at}`)),
  ];
  const needs = { minecraft: "0.4.8", "quilt-loader": "0.20.0" };
  const pack = (more: object) => ({
    ...{ name: "big.mrpack", mimeType: "application/zip" },
    buffer: mrpack(files, [{ name: "overrides/config/a.txt", content: "a" }], { dependencies: needs, ...more }),
  });
  const page = await site.visit(`/project/${project.slug}/version/new`, { user });
  await page.setInputFiles("#primaryFile", pack({ game: "chess" }));
  await page.waitForSelector(".upload .wrong");
  expect(await page.textContent(".upload .wrong")).toContain("big.mrpack is not a valid pack: game is");
  await page.goto(`/project/${project.slug}/version/new`);
  await page.setInputFiles("#primaryFile", pack({}));
  await expect.poll(() => page.inputValue("#versionNumber")).toBe("1.2.0");
  expect(await page.inputValue("#title")).toBe("Test pack 1.2.0");
  for (const value of ["0.4.8", "quilt"]) expect(await page.isChecked(`input[value='${value}']`)).toBe(true);
  await page.getByRole("button", { name: "Publish version", exact: true }).click();
  await page.waitForURL((url) => !url.pathname.endsWith("/new"));
  const path = `/project/${project.slug}/version/1.2.0`;
  await page.goto(path);
  expect(await page.textContent("#contents")).toMatch(/Contents\s*301.*Lumen core\s*2\.0.*Not on this site/s);
  await expectAccessible(page);

  const plain = await site.visit(path, { viewport: { width: 320, height: 640 }, script: false });
  await plain.getByRole("link", { name: "Page 7" }).click();
  await plain.waitForURL(/page=7/);
  expect(await plain.textContent("#contents")).toContain("z1299.jar");
  await expectFits(plain);
});
