// The pack formats as their readers see them. The readers here are strict and follow the rules of each format.
import { hash } from "node:crypto";
import { parse } from "smol-toml";
import { describe, expect, test } from "vitest";
import { readPreset } from "#content/taxonomy/presets.js";
import { compileTaxonomy, readDefaultTaxonomy } from "#content/taxonomy/taxonomy.js";
import { toMrpackIndex } from "./mrpack.js";
import { folderOf, isForMinecraft, type Pack, type PackFile } from "./pack.js";
import { findPackTarget, loaderVersionPattern, packFormatsOf, toPackLoader } from "./pack-target.js";
import { toPackwiz } from "./packwiz.js";

const minecraft = compileTaxonomy(readPreset("minecraft"));
const other = compileTaxonomy(readDefaultTaxonomy());

let made = 0;
const file = (values: Partial<PackFile> = {}): PackFile => {
  const slug = values.slug ?? `mod-${++made}`;
  return {
    ...{ slug, title: slug, folder: "mods", name: `${slug}.jar`, size: 7, url: `https://cdn.test/${slug}.jar` },
    ...{ sha1: hash("sha1", slug), sha512: hash("sha512", slug), clientSide: "required", serverSide: "optional" },
    ...values,
  };
};

const packOf = (files: PackFile[], more: Partial<Pack> = {}): Pack => ({
  ...{ name: "Winter", version: "1.0", summary: "", minecraft: "1.21.1", files },
  loader: { name: "fabric", version: "0.16.10" },
  ...more,
});

/** Names that break a writer that does not escape. */
const hostile = `a"b'c\\d\u007f]]\n[x] = """ '''${"é雪🙂"}`;

/** As launchers check a path: relative, and inside of the folder. */
function expectSafe(path: string): void {
  expect(path).not.toMatch(/\.\.|\\|^\/|:|\p{Cc}/u);
  for (const part of path.split("/")) expect(part).not.toMatch(/^$|^\.|[. ]$|^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i);
}

function readMrpack(bytes: Buffer) {
  const index = JSON.parse(bytes.toString());
  expect(index).toMatchObject({ formatVersion: 1, game: "minecraft", files: expect.any(Array) });
  for (const text of [index.versionId, index.name, index.dependencies.minecraft]) expect(text).toMatch(/./s);
  for (const { path, hashes, env, downloads, fileSize } of index.files) {
    expectSafe(path);
    expect(hashes.sha1).toMatch(/^[0-9a-f]{40}$/);
    expect(hashes.sha512).toMatch(/^[0-9a-f]{128}$/);
    for (const side of Object.values(env ?? {})) expect(["required", "optional", "unsupported"]).toContain(side);
    if (env) expect(Object.keys(env)).toEqual(["client", "server"]);
    for (const url of downloads) expect(new URL(url).protocol).toBe("https:");
    expect(Number.isInteger(fileSize)).toBe(true);
  }
  const paths = index.files.map(({ path }: { path: string }) => path.toLowerCase());
  expect(new Set(paths).size).toBe(paths.length);
  return index;
}

/** Follows the hashes from pack.toml to each metafile, as packwiz-installer does. */
function readPackwiz(files: ReturnType<typeof toPackwiz>) {
  const contents = new Map(files.map(({ name, bytes }) => [name, bytes]));
  expect(contents.size).toBe(files.length);
  const read = (name: string, wanted?: string) => {
    const bytes = contents.get(name)!;
    if (wanted !== undefined) expect(hash("sha256", bytes)).toBe(wanted);
    contents.delete(name);
    return JSON.parse(JSON.stringify(parse(bytes.toString())));
  };
  const pack = read("pack.toml");
  expect(pack["pack-format"]).toBe("packwiz:1.1.0");
  expect(pack.index).toMatchObject({ file: "index.toml", "hash-format": "sha256" });
  const index = read("index.toml", pack.index.hash);
  expect(index["hash-format"]).toBe("sha256");
  const metafiles = new Map<string, { name: string; filename: string; side: string }>();
  for (const entry of index.files ?? []) {
    expect(entry).toMatchObject({ metafile: true, file: expect.stringMatching(/\.pw\.toml$/) });
    expectSafe(entry.file);
    const metafile = read(entry.file, entry.hash);
    expectSafe(metafile.filename);
    expect(["both", "client", "server"]).toContain(metafile.side);
    expect(metafile.download["hash-format"]).toBe("sha512");
    expect(metafile.update, "packwiz refuses updaters that it does not know").toBeUndefined();
    metafiles.set(entry.file, metafile);
  }
  expect([...contents.keys()], "every file is in the index").toEqual([]);
  const targets = [...metafiles].map(([path, { filename }]) => path.replace(/[^/]+$/, filename).toLowerCase());
  expect(new Set(targets).size).toBe(targets.length);
  return { pack, metafiles };
}

