// A site is restored with exactly the commands that the page of the backups shows, by a shell: from the archive that the page
// offers for download, and from the folder of the backups.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { submit } from "#test/callers/page-forms.js";
import { testApp } from "#test/server/harness.js";
import { makeProject } from "#test/worlds/content.js";
import { look } from "#test/worlds/desk-world.js";
import { makeVersion } from "#test/worlds/versions.js";
import { anyPort, build, startServer, temporaryFolder, useProcesses } from "./program.js";

useProcesses();
const path = "/admin/settings/backup";
const main = fileURLToPath(new URL("../../dist/server/src/main.js", import.meta.url));

const decoded = (html: string): string =>
  html.replaceAll("&amp;", "&").replaceAll("&#39;", "'").replaceAll("&quot;", '"').replaceAll("&lt;", "<");

/** The commands in the part about restoring, in the order of the page. */
const commandsOn = (page: string): string[] => {
  const part = page.slice(page.indexOf('id="restore"'));
  return [...part.matchAll(/<code>([^<]*)<\/code>/g)].map(([, text]) => decoded(text!));
};

/** Runs them in a shell in which `modshelf` is the built program. */
function enter(commands: readonly string[], cwd: string, settings: Record<string, string>): void {
  const bin = join(temporaryFolder(), "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "modshelf"), `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`, { mode: 0o755 });
  const env = { PATH: `${bin}:${process.env.PATH}`, HOME: process.env.HOME, ...anyPort, ...settings };
  for (const command of commands) execFileSync("/bin/sh", ["-c", command], { cwd, env, stdio: "pipe" });
}

test("the commands on the page restore a site from the downloaded archive, and from the folder", async () => {
  await build();
  const world = await testApp();
  const { as, make, app, dataDir } = world;
  const admin = await make.user({ role: "admin" });
  const office = as.user(admin);
  const project = await makeProject(world, admin);
  const version = await makeVersion(world, admin, project.id, { versionNumber: "1.0", fileName: "mod.jar" });
  await submit(office, `${path}/run`);
  await app.jobs.settle();
  const [aside, key, restore, unpack] = commandsOn((await look(office, path)).text);
  const name = /modshelf-(\S+)\.zip/.exec(unpack!)![1]!;
  const archive = await submit(office, `${path}/${name}/download`);
  expect(archive.status).toBe(200);

  const isBack = async (cwd: string, settings: Record<string, string>) => {
    const server = await startServer({ cwd, settings });
    expect((await server.anyone.get(`/api/project/${project.slug}`)).body.project.id).toBe(project.id);
    const file = `/cdn/data/project/${project.id}/version/${version.id}/mod.jar`;
    expect((await server.anyone.get(file)).bytes.equals(version.bytes)).toBe(true);
    expect(await server.stop()).toBe(0);
  };

  const empty = temporaryFolder();
  writeFileSync(join(empty, `modshelf-${name}.zip`), archive.bytes);
  enter([unpack!], empty, {});
  await isBack(empty, {});

  // The page names the folders of its server, which does nothing any more; stopping it would delete them.
  expect(aside).toContain(basename(dataDir));
  const settings = { MODSHELF_DATA_DIR: dataDir };
  enter([aside!, key!, restore!], empty, settings);
  expect(existsSync(join(dataDir, "secret.key"))).toBe(true);
  await isBack(empty, settings);
  rmSync(`${dataDir}.old`, { recursive: true });
});
