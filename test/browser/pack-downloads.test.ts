// Packs on the download pages, on a site for Minecraft: without script, at both widths.
import { expect, test } from "vitest";
import { readPreset } from "#content/taxonomy/presets.js";
import { setTaxonomy } from "#content/taxonomy/write.js";
import { write } from "#platform/changes/write.js";
import { TestMods } from "#test/worlds/test-mods.js";
import { expectAccessible, expectFits, openSite, widths } from "./browser.js";

const site = await openSite();
await write(site.resources, { credential: "test" }, (tx) => setTaxonomy(tx, readPreset("minecraft"), "test"));
const author = await site.make.user();
const mods = new TestMods(site, author);
const place = { gameVersions: ["1.21.1"], loaders: ["fabric"] };
await mods.version("MeadowCore@2.4.0", { ...place, fileName: "meadow-core-2.4.0.jar" });
await mods.version("BetterGrass@1.4.0", { ...place, fileName: "better-grass-1.4.0.jar", needs: "MeadowCore" });
await mods.version("OldLamps@0.9", { ...place, gameVersions: ["1.20.1"] });
const projects = ["BetterGrass", "OldLamps"].map((name) => mods.id(name));
const made = await site.as.user(author).post("/api/collections", { name: "Winter", projects });
const paths = [
  `/project/${mods.projects.get("BetterGrass")!.slug}/download?v=1.21.1&l=fabric`,
  `/collection/${made.body.collectionId}/download?v=1.21.1&l=fabric`,
];

test.each(widths)("a visitor names the version of the loader and gets a pack (%s)", async (_name, viewport) => {
  for (const path of paths) {
    const page = await site.visit(path, { viewport, script: false });
    await expectFits(page);
    const button = page.getByRole("button", { name: "Download .mrpack" });
    await button.click();
    expect(page.url(), "the browser asks for the version").toContain("/download?");
    await page.getByLabel("Fabric version").fill("0.16.10");
    const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
    expect(download.suggestedFilename()).toMatch(/\.mrpack$/);
    await expectAccessible(await site.visit(path, { viewport }));
  }
});
