// `npm run docs`: writes the transcripts in docs/command-line.md. The program runs each line that starts with "$ shelf" in a
// block after the mark, against the demo content, in the order of the page.
import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createApp } from "#app.js";
import { readDemoContent } from "#operations/demo/content.js";
import { fillWithDemo } from "#operations/demo/fill.js";
import { MovableClock } from "#operations/demo/past.js";
import { submit } from "#test/callers/page-forms.js";
import { mrpack } from "#test/cli/pack-world.js";
import { modBytes } from "#test/cli/publishing-world.js";
import { testApp } from "#test/server/harness.js";
import { root } from "#test/setup/packed.js";
import { onFreePort } from "#test/setup/ports.js";
import { makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";

const page = join(root, "docs/command-line.md");
const shownHost = "https://mods.example.org";
const shownCode = "WDJB-MJHT";
/** Enough for the page: drawing the pictures of all projects takes long. */
const wanted = ["Lumen Core", "Dusk Lanterns", "Soft Horizon", "Potato Light", "Legible"];

const folder = mkdtempSync(join(tmpdir(), "modshelf-transcripts-"));
afterAll(() => rmSync(folder, { recursive: true }));

const { world, url } = await onFreePort(async (port) => {
  const url = `http://127.0.0.1:${port}`;
  return { world: await testApp({ port, settings: { MODSHELF_URL: url } }), url };
});

async function fill(): Promise<void> {
  const resources = { ...world.resources, clock: new MovableClock(world.clock.now()) };
  const app = await createApp(resources);
  const origin = await app.http.listen({ host: "127.0.0.1", port: 0 });
  const whole = readDemoContent();
  const projects = whole.projects.filter(({ name }) => wanted.includes(name));
  await fillWithDemo(resources, origin, { ...whole, projects: projects.map((one) => ({ ...one, pictures: 0 })) });
  await app.http.close();
}

/** A pack in two versions, with mods of the demo and settings. */
async function publishPack(): Promise<void> {
  const author = await world.make.user({ userName: "grace" });
  const { id } = await makeProject(world, author, {
    ...{ slug: "evening-pack", name: "Evening Pack", summary: "Calm evenings.", status: "approved" as const },
  });
  const mod = async (slug: string, number: string) => {
    const version = (await (await fetch(`${url}/api/project/${slug}/version/${number}`)).json()).data;
    const { name, url: address, size, sha1_hash: sha1, sha512_hash: sha512 } = version.primaryFile;
    return { path: `mods/${name}`, hashes: { sha1, sha512 }, downloads: [address], fileSize: size };
  };
  for (const [versionNumber, lanterns, glow] of [
    ["1.0.0", "1.0.0", "soft"],
    ["2.0.0", "1.1.0", "softer"],
  ] as const) {
    world.clock.advance(1000);
    await makeVersion(world, author, id, {
      ...{ versionNumber, fileName: `evening-pack-${versionNumber}.mrpack`, gameVersions: ["0.5.12"] },
      bytes: mrpack({
        ...{ name: "Evening Pack", version: versionNumber },
        files: [await mod("lumen-core", "2.0.0"), await mod("dusk-lanterns", lanterns)],
        inside: { "overrides/config/lanterns.toml": `glow = "${glow}"\n`, "overrides/options.txt": "fov:70\n" },
        index: { dependencies: { minecraft: "1.21.1", "quilt-loader": "0.27.0" } },
      }),
    });
  }
}

/** Approves programs that ask to be signed in, until the signal ends it. */
async function approve(signal: AbortSignal): Promise<void> {
  const user = await world.make.user({ userName: "ada" });
  while (!signal.aborted) {
    const waiting = world.resources.db.selectFrom("device_requests").select("user_code").where("user_id", "is", null);
    for (const { user_code: code } of await waiting.execute())
      await submit(world.as.user(user), "/device", { code, decision: "approve" }, url);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** The text on a terminal, without colors. */
const run = (line: string): Promise<string> =>
  new Promise((resolve) => {
    const env = { PATH: `${folder}/bin:${process.env.PATH}`, SHELF_CONFIG: join(folder, "config.json") };
    execFile("sh", ["-c", `${line.replaceAll(shownHost, url)} 2>&1`], { cwd: join(folder, "work"), env }, (_, text) =>
      resolve(text),
    );
  });

const toShown = (text: string): string =>
  text
    .replaceAll(url, shownHost)
    .replace(/\b[B-Z]{4}-[B-Z]{4}\b/g, shownCode)
    .replace(/"requestId": "\w+"/g, '"requestId": "kJ4JzFT3ZqjFSftR"')
    // Otherwise each run would change the page.
    .replace(/\b20\d\d-\d\d-\d\dT[\d:.]+Z/g, "2026-11-17T09:30:00.000Z")
    .replace(/\b20\d\d-\d\d-\d\d\b(?!T)/g, "2026-11-17")
    .replace(/^(id +)\w+$/gm, "$1sWzy3QyS")
    .replace(/sha512 [0-9a-f]{17,}/g, "sha512 3f39049426cd4d6e…")
    .replace(/sha512 [0-9a-f]{4}…[0-9a-f]{4}/g, "sha512 3f39…f355")
    .replace(/(evening-pack .*release +)\d+ B/g, "$1920 B")
    .trimEnd();

test("writes the transcripts of the command line", { timeout: 300_000 }, async () => {
  await fill();
  await publishPack();
  const { buildCommandLine } = await import(join(root, "scripts/packages.mjs"));
  await buildCommandLine(join(folder, "dist/shelf.cjs"));
  for (const name of ["bin", "work/build/libs", "work/evening"]) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, "work/evening/options.txt"), "fov:90\n");
  writeFileSync(join(folder, "work/build/libs/lamps-2.1.0.jar"), modBytes({ version: "2.1.0", game: ">=0.5.12" }));
  writeFileSync(join(folder, "bin/shelf"), `#!/bin/sh\nexec "${process.execPath}" "${folder}/dist/shelf.cjs" "$@"\n`);
  chmodSync(join(folder, "bin/shelf"), 0o755);
  const ended = new AbortController();
  const approving = approve(ended.signal);
  const text = readFileSync(page, "utf8");
  const blocks = [...text.matchAll(/<!-- transcript -->\n```console\n(.*?)```/gs)];
  expect(blocks.length).toBeGreaterThan(3);
  let written = text;
  for (const [block, inside = ""] of blocks) {
    const shown: string[] = [];
    for (const line of inside.split("\n").filter((one) => one.startsWith("$ shelf ")))
      shown.push(line, ...[toShown(await run(line.slice(2)))].filter(Boolean));
    written = written.replace(block, () => `<!-- transcript -->\n\`\`\`console\n${shown.join("\n")}\n\`\`\``);
  }
  ended.abort();
  await approving;
  writeFileSync(page, written);
});
