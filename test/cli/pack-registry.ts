// A registry with a pack in two versions, of which the first is published, and instances that hold it.
import { expect } from "vitest";
import { startRegistry, useFolders } from "./folder-world.js";
import { indexFile, mrpack, writeTree } from "./pack-world.js";

export async function startPackRegistry() {
  const newFolder = useFolders();
  const registry = await startRegistry();
  const { host, mods, publish, slug, bytes, run } = registry;
  for (const text of ["lamp@1.0", "lamp@1.1", "grass@1.0", "grass@1.1", "map@1.0", "bell@1.0"]) await publish(text);
  const nameOf = (text: string) => `${text.replace("@", "-")}.jar`;
  const urlOf = (text: string) =>
    `${host}/cdn/data/project/${mods.id(text.split("@")[0]!)}/version/${mods.versionId(text)}/${nameOf(text)}`;
  const inMods = (text: string, env?: Record<string, string>) =>
    indexFile(`mods/${nameOf(text)}`, bytes(text), urlOf(text), env);
  const shown = (text: string) => bytes(text).toString("latin1");

  const clientOnly = { client: "required", server: "unsupported" };
  const optional = { client: "optional", server: "optional" };
  const settings = {
    "overrides/config/lamp.toml": "bright",
    "overrides/config/grass.toml": "green",
    "overrides/config/sub/deep.toml": "deep",
    "overrides/options.txt": "both",
    "client-overrides/options.txt": "client",
    "server-overrides/server.properties": "motd=hi",
  };
  const first = mrpack({
    files: [inMods("lamp@1.0"), inMods("grass@1.0"), inMods("map@1.0", clientOnly), inMods("bell@1.0", optional)],
    inside: settings,
  });
  const second = mrpack({
    version: "2.0",
    files: [inMods("lamp@1.1"), inMods("grass@1.1"), inMods("bell@1.0", optional)],
    inside: {
      ...settings,
      "overrides/config/lamp.toml": "dim",
      "overrides/config/grass.toml": "blue",
      "overrides/new.txt": "n",
    },
  });
  await publish("fancy@1.0", { bytes: first, fileName: "fancy-1.0.mrpack" });
  const clientFiles = {
    "config/grass.toml": "green",
    "config/lamp.toml": "bright",
    "config/sub/deep.toml": "deep",
    "mods/bell-1.0.jar": shown("bell@1.0"),
    "mods/grass-1.0.jar": shown("grass@1.0"),
    "mods/lamp-1.0.jar": shown("lamp@1.0"),
    "mods/map-1.0.jar": shown("map@1.0"),
    "options.txt": "client",
  };
  const own = { "mods/own.jar": "mine", "saves/world/level.dat": "world", "config/own.toml": "mine" };

  /** An instance with the first version and files of the user. */
  const installed = async (): Promise<string> => {
    const folder = newFolder();
    writeTree(folder, own);
    const { code, err } = await run(["install", `${slug("fancy")}@1.0`, folder, "--side", "client", "--yes"]);
    expect([code, err]).toEqual([0, expect.stringContaining("Downloading 4 files")]);
    return folder;
  };
  return { ...registry, newFolder, urlOf, shown, settings, first, second, clientFiles, own, installed };
}

/** Rows in short, such as "update mods/lamp-1.1.jar replaces lamp-1.0.jar". */
export const rowsOf = ({ json }: { json: { changes: { change: string; path: string; why: string | null }[] } }) =>
  json.changes.map(({ change, path, why }) => [change, path, why].filter(Boolean).join(" "));
