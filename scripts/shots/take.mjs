// Starts a site of its own, signs two people up, and takes the pictures.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import sharp from "sharp";
import { root } from "../files.mjs";
import { emptyPages, pages, readmePictures } from "./pages.mjs";

const options = Object.fromEntries(process.argv.slice(2).map((word) => word.replace(/^--/, "").split("=")));
const program = join(root, "dist", "server", "src", "main.js");
const widths = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };
const themes = ["light", "dark"];
const places = [process.env.CHROMIUM_PATH, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

const freePort = () =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });

async function startSite(command) {
  const folder = mkdtempSync(join(tmpdir(), "modshelf-shots-"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    ...process.env,
    MODSHELF_DATA_DIR: folder,
    MODSHELF_PORT: String(port),
    MODSHELF_URL: url,
    MODSHELF_RATE_LIMITS: "off",
    MODSHELF_LOG_LEVEL: "warn",
  };
  const server = spawn(process.execPath, [program, command], { env, stdio: ["ignore", "ignore", "inherit"] });
  await until(async () => (await fetch(`${url}/readyz`)).ok);
  const people = { user: await signUp(url, "rowan"), admin: await signUp(url, "keeper") };
  await end(spawn(process.execPath, [program, "admin", "role", "keeper", "admin"], { env, stdio: "ignore" }));
  return {
    url,
    people,
    async stop() {
      server.kill("SIGTERM");
      await end(server);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const end = (child) => new Promise((resolve) => child.once("exit", resolve));

/** The value of the session cookie. */
async function signUp(url, userName) {
  const response = await fetch(`${url}/api/auth/signup`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: url },
    body: JSON.stringify({ userName, email: `${userName}@example.com`, password: "correct horse battery" }),
  });
  return /auth-token=([^;]+)/.exec(response.headers.get("set-cookie") ?? "")[1];
}

async function until(isTrue) {
  for (let tries = 0; tries < 600; tries++) {
    if (await isTrue().catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error("The site did not come up");
}

async function photograph(browser, site, folder, wanted) {
  mkdirSync(folder, { recursive: true });
  for (const [size, viewport] of Object.entries(widths))
    for (const theme of themes)
      for (const [name, path, who] of wanted) {
        const context = await browser.newContext({ baseURL: site.url, viewport, colorScheme: theme });
        if (who) await context.addCookies([{ name: "auth-token", value: site.people[who], url: site.url }]);
        const page = await context.newPage();
        const response = await page.goto(path);
        const file = join(folder, `${name}-${size}-${theme}.png`);
        await page.screenshot({ path: file, fullPage: true, clip: await firstScreens(page) });
        if (folder.endsWith("demo") && size === "desktop" && readmePictures.has(`${name}-${theme}`))
          await keepForReadme(page, `${name}-${theme}`);
        console.log(`${response?.status()} ${path} ${size} ${theme}`);
        await context.close();
      }
}

/** The API reference is a hundred screens long. */
const firstScreens = (page) =>
  page.evaluate(() => ({
    ...{ x: 0, y: 0, width: document.documentElement.clientWidth },
    height: Math.min(document.documentElement.scrollHeight, 6000),
  }));

/** The first screen only, small. */
async function keepForReadme(page, name) {
  const folder = join(root, "docs", "images");
  mkdirSync(folder, { recursive: true });
  const picture = await page.screenshot({ fullPage: false });
  await sharp(picture)
    .resize({ width: 800 })
    .webp({ quality: 60, effort: 6 })
    .toFile(join(folder, `${name}.webp`));
}

const executablePath = places.find((path) => path && existsSync(path));
if (!executablePath) throw new Error("Pictures need Chromium: install it, or name it in CHROMIUM_PATH.");
const browser = await chromium.launch({
  executablePath,
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"],
});
const wanted = pages.filter(([name]) => new RegExp(options.only ?? "").test(name));
const full = await startSite("demo");
// What the demo makes last.
await until(async () => (await (await fetch(`${full.url}/api/user/okonkwo/collections`)).json()).length > 0);
await photograph(browser, full, join(root, "shots", "demo"), wanted);
await full.stop();
if (options.empty !== "no") {
  const empty = await startSite("serve");
  await photograph(
    browser,
    empty,
    join(root, "shots", "empty"),
    wanted.filter(([name]) => emptyPages.has(name)),
  );
  await empty.stop();
}
await browser.close();
