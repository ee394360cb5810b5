// What every page has: theme, language, search by key, and nothing that axe finds serious.
import { describe, expect, test } from "vitest";
import { expectAccessible, expectFits, openSite, widths } from "./browser.js";

const site = await openSite();

describe.each(widths)("the frame at %s width", (_name, viewport) => {
  test.each(["light", "dark"] as const)("is accessible and fits in the %s theme", async (theme) => {
    const page = await site.visit("/", { viewport, theme });
    await expectAccessible(page);
    await expectFits(page);
  });

  test.each([true, false])("changes theme and language (script: %s)", async (script) => {
    const page = await site.visit("/", { viewport, script });
    await page.selectOption("select[name=theme]", "dark");
    if (!script) await page.click(".footer-form button");
    await page.waitForSelector("html[data-theme=dark]");
    await page.selectOption("select[name=lang]", "de");
    if (!script) await page.click(".footer-form button");
    await page.waitForSelector("html[lang=de]");
    expect(await page.textContent(".site-footer")).toContain("Datenschutz");
  });
});

test("the search field is one key away", async () => {
  const page = await site.visit("/");
  await page.keyboard.press("/");
  expect(await page.evaluate("document.activeElement.name")).toBe("q");
});
