// Starts two separate sites, one with content and one empty, and takes the screenshots.
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import sharp from "sharp";
import { chromiumFlags } from "../chromium-flags.mjs";
import { root } from "../files.mjs";
import { emptyPages, firstRun, pages, readmePictures } from "./pages.mjs";
import { password, startSite, until } from "./site.mjs";
import { fillForShots, findNames } from "./world.mjs";

const options = Object.fromEntries(process.argv.slice(2).map((word) => word.replace(/^--/, "").split("=")));
const widths = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };
const themes = ["light", "dark"];
/** Pictures in another language do not replace those in English. */
const folderOf = (name) => join(root, "shots", options.language ? `${name}-${options.language}` : name);
const places = [process.env.CHROMIUM_PATH, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

const isTaken = (view) => !options.views || options.views.split(",").includes(view);
const isWanted = ([name]) => new RegExp(options.only ?? "").test(name);

async function photograph(site, folder, wanted) {
  mkdirSync(folder, { recursive: true });
  for (const [size, viewport] of Object.entries(widths))
    for (const theme of themes.filter((each) => isTaken(`${size}-${each}`))) {
      await site.refresh();
      for (const [name, path, who, different = {}] of wanted.filter(isWanted)) {
        const { page, status } = await visit(site, { path, who, different, viewport, theme });
        await page.evaluate(loadPictures);
        const file = join(folder, `${name}-${size}-${theme}.png`);
        await page.screenshot({ path: file, fullPage: true, clip: await firstScreens(page) });
        console.log(`${status} ${name} ${size} ${theme}`);
        await page.context().close();
      }
    }
}

async function visit(site, { path, who, different, viewport, theme, scale = 1 }) {
  const { signsIn, presses, wanted, ...cookies } = different;
  const { url } = site;
  const look = { viewport, deviceScaleFactor: scale, colorScheme: theme, reducedMotion: "reduce" };
  if (options.language) look.locale = options.language;
  const context = await browser.newContext({ baseURL: url, ...look });
  if (who) cookies["auth-token"] = site.people[who].session;
  await context.addCookies(Object.entries(cookies).map(([name, value]) => ({ name, value, url })));
  const page = await context.newPage();
  const address = await fill(path, site.names);
  let response = await page.goto(address);
  if (!(await page.evaluate(hasOwnFonts))) response = await page.reload();
  while (wanted !== undefined && response.status() !== wanted) response = await page.goto(address);
  if (signsIn) await signIn(page, site.people[signsIn]);
  if (presses) await press(page, presses);
  return { page, status: response?.status() };
}

/** Fonts that arrive late are used from the next page on (font-display). In a monospace font, both texts are as wide. */
function hasOwnFonts() {
  const probe = document.body.appendChild(document.createElement("span"));
  probe.style.cssText = "position: absolute; font-family: Figtree, monospace";
  const [narrow, wide] = ["iiii", "mmmm"].map((text) => {
    probe.textContent = text;
    return probe.offsetWidth;
  });
  probe.remove();
  return narrow !== wide;
}

/** Puts names into a path. Some are found when they are needed, because they change. */
async function fill(path, names) {
  const [, word] = /\{(\w+)\}/.exec(path) ?? [];
  if (!word) return path;
  const name = typeof names[word] === "function" ? await names[word]() : names[word];
  return fill(path.replace(`{${word}}`, name), names);
}

async function signIn(page, { userName }) {
  await page.fill("main [name=login]", userName);
  await page.fill("main [name=password]", password);
  await page.press("main [name=password]", "Enter");
  await page.waitForSelector("main [name=code]");
}

/** For a page that is there only after a button was pressed; before, its path redirects to the page of the button. */
async function press(page, button) {
  const before = page.url();
  await Promise.all([page.waitForURL((url) => url.href !== before), page.click(button)]);
}

/** Pictures below the first screen are loaded when they are scrolled to, which a screenshot of the whole page does not do. */
async function loadPictures() {
  for (const picture of document.images) picture.loading = "eager";
  await Promise.allSettled([...document.images].map((picture) => picture.decode()));
}

/** Limits the height: the API reference is a hundred screens long. */
const firstScreens = (page) =>
  page.evaluate(() => ({
    ...{ x: 0, y: 0, width: document.documentElement.clientWidth },
    height: Math.min(document.documentElement.scrollHeight, 6000),
  }));

/** Starts a site with the demo content. */
async function startDemo() {
  const site = await startSite("demo");
  // The demo creates this last.
  await until(async () => (await (await fetch(`${site.url}/api/user/okonkwo/collections`)).json()).length > 0);
  await site.join("admin", "keeper", "admin");
  return site;
}

/** Takes only the first screen, small. */
async function takeForReadme() {
  const site = await startDemo();
  const folder = join(root, "docs", "images");
  mkdirSync(folder, { recursive: true });
  for (const [name, path, theme] of readmePictures) {
    const { page } = await visit(site, { path, different: {}, viewport: widths.desktop, theme, scale: 2 });
    await page.waitForLoadState("networkidle");
    const picture = await page.screenshot();
    await page.context().close();
    await sharp(picture)
      .resize({ width: 1600 })
      .webp({ quality: 60, effort: 6 })
      .toFile(join(folder, `${name}-${theme}.webp`));
  }
  await site.stop();
}

async function takeFull() {
  const site = await startDemo();
  await site.join("user", "rowan");
  await site.join("friend", "sorrel");
  await fillForShots(site);
  site.names = await findNames(site);
  await photograph(site, folderOf("demo"), pages);
  await site.stop();
}

async function takeEmpty() {
  const site = await startSite("serve");
  const folder = folderOf("empty");
  const code = (await site.setupLink()).searchParams.get("code");
  site.names = { code };
  await photograph(site, folder, firstRun.slice(0, 2));
  await site.begin(code, "keeper");
  await photograph(site, folder, firstRun.slice(2));
  await site.people.admin.call("POST", "/setup/content", { preset: "included" });
  await site.join("user", "rowan");
  await photograph(site, folder, emptyPages);
  await site.stop();
}

/** The page for callers that exceed the rate limit; constant requests keep the quota used up. */
async function takeLimit() {
  const site = await startSite("serve", { MODSHELF_RATE_LIMITS: "on" });
  let isTaking = true;
  const ask = async () => {
    while (isTaking) await fetch(`${site.url}/search?q=lamps`);
  };
  const asking = Array.from({ length: 4 }, ask);
  await until(async () => (await fetch(`${site.url}/search?q=lamps`)).status === 429);
  await photograph(site, folderOf("empty"), [["too-often", "/search?q=lamps", undefined, { wanted: 429 }]]);
  isTaking = false;
  await Promise.all(asking);
  await site.stop();
}

const executablePath = places.find((path) => path && existsSync(path));
if (!executablePath) throw new Error("Screenshots need Chromium. Install it, or set CHROMIUM_PATH to its path.");
const browser = await chromium.launch({ executablePath, args: chromiumFlags });
const parts = { demo: takeFull, empty: takeEmpty, limit: takeLimit, readme: takeForReadme };
for (const [name, take] of Object.entries(parts)) if ([undefined, name].includes(options.part)) await take();
await browser.close();