describe("a .mrpack", () => {
  test("names path, both hashes, sides, URL and size of each file, and game and loader", () => {
    const one = file({ slug: "lamp", title: "Lamp" });
    const index = readMrpack(toMrpackIndex(packOf([one], { summary: "Lights" })));
    expect(index).toEqual({
      ...{ formatVersion: 1, game: "minecraft", versionId: "1.0", name: "Winter", summary: "Lights" },
      files: [
        {
          path: "mods/lamp.jar",
          hashes: { sha1: one.sha1, sha512: one.sha512 },
          env: { client: "required", server: "optional" },
          downloads: ["https://cdn.test/lamp.jar"],
          fileSize: 7,
        },
      ],
      dependencies: { minecraft: "1.21.1", "fabric-loader": "0.16.10" },
    });
    for (const [name, id] of [
      ["quilt", "quilt-loader"],
      ["forge", "forge"],
      ["neoforge", "neoforge"],
    ] as const) {
      const pack = packOf([], { loader: { name, version: "1" } });
      expect(readMrpack(toMrpackIndex(pack)).dependencies).toEqual({ minecraft: "1.21.1", [id]: "1" });
    }
    expect(readMrpack(toMrpackIndex(packOf([], { loader: undefined }))).dependencies).toEqual({ minecraft: "1.21.1" });
  });

  test.each([
    ["unknown", "unknown", undefined],
    ["unsupported", "unsupported", undefined],
    ["required", "unknown", { client: "required", server: "required" }],
    ["unknown", "unsupported", { client: "required", server: "unsupported" }],
    ["optional", "required", { client: "optional", server: "required" }],
  ] as const)("turns the client side %s and the server side %s of a project into %o", (clientSide, serverSide, env) => {
    expect(readMrpack(toMrpackIndex(packOf([file({ clientSide, serverSide })]))).files[0].env).toEqual(env);
  });
});

describe("a packwiz folder", () => {
  test("has a metafile for each file, with its side and its hash", () => {
    const one = file({ slug: "lamp", title: "Lamp" });
    const { pack, metafiles } = readPackwiz(toPackwiz(packOf([one], { summary: "Lights" })));
    expect(pack).toMatchObject({ name: "Winter", version: "1.0", description: "Lights" });
    expect(pack.versions).toEqual({ minecraft: "1.21.1", fabric: "0.16.10" });
    expect(Object.fromEntries(metafiles)).toEqual({
      "mods/lamp.pw.toml": {
        ...{ name: "Lamp", filename: "lamp.jar", side: "both" },
        download: { url: "https://cdn.test/lamp.jar", "hash-format": "sha512", hash: one.sha512 },
      },
    });
  });

  test.each([
    ["required", "unsupported", "client"],
    ["unsupported", "required", "server"],
    ["unsupported", "unsupported", "both"],
    ["unknown", "optional", "both"],
  ] as const)(
    "turns the client side %s and the server side %s of a project into %s",
    (clientSide, serverSide, side) => {
      const { metafiles } = readPackwiz(toPackwiz(packOf([file({ slug: "x1", clientSide, serverSide })])));
      expect(metafiles.get("mods/x1.pw.toml")!.side).toBe(side);
    },
  );

  test("can be read too if it is for another game, or empty", () => {
    const { pack, metafiles } = readPackwiz(toPackwiz(packOf([], { minecraft: undefined, loader: undefined })));
    expect([pack.versions ?? {}, metafiles.size]).toEqual([{}, 0]);
  });
});

