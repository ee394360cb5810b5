// The browser for the tests of pages: the machine's Chromium, or Debian's, installed if that is possible.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    chromiumPath: string;
  }
}

const places = [
  process.env.CHROMIUM_PATH,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/snap/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

const find = (): string | undefined => places.find((path) => path !== undefined && existsSync(path));

/** If there is no Chromium and it may not be installed, `npm test` skips these tests; `npm run test:pages` says so. */
export const canBrowse = (): boolean => find() !== undefined || canInstall();

const canInstall = (): boolean => process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");

export function setup(project: TestProject): void {
  const path = find() ?? install();
  project.provide("chromiumPath", path);
}

function install(): string {
  if (canInstall()) {
    // biome-ignore lint/suspicious/noConsole: it takes a minute, and the user should know why.
    console.info("Installing Chromium for the tests of pages (apt-get).");
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    execFileSync("apt-get", ["update", "-q"], { stdio: "ignore", env });
    execFileSync("apt-get", ["install", "-y", "-q", "--no-install-recommends", "chromium"], { stdio: "ignore", env });
  }
  const path = find();
  if (!path) throw new Error("The tests of pages need Chromium: install it, or name it in CHROMIUM_PATH.");
  return path;
}
