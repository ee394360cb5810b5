// The server as its users get it: packed, unpacked alone in an empty folder, and started by a user who may write nothing but
// the working folder. A container with a read-only root and systemd give it the same conditions.
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isLong } from "#test/setup/long.js";
import { root, run } from "#test/setup/packed.js";
import { anyPort, build, Program, portOf, temporaryFolder, useProcesses } from "./program.js";

useProcesses({ shared: true });

/** Only root can start programs as another user; other users have no rights to give up. */
const withoutRights = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
/** The folder of Node.js may be closed for others. */
const canStart = spawnSync(process.execPath, ["--version"], withoutRights).status === 0;

/** Does without network what npm does: copies a package and those that it depends on, if they are for this machine. */
function copyPackage(name: string, target: string): void {
  const source = join(root, "node_modules", name);
  if (existsSync(join(target, name)) || !existsSync(source)) return;
  cpSync(source, join(target, name), { recursive: true });
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(source, "package.json"), "utf8"));
  for (const other of Object.keys({ ...dependencies, ...optionalDependencies })) copyPackage(other, target);
}

/** Packs the server and installs it; returns its folder. */
async function install(folder: string): Promise<string> {
  await build();
  const { stageServer } = await import(join(root, "scripts/server-package.mjs"));
  stageServer(join(folder, "stage"));
  await run("npm", ["pack", "--ignore-scripts", "--silent", "./stage"], folder);
  const [tarball = ""] = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
  const modules = join(folder, "installed/node_modules");
  const place = join(modules, "modshelf");
  mkdirSync(place, { recursive: true });
  if (isLong) await run("npm", ["install", "--prefix", "installed", `./${tarball}`], folder);
  else {
    await run("tar", ["-xzf", tarball, "--strip-components=1", "-C", place], folder);
    const { dependencies } = JSON.parse(readFileSync(join(place, "package.json"), "utf8"));
    for (const name of Object.keys(dependencies)) copyPackage(name, modules);
  }
  return place;
}

test.runIf(canStart)("the packed server runs alone, without the right to write its own files", async () => {
  const folder = temporaryFolder();
  chmodSync(folder, 0o755);
  const place = await install(folder);
  expect(readdirSync(place).sort()).toEqual([
    "LICENSE",
    "README.md",
    "deploy",
    "dist",
    "docs",
    "package.json",
    "scripts",
  ]);
  expect(readdirSync(join(place, "dist"))).toEqual(["server"]);
  const { bin, dependencies, engines } = JSON.parse(readFileSync(join(place, "package.json"), "utf8"));
  expect({ dependencies: Object.keys(dependencies), engines }).toEqual({
    dependencies: ["sharp"],
    engines: { node: ">=24.7" },
  });
  await run("chmod", ["-R", "a-w", join(folder, "installed")], folder);

  const cwd = join(folder, "site");
  mkdirSync(cwd);
  chmodSync(cwd, 0o777);
  const options = { cwd, env: { PATH: process.env.PATH, ...anyPort }, ...withoutRights };
  const loaded = spawnSync(process.execPath, ["-e", `require("${join(place, "../sharp")}")`], options);
  expect(loaded.stderr.toString()).toBe("");
  const program = new Program(
    spawn(process.execPath, [join(place, bin.modshelf)], { ...options, stdio: ["ignore", "pipe", "pipe"] }),
  );
  const origin = `http://127.0.0.1:${await portOf(program)}`;
  const [page, api, ready] = await Promise.all(
    ["/", "/api", "/readyz"].map(async (path) => {
      const answer = await fetch(`${origin}${path}`, { headers: { host: "localhost" } });
      return { status: answer.status, text: await answer.text() };
    }),
  );
  expect(page).toEqual({ status: 200, text: expect.stringContaining("<title>Modshelf</title>") });
  expect(api).toEqual({ status: 200, text: expect.stringContaining("registry and download host") });
  expect(ready?.status).toBe(200);
  program.child.kill("SIGTERM");
  await program.exited;
  expect(program.stdout).toContain('"Stopped"');
  expect(readdirSync(cwd)).toEqual(["data"]);
  expect(existsSync(join(place, ".runtime"))).toBe(false);
});