describe("both formats", () => {
  test("escape names", () => {
    const pack = packOf([file({ title: hostile })], { name: hostile, summary: hostile });
    expect(readMrpack(toMrpackIndex(pack))).toMatchObject({ name: hostile, summary: hostile });
    const read = readPackwiz(toPackwiz(pack));
    expect(read.pack).toMatchObject({ name: hostile, description: hostile });
    expect([...read.metafiles.values()][0]!.name).toBe(hostile);
    expect(readPackwiz(toPackwiz(packOf([], { name: "\ud800" }))).pack.name).toBe("\ufffd");
  });

  test("rename files whose names differ only in case, and keep one name in two folders", () => {
    const pack = packOf([
      file({ slug: "one", name: "mod.jar" }),
      file({ slug: "two", name: "Mod.jar" }),
      file({ slug: "three", name: "mod.jar", folder: "plugins" }),
    ]);
    const paths = readMrpack(toMrpackIndex(pack)).files.map(({ path }: { path: string }) => path);
    expect(paths).toEqual(["mods/mod.jar", "mods/two-Mod.jar", "plugins/mod.jar"]);
    const { metafiles } = readPackwiz(toPackwiz(pack));
    expect(metafiles.get("mods/two.pw.toml")!.filename).toBe("two-Mod.jar");
    expect(metafiles.get("plugins/three.pw.toml")!.filename).toBe("mod.jar");
  });

  test("have safe paths also for slugs with dots and for names of devices", () => {
    const slugs = ["a..b", "a.b", "con", "nul.x", "ab."];
    const pack = packOf(slugs.map((slug) => file({ slug, name: "mod.jar" })));
    expect(readMrpack(toMrpackIndex(pack)).files).toHaveLength(5);
    expect(readPackwiz(toPackwiz(pack)).metafiles.size).toBe(5);
  });

  test("are the same bytes for the same pack", () => {
    const pack = packOf([file(), file()]);
    expect(toMrpackIndex(pack)).toEqual(toMrpackIndex(structuredClone(pack)));
    expect(toPackwiz(pack)).toEqual(toPackwiz(structuredClone(pack)));
  });
});

test.each([
  [minecraft, ["mod"], ["fabric"], "jar", "mods"],
  [minecraft, ["resourcepack"], ["minecraft"], "zip", "resourcepacks"],
  [minecraft, ["shader"], ["iris"], "zip", "shaderpacks"],
  [minecraft, ["datapack"], [], "zip", "datapacks"],
  [minecraft, ["modpack"], ["fabric"], "zip", "modpacks"],
  [minecraft, ["mod", "plugin"], ["paper"], "jar", "plugins"],
  [minecraft, ["plugin", "mod"], ["fabric"], "jar", "mods"],
  [minecraft, ["mod", "datapack"], ["fabric", "datapack"], "zip", "datapacks"],
  [minecraft, ["gone"], [], "jar", "gone"],
  [minecraft, [], [], "jar", "mods"],
  [other, ["world"], ["quilt"], "zip", "worlds"],
  [other, ["resource-pack"], [], "zip", "resourcepacks"],
])("%#: a file has the folder of its type", (taxonomy, types, loaders, fileType, folder) => {
  expect(folderOf(taxonomy, { types, loaders, fileType })).toBe(folder);
});

describe("a pack is", () => {
  const wish = { taxonomy: minecraft, gameVersion: "1.21.1", loaders: ["fabric"], isPublic: true };
  const files = [{ loaders: ["fabric", "quilt"] }, { loaders: [] }];

  test("for one game version and one loader, if a file needs one", () => {
    expect(findPackTarget({ ...wish, files })).toEqual({ minecraft: "1.21.1", loader: "fabric" });
    expect(findPackTarget({ ...wish, files, loaders: ["iris", "fabric"] })).toMatchObject({ loader: "fabric" });
    expect(findPackTarget({ ...wish, files, gameVersion: "" })).toBe("gameVersion");
    expect(findPackTarget({ ...wish, files, loaders: [] })).toBe("loader");
    expect(findPackTarget({ ...wish, files, loaders: ["fabric", "quilt"] })).toBe("oneLoader");
    expect(findPackTarget({ ...wish, files: [{ loaders: ["minecraft"] }] })).toMatchObject({ loader: undefined });
    expect(findPackTarget({ ...wish, files, isPublic: false })).toBe("private");
  });

  test("not a .mrpack on a site for another game", () => {
    expect([isForMinecraft(minecraft), packFormatsOf(minecraft)]).toEqual([true, ["mrpack", "packwiz"]]);
    expect([isForMinecraft(other), packFormatsOf(other)]).toEqual([false, ["packwiz"]]);
    const target = findPackTarget({ ...wish, taxonomy: other, files: [{ loaders: ["quilt"] }] });
    expect(target).toEqual({ minecraft: undefined, loader: undefined });
  });

  test("for a version of the loader that the caller names", () => {
    for (const version of ["0.16.10", "47.4.0", "21.1.77-beta", "0.20.0-beta.9+build.1"])
      expect(toPackLoader("quilt", version)).toEqual({ name: "quilt", version });
    for (const version of ["", "-1", "a b", '1"', "latest\n", "1".repeat(65), "ö"])
      expect(() => toPackLoader("quilt", version), version).toThrow("version of quilt");
    expect(toPackLoader(undefined, "anything at all")).toBeUndefined();
    expect(() => new RegExp(loaderVersionPattern, "v"), "a pattern of an input").not.toThrow();
  });
});
