// A real browser on a real site: pages at desktop and phone width, with and without script, as a guest or signed in.
import { join } from "node:path";
import AxeBuilder from "axe-core";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, expect, inject } from "vitest";
import type { TestUser } from "#test/callers/actors.js";
import { type TestApp, type TestOptions, testApp } from "#test/server/harness.js";
import { root } from "#test/setup/packed.js";
import { onFreePort } from "#test/setup/ports.js";

const { chromiumFlags } = await import(join(root, "scripts/chromium-flags.mjs"));
let shared: Promise<Browser> | undefined;

/** One for all tests of this process: starting it takes longer than most of them. */
const openBrowser = (): Promise<Browser> => {
  shared ??= chromium.launch({ executablePath: inject("chromiumPath"), args: chromiumFlags });
  return shared;
};

/** A blank page that belongs to no site; the caller closes its context. */
export async function openPage(): Promise<Page> {
  return (await (await openBrowser()).newContext()).newPage();
}

export const desktop = { width: 1280, height: 900 };
export const phone = { width: 390, height: 844 };
/** Each flow is tested at both widths. */
export const widths = [
  ["desktop", desktop],
  ["phone", phone],
] as const;

export interface Visitor {
  viewport?: { width: number; height: number };
  /** On by default. */
  script?: boolean;
  theme?: "light" | "dark";
  locale?: "en" | "de";
  /** With the few colors of a high-contrast theme. */
  forced?: boolean;
  user?: TestUser;
}

export interface Site extends TestApp {
  /** A fresh profile with one page. Paths are relative to the site. */
  visit(path: string, visitor?: Visitor): Promise<Page>;
}

export interface SiteOptions extends TestOptions {
  /** Another host name of this machine. */
  host?: string;
}

/** A separate site for a test file, at its configured URL. */
export async function openSite({ host = "127.0.0.1", ...options }: SiteOptions = {}): Promise<Site> {
  const { world, url } = await onFreePort(async (port) => {
    const url = `http://${host}:${port}`;
    return { world: await testApp({ ...options, port, settings: { MODSHELF_URL: url, ...options.settings } }), url };
  });
  const browser = await openBrowser();
  const contexts: BrowserContext[] = [];
  afterAll(async () => {
    for (const context of contexts) await context.close();
  });
  return {
    ...world,
    async visit(
      path,
      { viewport = desktop, script = true, theme = "light", locale = "en", forced = false, user } = {},
    ) {
      const context = await browser.newContext({
        baseURL: url,
        viewport,
        javaScriptEnabled: script,
        colorScheme: theme,
        forcedColors: forced ? "active" : "none",
        // Page transitions would make every step of a test wait.
        reducedMotion: "reduce",
        locale: locale === "en" ? "en-GB" : "de-DE",
        permissions: ["clipboard-read", "clipboard-write"],
      });
      contexts.push(context);
      if (user) await context.addCookies([{ name: "auth-token", value: user.sessionToken, url }]);
      const page = await context.newPage();
      page.setDefaultTimeout(60_000);
      failOnTrouble(page);
      await page.goto(path);
      return page;
    },
  };
}

/** Scripts that throw and violations of the content security policy fail the test. */
function failOnTrouble(page: Page): void {
  page.on("pageerror", (error) => {
    throw new Error(`A script on ${page.url()} failed: ${error.message}`);
  });
  page.on("console", (message) => {
    if (/Content Security Policy/i.test(message.text()))
      throw new Error(`${page.url()} breaks its own policy: ${message.text()}`);
  });
}

/** Fails on serious findings of axe. `rules`: checks only these. */
export async function expectAccessible(page: Page, rules?: readonly string[]): Promise<void> {
  await page.evaluate(AxeBuilder.source);
  const violations = await page.evaluate(async (runOnly) => {
    // biome-ignore lint/suspicious/noExplicitAny: axe is a global of the page, not of this file.
    const results = await (globalThis as any).axe.run({ resultTypes: ["violations"], ...(runOnly && { runOnly }) });
    // biome-ignore lint/suspicious/noExplicitAny: its types are of no use inside the page.
    return results.violations.map((one: any) => ({
      rule: one.id,
      impact: one.impact,
      // biome-ignore lint/suspicious/noExplicitAny: as above.
      where: one.nodes.slice(0, 3).map((node: any) => node.html.slice(0, 200)),
    }));
  }, rules);
  const serious = violations.filter(({ impact }: { impact: string }) => ["serious", "critical"].includes(impact));
  expect(serious, page.url()).toEqual([]);
}

/** The layout shift while a page settles. */
export const shiftOf = (page: Page): Promise<number> =>
  page.evaluate(
    `new Promise((done) => {
      let sum = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) sum += entry.value;
      }).observe({ type: "layout-shift", buffered: true });
      setTimeout(() => done(sum), 100);
    })`,
  );

/** The page does not scroll sideways. */
export async function expectFits(page: Page): Promise<void> {
  const { wide, width } = await page.evaluate(() => ({
    wide: document.documentElement.scrollWidth,
    width: document.documentElement.clientWidth,
  }));
  expect(wide, page.url()).toBeLessThanOrEqual(width);
}
