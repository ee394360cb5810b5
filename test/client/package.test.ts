// The package as programs get it: packed, installed without network in an empty folder, and used by the recipes of
// docs/client.md against a real server. `npm test` uses the Node.js versions of this machine, `npm run test:long` all that
// the package supports, Deno and Bun.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { jar } from "#test/callers/uploads.js";
import { drawPicture } from "#test/files/pictures.js";
import { testApp } from "#test/server/harness.js";
import { findNodes, findOtherRuntimes, installPacked, root, run } from "#test/setup/packed.js";
import { onFreePort } from "#test/setup/ports.js";
import { makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";

const compiler = join(root, "node_modules/typescript/bin/tsc");
const folder = mkdtempSync(join(tmpdir(), "modshelf-package-"));
afterAll(() => rmSync(folder, { recursive: true }));

const runtimes = [...(await findNodes(folder)).map((node) => [node]), ...(await findOtherRuntimes(folder))];

const { world, url } = await onFreePort(async (port) => {
  const url = `http://127.0.0.1:${port}`;
  return { world: await testApp({ port, settings: { MODSHELF_URL: url } }), url };
});
const author = await world.make.user();
const library = await makeProject(world, author, { slug: "grass-api", name: "Grass API" });
await makeVersion(world, author, library.id, { versionNumber: "2.0.0", fileName: "grass-api-2.0.0.jar" });
const mod = await makeProject(world, author, { slug: "better-grass", name: "Better grass" });
for (const versionNumber of ["1.3.0", "1.4.0"])
  await makeVersion(world, author, mod.id, {
    versionNumber,
    fileName: `better-grass-${versionNumber}.jar`,
    dependencies: [{ projectId: library.id, versionId: null, type: "required" }],
  });
await makeProject(world, author, { slug: "fancy-lamps" });
const { value: token } = await world.make.token(author, {
  scopes: ["project_create", "project_read", "project_write", "version_create", "version_read"],
});

const text = readFileSync(join(root, "docs/client.md"), "utf8");
const recipes = [...text.matchAll(/^```js\n(.+?)^```/gms)].map(([, code]) => code!);

/** The output of each recipe, in the order of the page. */
const printed = (round: number): string[] => [
  "better-grass Better grass\ngrass-api Grass API",
  "1.4.0 better-grass-1.4.0.jar",
  join("mods", "better-grass-1.3.0.jar"),
  "better-grass-1.3.0.jar 1.3.0\nother.jar unknown",
  "mods/better-grass-1.3.0.jar is now better-grass-1.4.0.jar",
  "grass-api 2.0.0\nbetter-grass 1.4.0",
  round === 0 ? "2.0.0 is published" : "2.0.0 was published before",
  "draft",
  "There is no such project. projectNotFound",
  "true true",
];

beforeAll(async () => {
  const installed = await installPacked(folder, "client", (client) =>
    run(process.execPath, [compiler, "-p", join(root, "packages/client"), "--outDir", join(client, "dist")], folder),
  );
  mkdirSync(join(installed, "mods"));
  for (const [i, code] of recipes.entries())
    writeFileSync(join(installed, `recipe-${i}.mjs`), code.replaceAll("https://mods.example.org", url));
  writeFileSync(
    join(installed, "all.mjs"),
    `const printed = [];
    for (let i = 0; i < ${recipes.length}; i++) {
      const lines = [];
      console.log = (...all) => lines.push(all.join(" "));
      await import("./recipe-" + i + ".mjs");
      printed.push(lines.join("\\n"));
    }
    process.stdout.write(JSON.stringify(printed));`,
  );
  mkdirSync(join(installed, "build"));
  writeFileSync(join(installed, "build/fancy-lamps-2.0.0.jar"), jar());
  writeFileSync(join(installed, "icon.png"), await (await drawPicture()).bytes());
});

describe("the packed client", () => {
  test("contains plain JavaScript and declarations, and nothing of the server", () => {
    const dist = join(folder, "installed/node_modules/modshelf-client/dist");
    const files = readdirSync(dist);
    expect(files).toContain("entry.d.ts");
    expect(files.filter((name) => !/\.(?:js|d\.ts)$/.test(name))).toEqual([]);
    const targets = files.flatMap((name) =>
      [...readFileSync(join(dist, name), "utf8").matchAll(/\b(?:from |import\()"([^"]+)"/g)].map(([, to]) => to!),
    );
    expect(targets.length).toBeGreaterThan(30);
    expect(targets.filter((to) => !/^\.\/[a-z-]+\.js$|^node:/.test(to))).toEqual([]);
  });

  test("is typed for programs in strict mode, without other packages", async () => {
    const installed = join(folder, "installed");
    writeFileSync(
      join(installed, "typed.mts"),
      `import { createClient, type Project } from "modshelf-client";
      const registry = createClient({ host: "https://mods.example.org" });
      const project: Project = await registry.projects.get("x");
      const number: number = (await registry.versions.latest("x", { releaseChannel: "beta-only" })).primaryFile.size;
      // @ts-expect-error: there is no such channel.
      await registry.versions.latest("x", { releaseChannel: "gamma" });
      // @ts-expect-error: a report needs a body.
      await registry.call("createReport");
      export { number, project };`,
    );
    const options =
      "--noEmit --strict --exactOptionalPropertyTypes --target es2022 --module nodenext --lib es2023,dom --types";
    expect(await run(process.execPath, [compiler, ...options.split(" "), "", "typed.mts"], installed)).toBe("");
  });

  const cases = runtimes.map(([program = "", ...words], round) => ({ program, words, round }));
  test.each(cases)("runs the ten recipes: $program", async ({ program, words, round }) => {
    expect(recipes).toHaveLength(10);
    const installed = join(folder, "installed");
    for (const path of ["mods", "server"]) rmSync(join(installed, path), { recursive: true, force: true });
    mkdirSync(join(installed, "mods"));
    writeFileSync(join(installed, "mods/other.jar"), "unknown");
    if (round > 0) await world.as.user(author).delete("/api/project/garden-gnomes");
    const said = await run(program, [...words, "all.mjs"], installed, { MODSHELF_TOKEN: token });
    // The order of files in a folder is that of the system.
    const sorted = (texts: string[]) => texts.map((text) => text.split("\n").sort());
    expect(sorted(JSON.parse(said))).toEqual(sorted(printed(round)));
    expect(readdirSync(join(installed, "mods")).sort()).toEqual(["better-grass-1.4.0.jar", "other.jar"]);
    expect(readdirSync(join(installed, "server/mods"))).toHaveLength(2);
  });
});
