// A registry with a few mods, and folders to install them in, for tests of the command line.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { testApp, uniqueName } from "#test/server/harness.js";
import { onFreePort } from "#test/setup/ports.js";
import { type ShelfVersion, TestMods } from "#test/worlds/test-mods.js";
import { type ShelfOptions, shelf } from "./shelf.js";

/** Folders that are removed after the tests of the file. */
export function useFolders() {
  const top = mkdtempSync(join(tmpdir(), "modshelf-folders-"));
  afterAll(() => rmSync(top, { recursive: true, force: true }));
  return (files: Record<string, string | Buffer> = {}): string => {
    const folder = mkdtempSync(join(top, "mods-"));
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
    return folder;
  };
}

/** Names and contents of the files, without the folder .shelf and the lock file. */
export const contentOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder)
      .filter((name) => name !== ".shelf" && name !== "shelf.lock")
      .sort()
      .map((name) => [name, readFileSync(join(folder, name)).toString("base64")]),
  );
export const namesIn = (folder: string): string[] => Object.keys(contentOf(folder));
export const lockOf = (folder: string) => JSON.parse(readFileSync(join(folder, "shelf.lock"), "utf8"));

export async function startRegistry() {
  const { world, host } = await onFreePort(async (port) => {
    const host = `http://127.0.0.1:${port}`;
    return {
      world: await testApp({ port, settings: { MODSHELF_URL: host, MODSHELF_RATE_LIMITS: "off" } }),
      host,
    };
  });
  const author = await world.make.user();
  const mods = new TestMods(world, author);
  /** "grass@1.0" becomes the file grass-1.0.jar unless the options say otherwise. */
  const publish = async (text: string, options: ShelfVersion = {}) => {
    const [name = "", number = ""] = text.split("@");
    if (!mods.projects.has(name)) await mods.project(name, { slug: uniqueName(name) });
    return mods.version(text, { fileName: `${name}-${number}.jar`, ...options });
  };
  const slug = (name: string): string => mods.projects.get(name)!.slug;
  const bytes = (text: string): Buffer => mods.versions.get(text)!.bytes;
  /** Runs the command line with this registry. */
  const run = (args: readonly string[], options: ShelfOptions = {}) =>
    shelf(args, { ...options, env: { SHELF_HOST: host, ...options.env } });
  return { world, host, mods, publish, slug, bytes, run };
}
