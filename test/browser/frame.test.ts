// Parts of every page: theme, language, search by key, and no serious finding of axe.
import { describe, expect, test } from "vitest";
import { makeProject } from "#test/worlds/content.js";
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

describe.each(widths)("pages that belong together, at %s width", (_name, viewport) => {
  test("have their navigation and their title in the same place", async () => {
    const admin = await site.make.user({ role: "admin" });
    const { slug } = await makeProject(site, admin);
    const settings = `/project/${slug}/settings`;
    const page = await site.visit("/dashboard", { user: admin, viewport });
    const places = new Set<string>();
    for (const path of ["/dashboard", "/settings/account", "/moderation/queue", "/admin/jobs", `${settings}/members`]) {
      await page.goto(path);
      expect(await page.locator(".section-side [aria-current=page]").getAttribute("href")).toBe(path);
      await expectFits(page);
      const [title, side] = await Promise.all(
        ["h1", ".section-side > .tabs"].map((each) => page.locator(each).boundingBox()),
      );
      // The name of the project is above the tabs of a phone.
      const below = viewport.width < 1024 ? Math.round(title!.y - side!.y) : Math.round(title!.y);
      places.add([title!.x, below, side!.x, side!.width].join(" "));
    }
    expect([...places]).toHaveLength(1);
    if (viewport.width < 1024) return;
    await page.setViewportSize({ width: 320, height: 700 });
    await expectFits(page);
  });
});
