// The first run of a new site, from the link in the log to the administration; and an author who fixes problems that
// moderators found. Both also without script.
import { describe, expect, test } from "vitest";
import { createCode } from "#accounts/users/codes.js";
import { write } from "#platform/changes/write.js";
import { submit } from "#test/callers/page-forms.js";
import { makeProject } from "#test/worlds/content.js";
import { carryOut } from "#test/worlds/desk-world.js";
import { makeVersion } from "#test/worlds/versions.js";
import { expectAccessible, expectFits, openSite, widths } from "./browser.js";

describe.each(widths)("at %s width", (name, viewport) => {
  // Each width is tested with or without script, because a site can be set up only once.
  const script = name === "desktop";

  test("an operator creates the administrator, names the site, chooses its content and sees the remaining steps", async () => {
    const site = await openSite();
    const code = await write(site.resources, { credential: "test" }, (tx) => createCode(tx, "setup", null));
    const page = await site.visit(`/setup?code=${code}`, { viewport, script });
    if (script) await expectAccessible(page);
    await page.fill("[name=userName]", "keeper");
    await page.fill("[name=email]", "keeper@example.com");
    await page.fill("[name=password]", "correct horse battery");
    await page.click("main form button");
    await page.waitForURL("**/setup/site");
    if (script) await expectFits(page);
    await page.fill("[name=MODSHELF_SITE_NAME]", "Comet Mods");
    await page.click("main form button");
    await page.waitForURL("**/setup/content");
    await page.check("[name=preset][value=minecraft]");
    await page.click("main form button");
    await page.waitForURL("**/admin");
    expect(await page.textContent("header .brand")).toContain("Comet Mods");
    // The types of the preset, with their own plural and address.
    const types = page.locator("header .site-nav a");
    expect(await types.allInnerTexts()).toContain("Data packs");
    expect(await types.allInnerTexts()).not.toContain("Data mods");
    expect((await page.goto("/datapacks"))?.status()).toBe(200);
    expect(await page.textContent("h1")).toBe("Data packs");
    await page.goto("/admin");
    await page.click("form[action='/admin/test/storage'] button");
    expect(await page.textContent("main [role=status]")).toContain("Storage works");
    await page.goto("/setup/site");
    expect(await page.title()).not.toContain("Step");
  }, 60_000);
});

describe("an author whose project was rejected", () => {
  test.each(widths)(
    "fixes the problems, ticks them and submits again at %s width",
    async (name, viewport) => {
      const site = await openSite();
      const { url } = site.config.http;
      const owner = await site.make.user();
      const moderator = site.as.user(await site.make.user({ role: "moderator" }));
      const project = await makeProject(site, owner, { status: "draft", description: "Short" });
      await makeVersion(site, owner, project.id);
      await submit(site.as.user(owner), `/project/${project.slug}/submit`, {}, url);
      const path = `/moderation/queue/${project.id}`;
      await submit(moderator, `${path}/claim`, {}, url);
      await submit(moderator, `${path}/decide`, { problem: "description", decision: "draft" }, url);
      await carryOut(site);

      // Axe itself is a script.
      const script = name === "desktop";
      const page = await site.visit(`/project/${project.slug}/moderation`, { viewport, user: owner, script });
      if (script) await expectAccessible(page);
      await page.click(`a[href^='/project/${project.slug}/settings/description']:not(nav a)`);
      await page.fill("textarea[name=description]", "It lights the way at night.");
      await page.click("main form:has(textarea[name=description]) button[type=submit]:not(.quiet)");
      await page.goto(`/project/${project.slug}/moderation`);
      await page.check("[name=fixed][value=description]");
      await page.fill("[name=note-description]", "Says what it does now");
      await page.click("#checklist form button[type=submit]");
      await page.waitForURL("**did=submitted");
      const review = await moderator.get(path, { headers: { accept: "text/html" } });
      expect(review.text).toContain("Says what it does now");
      expect(review.text).toContain("It lights the way at night.");
    },
    60_000,
  );
});
