// Parts of every page: theme, language, search by key, and no serious finding of axe.
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

test("a key focuses the search field", async () => {
  const page = await site.visit("/");
  await page.keyboard.press("/");
  expect(await page.evaluate("document.activeElement.name")).toBe("q");
});

test("a key shows the keyboard shortcuts, and Escape closes them", async () => {
  const page = await site.visit("/");
  const dialog = page.locator("dialog.keys");
  await page.keyboard.press("?");
  await dialog.waitFor({ state: "visible" });
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  await page.fill("[data-search]", "?");
  expect(await dialog.isVisible()).toBe(false);
});

test("a page is prefetched while the pointer rests on its link, within the content security policy", async () => {
  const page = await site.visit("/about");
  const ahead = page.context().waitForEvent("request", (request) => request.headers()["sec-purpose"] === "prefetch");
  await page.hover(".site-footer a[href='/legal/rules']");
  expect(new URL((await ahead).url()).pathname).toBe("/legal/rules");
});

test("a pressed button shows that it is busy, and sends its form once", async () => {
  const page = await site.visit("/collections/new", { user: await site.make.user() });
  const sent: string[] = [];
  page.on("request", (request) => request.method() === "POST" && sent.push(request.url()));
  await page.fill("[name=name]", "Shelf");
  // The page is closed before a test could query it.
  await page.evaluate(`new MutationObserver(() => {
    const button = document.querySelector("button[aria-busy=true]");
    if (button) sessionStorage.setItem("said", button.textContent);
  }).observe(document.body, { attributes: true, childList: true, subtree: true })`);
  await page.locator("main form[action='/collections/new'] button[type=submit]").dblclick();
  await page.waitForURL("**/collection/*/edit");
  expect(await page.evaluate("sessionStorage.getItem('said')")).toBe("One moment…");
  expect(sent).toHaveLength(1);
});

test("a page that does not exist keeps the header of a member, whose menu works", async () => {
  const user = await site.make.user();
  for (const path of ["/no/such/page", "/project/no-such-project"]) {
    const page = await site.visit(path, { user });
    expect(await page.textContent("h1")).toMatch(/not found/i);
    expect(await page.textContent(".site-header")).toContain(user.userName);
    expect(await page.locator("a[href^='/auth/sign-in']").count()).toBe(0);
    await expectAccessible(page);
  }
  const page = await site.visit("/no/such/page", { user });
  await page.click(".site-header .menu summary");
  await page.click("form[action='/auth/sign-out'] button");
  await page.waitForURL("**/");
  expect(await page.textContent(".site-header")).not.toContain(user.userName);
});
