// The program as users get it: packed, installed alone in an empty folder, and run by several versions of Node.js.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { testApp } from "#test/server/harness.js";
import { findNodes, installPacked, root, run } from "#test/setup/packed.js";
import { onFreePort } from "#test/setup/ports.js";
import { makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";

const folder = mkdtempSync(join(tmpdir(), "modshelf-shelf-package-"));
afterAll(() => rmSync(folder, { recursive: true }));

const nodes = await findNodes(folder);
const installed = await installPacked(folder, "cli", async (place) => {
  const { buildCommandLine } = await import(join(root, "scripts/packages.mjs"));
  await buildCommandLine(join(place, "dist/shelf.cjs"));
});
const { world, url } = await onFreePort(async (port) => {
  const url = `http://127.0.0.1:${port}`;
  return { world: await testApp({ port, settings: { MODSHELF_URL: url } }), url };
});
const author = await world.make.user();
const mod = await makeProject(world, author, { slug: "better-grass", name: "Better grass", status: "approved" });
await makeVersion(world, author, mod.id, { versionNumber: "1.4.0", fileName: "better-grass-1.4.0.jar" });

const env = { SHELF_HOST: url, SHELF_CONFIG: join(folder, "config.json") };

describe("the packed program", () => {
  test("is one file and needs no other package", () => {
    const modules = join(installed, "node_modules");
    expect(readdirSync(modules).filter((name) => !name.startsWith("."))).toEqual(["modshelf-cli"]);
    expect(readdirSync(join(modules, "modshelf-cli")).sort()).toEqual(["LICENSE", "README.md", "dist", "package.json"]);
    expect(readdirSync(join(modules, "modshelf-cli/dist"))).toEqual(["shelf.cjs"]);
    const text = readFileSync(join(modules, "modshelf-cli/dist/shelf.cjs"), "utf8");
    const imported = [...text.matchAll(/^import .*? from "([^"]+)";$/gms)].map(([, target]) => target!);
    expect(imported.filter((target) => !target.startsWith("node:"))).toEqual([]);
  });

  test("has a command that npm can start", async () => {
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    expect((await run("npx", ["--offline", "shelf", "--version"], installed)).trim()).toBe(version);
  });

  test.each(nodes)("shows, finds and downloads: %s", async (node) => {
    const shelf = (...args: string[]) =>
      run(node, ["node_modules/modshelf-cli/dist/shelf.cjs", ...args], installed, env);
    expect(await shelf("help")).toContain("completion");
    expect(JSON.parse(await shelf("info", "better-grass", "--json")).version.versionNumber).toBe("1.4.0");
    const target = mkdtempSync(join(folder, "mods-"));
    expect(await shelf("download", "better-grass@1.4.0", "-o", target)).toContain("better-grass-1.4.0.jar");
    expect(readdirSync(target)).toEqual(["better-grass-1.4.0.jar"]);
  });
});
