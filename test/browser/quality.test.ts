// Every page of the site, from the routes: no serious findings of axe, no violations of the content security policy, no
// horizontal scrolling at 320 px (which is 1280 px at 400 %), no layout shift, and within the size budget.
import { gzipSync } from "node:zlib";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, describe, expect, test } from "vitest";
import { type SitePage, siteWorld, type Who } from "#test/worlds/site-world.js";
import { expectAccessible, expectFits, openSite, shiftOf } from "./browser.js";

const site = await openSite();
const { people, pages } = await siteWorld(site);

const narrow = { width: 320, height: 640 };
const wide = { width: 1280, height: 900 };
/** The rules of axe for the dark theme of a page whose light theme is checked: everything else is the same there. */
const colorRules = ["color-contrast", "link-in-text-block"];

/** One window for each kind of visitor: opening one takes longer than loading a page. */
const windows = new Map<string, Promise<Page>>();
const contexts: BrowserContext[] = [];
afterAll(async () => {
  for (const context of contexts) await context.close();
});

function windowOf(who: Who, theme: "light" | "dark" | "forced"): Promise<Page> {
  const key = `${who} ${theme}`;
  let page = windows.get(key);
  if (!page) {
    const visitor = { ...(who !== "guest" && { user: people[who] }), viewport: wide };
    page = site.visit("/about", { ...visitor, theme: theme === "dark" ? "dark" : "light", forced: theme === "forced" });
    windows.set(key, page);
  }
  return page;
}

async function open(
  { path, who, status }: SitePage,
  theme: "light" | "dark" | "forced",
  viewport = wide,
): Promise<Page> {
  const page = await windowOf(who, theme);
  await page.setViewportSize(viewport);
  const reply = await page.goto(path);
  expect(reply?.status(), path).toBe(status);
  return page;
}

test("all kinds of visitors have pages", () => {
  expect(new Set(pages.map(({ who }) => who))).toEqual(new Set(["guest", "author", "moderator", "admin"]));
  expect(pages.length).toBeGreaterThan(80);
  expect(samples.map(({ id }) => id).sort()).toEqual([...sampleIds].sort());
});

/** One page of each layout. */
const sampleIds = [
  ...["getHomePage", "getProjectPage", "getVersionsPage", "getSignInPage", "getNewProjectPage", "getDashboardPage"],
  ...["getQueuePage", "getAdminPage"],
];
const samples = pages.filter(({ id }) => sampleIds.includes(id));

/** `npm test` checks only these. */
describe.each(process.env.PAGES === "full" ? pages : samples)("$id ($path)", (page) => {
  test("is accessible, fits and does not shift", async () => {
    const shown = await open(page, "light");
    expect(await shiftOf(shown)).toBeLessThan(0.02);
    await expectAccessible(shown);
    await shown.setViewportSize(narrow);
    await expectFits(shown);
    const inTheDark = await open(page, "dark", narrow);
    await expectAccessible(inTheDark, colorRules);
  });
});

describe.each([
  ["a missing page", "/project/there-is-no-such-project", "guest"],
  ["a page without access", "/admin", "author"],
  ["a list without results", "/search?q=zzzzzz", "guest"],
] as const)("%s", (_name, path, who) => {
  test.each(["light", "dark"] as const)("is accessible and fits in the %s theme", async (theme) => {
    const page = await windowOf(who, theme);
    await page.setViewportSize(narrow);
    await page.goto(path);
    await expectAccessible(page);
    await expectFits(page);
  });
});

test("a refused form is accessible and fits, in both languages", async () => {
  for (const locale of ["en", "de"] as const) {
    const page = await site.visit("/collections/new", { user: people.author, script: false, viewport: narrow, locale });
    // Long enough for the browser, but not for the server.
    await page.fill("[name=name]", "   ");
    await page.locator("main form[method=post] button[type=submit]").click();
    await page.waitForSelector(".notice.problem");
    await expectFits(page);
  }
});

test.each(samples)("$id is accessible in forced colors", async (page) => {
  const shown = await open(page, "forced");
  await expectAccessible(shown);
  await shown.keyboard.press("Tab");
  const outline = await shown.evaluate("getComputedStyle(document.activeElement).outlineStyle");
  expect(outline).not.toBe("none");
});

const kilobyte = 1024;
/** Kilobytes of HTML, CSS and scripts, and requests except for pictures (web.md D.3). */
const budgets = {
  read: { html: 30, css: 14, script: 15, requests: 12 },
  write: { html: 25, css: 14, script: 45, requests: 15 },
  desk: { html: 40, css: 16, script: 80, requests: 20 },
};

function budgetOf({ id, path, who }: SitePage): (typeof budgets)["read"] | undefined {
  // This page has the whole API.
  if (id === "getApiReference") return undefined;
  if (who === "moderator" || who === "admin") return budgets.desk;
  return /\/(?:settings|new|edit|collections|organizations|auth)\b/.test(path) ? budgets.write : budgets.read;
}

const compressed = new Map<string, Promise<number>>();

/** Most pages share their scripts and styles, so each is requested once. */
function compressedSize(address: string): Promise<number> {
  const known = compressed.get(address) ?? site.as.anyone.get(address).then(({ bytes }) => gzipSync(bytes).length);
  compressed.set(address, known);
  return known;
}

test.each(pages)("$id ($path) is within its size budget", async (page) => {
  const budget = budgetOf(page);
  if (!budget) return;
  const actor = page.who === "guest" ? site.as.anyone : site.as.user(people[page.who]);
  const { bytes, text } = await actor.get(page.path, { headers: { accept: "text/html" } });
  const load = async (pattern: RegExp) => {
    const found = [...text.matchAll(pattern)];
    const sizes = await Promise.all(found.map(([, address]) => compressedSize(address!)));
    return { count: sizes.length, size: sizes.reduce((sum, size) => sum + size, 0) };
  };
  const scripts = await load(/<script type="module" src="([^"]+)"/g);
  const styles = await load(/<link rel="stylesheet" href="([^"]+)"/g);
  expect(gzipSync(bytes).length, "HTML").toBeLessThan(budget.html * kilobyte);
  expect(scripts.size, "scripts").toBeLessThan(budget.script * kilobyte);
  expect(styles.size, "CSS").toBeLessThan(budget.css * kilobyte);
  expect(1 + scripts.count + styles.count, "requests").toBeLessThanOrEqual(budget.requests);
});
