// The API reference: the search box shows entries with all words, the list at the side follows the reading position, and
// no page is large.
import { describe, expect, test } from "vitest";
import { desktop, expectAccessible, expectFits, openSite, phone } from "./browser.js";

const site = await openSite();

const words = {
  en: { field: "Search the reference", found: /^\d+ found$/, none: "No results contain all of these words." },
  de: { field: "In der Referenz suchen", found: /^\d+ gefunden$/, none: /^Kein Treffer enthält alle diese Wörter/ },
};

describe.each(["en", "de"] as const)("the search box of the reference (%s)", (locale) => {
  test("is reached with a key, and shows only entries with all words", async () => {
    const page = await site.visit("/api/docs", { locale });
    const box = page.getByRole("searchbox", { name: words[locale].field });
    const outcome = page.locator("[data-docs-find] output");
    const all = await page.locator(".docs-entry:visible").count();
    await page.keyboard.press("/");
    expect(await box.evaluate((input) => input === input.ownerDocument.activeElement)).toBe(true);
    expect(await box.inputValue()).toBe("");
    await page.keyboard.type("PICTURE gallery");
    await page.locator("#createGalleryItem").waitFor();
    expect(await page.locator("#signIn").isVisible()).toBe(false);
    expect(await page.locator("#tag-sign-in").isVisible()).toBe(false);
    expect(await outcome.textContent()).toMatch(words[locale].found);
    await page.keyboard.type(" xyzzy");
    expect(await page.locator(".docs-entry:visible").count()).toBe(0);
    expect(await outcome.textContent()).toMatch(words[locale].none);
    await box.fill("");
    expect(await page.locator(".docs-entry:visible").count()).toBe(all);
    expect(await outcome.textContent()).toBe("");
  });
});

test("a search from far down the page scrolls to the first match", async () => {
  const page = await site.visit("/api/docs", { viewport: phone });
  await page.locator("#getHealth").scrollIntoViewIfNeeded();
  await page.locator("[data-docs-find] input").fill("gallery picture");
  const first = page.locator(".docs-entry:visible").first();
  const box = (await first.boundingBox())!;
  expect(box.y).toBeGreaterThan(0);
  expect(box.y).toBeLessThan(phone.height);
});

test("the list at the side marks the current entry, and keeps it in view", async () => {
  for (const id of ["createVersion", "getWebhook", "signUp"]) {
    const page = await site.visit(`/api/docs#${id}`, { viewport: desktop });
    await page.waitForURL(`**/api/docs/*#${id}`);
    await page.locator(`.operation#${id}`).evaluate((section) => section.scrollIntoView());
    const entry = page.locator(".docs-nav [aria-current]");
    await page.locator(`.docs-nav a[href='#${id}'][aria-current]`).waitFor();
    expect(await entry.count()).toBe(1);
    const box = (await entry.boundingBox())!;
    expect(box.y).toBeGreaterThanOrEqual(0);
    expect(box.y + box.height).toBeLessThanOrEqual(desktop.height);
    await page.context().close();
  }
});

test("an anchor of the former single page leads to the section, which shows the answer of a real server", async () => {
  for (const viewport of [desktop, phone]) {
    const page = await site.visit("/api/docs#getProject", { viewport });
    await page.waitForURL("**/api/docs/*#getProject");
    const heading = (await page.locator("#getProject h3").boundingBox())!;
    const finder = (await page.locator("[data-docs-find]").boundingBox())!;
    expect(heading.y).toBeGreaterThanOrEqual(finder.y + finder.height);
    await page.locator("#getProject .example-answer summary").click();
    expect(await page.locator("#getProject .example-answer pre").textContent()).toContain('"slug": "better-grass"');
    await page.goto("/api/docs#tag-webhooks");
    await page.waitForURL("**/api/docs/webhooks#tag-webhooks");
  }
});

test("without script, an anchor of the former single page leads to the entry of the index", async () => {
  const page = await site.visit("/api/docs#getProject", { script: false });
  await page.click(".docs-entry#getProject a");
  await page.waitForURL("**/api/docs/*#getProject");
  expect(await page.locator(".operation#getProject").isVisible()).toBe(true);
});

test("no page of the reference is too large for a phone", async () => {
  const page = await site.visit("/api/docs", { viewport: phone });
  const countNodes = () => page.evaluate<number>("document.querySelectorAll('*').length");
  expect(await countNodes()).toBeLessThan(2500);
  const paths = await page
    .locator(".docs-nav .group")
    .evaluateAll((links) => links.map((link) => link.getAttribute("href")!));
  expect(paths.length).toBeGreaterThan(15);
  for (const path of paths) {
    await page.goto(path);
    expect(await countNodes(), path).toBeLessThan(4000);
    await expectFits(page);
  }
});

test("the search box has no findings of axe", async () => {
  const page = await site.visit("/api/docs", { theme: "dark", viewport: phone });
  await page.locator("[data-docs-find] input").fill("webhook secret");
  await expectAccessible(page, ["label", "aria-allowed-attr", "aria-valid-attr-value", "scrollable-region-focusable"]);
});
