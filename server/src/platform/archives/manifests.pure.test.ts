// Manifests: the output of common tools is understood, and hostile content does no harm.
import { describe, expect, test } from "vitest";
import { inspectBytes } from "#test/files/archive-readers.js";
import { zip } from "#test/files/archives.js";
import { manifestRules } from "./manifest-table.js";
import { type FoundManifest, findManifest, wantedManifestBytes } from "./manifests.js";

const find = (files: Record<string, unknown>): FoundManifest | undefined =>
  findManifest(
    new Map(
      Object.entries(files).map(([path, content]) => [
        path,
        Buffer.from(typeof content === "string" ? content : JSON.stringify(content)),
      ]),
    ),
  );

describe("manifests as tools write them", () => {
  test("puzzle.mod.json", () => {
    const manifest = {
      formatVersion: 3,
      id: "star-maps",
      version: "1.4.0",
      "display-name": "Star Maps",
      description: "Maps of the sky.",
      authors: ["Ada"],
      entrypoints: { init: ["org.example.StarMaps"] },
      depends: {
        "cosmic-reach": ">=0.4.5",
        "puzzle-loader-core": ">=2.0.0",
        "sky-lib": ">=1.0.0",
        "nice-extra": { ver: ">=2", isRequired: false },
      },
    };
    expect(find({ "puzzle.mod.json": manifest })).toEqual({
      kind: "puzzle",
      id: "star-maps",
      name: "Star Maps",
      version: "1.4.0",
      description: "Maps of the sky.",
      loaders: ["puzzle_loader"],
      dependencies: [
        { id: "sky-lib", required: true },
        { id: "nice-extra", required: false },
      ],
      gameVersionRange: ">=0.4.5",
    });
  });

  test("quilt.mod.json", () => {
    const manifest = {
      schema_version: 1,
      quilt_loader: {
        group: "org.example",
        id: "star_maps",
        version: "2.0.0+a",
        metadata: { name: "Star Maps", description: "Maps." },
        depends: [
          { id: "cosmicreach", versions: ["0.3.1", "0.3.2"] },
          { id: "cosmicquilt", versions: "*" },
          { id: "org.example:sky_lib", versions: ">=1.0" },
          "plain",
          { id: "extra", optional: true },
          [{ id: "either" }, { id: "or" }],
        ],
      },
    };
    expect(find({ "quilt.mod.json": manifest })).toEqual({
      kind: "quilt",
      id: "star_maps",
      name: "Star Maps",
      version: "2.0.0+a",
      description: "Maps.",
      loaders: ["quilt"],
      dependencies: [
        { id: "sky_lib", required: true },
        { id: "plain", required: true },
        { id: "extra", required: false },
        { id: "either", required: false },
        { id: "or", required: false },
      ],
      gameVersionRange: "0.3.1 || 0.3.2",
    });
  });

  test("fabric.mod.json", () => {
    const manifest = {
      schemaVersion: 1,
      id: "star-maps",
      version: "1.0.0",
      name: "Star Maps",
      depends: { minecraft: "~1.20.1", fabricloader: ">=0.15", java: ">=17", "fabric-api": "*" },
      suggests: { modmenu: "*", "fabric-api": "*" },
    };
    expect(find({ "fabric.mod.json": manifest })).toEqual({
      kind: "fabric",
      id: "star-maps",
      name: "Star Maps",
      version: "1.0.0",
      loaders: ["fabric"],
      dependencies: [
        { id: "fabric-api", required: true },
        { id: "modmenu", required: false },
      ],
      gameVersionRange: "~1.20.1",
    });
  });

  test("mods.toml", () => {
    const manifest = `
# written by a template
modLoader = "javafml" #mandatory
loaderVersion = "[47,)"
license = 'MIT'
[[mods]]
  modId = "starmaps" # the id
  version = "\${file.jarVersion}"
  displayName = "Star \\"Maps\\" \\u00e9"
  authors = ["Ada",
    "Grace"]
  description = '''
Maps of the sky.
Many of them.
'''
[[mods]]
  modId = "second"
[[dependencies.starmaps]]
  modId = "forge"
  mandatory = true
[[dependencies.starmaps]]
  modId = "minecraft"
  mandatory = true
  versionRange = "[1.20.1,1.21)"
[[dependencies."starmaps"]]
  modId = "jei"
  mandatory = false
[[dependencies.starmaps]]
  modId = "enemy"
  type = "incompatible"
`;
    const found = {
      id: "starmaps",
      name: 'Star "Maps" é',
      description: "Maps of the sky.\nMany of them.",
      license: "MIT",
      dependencies: [{ id: "jei", required: false }],
      gameVersionRange: "[1.20.1,1.21)",
    };
    expect(find({ "META-INF/mods.toml": manifest })).toEqual({ kind: "forge", loaders: ["forge"], ...found });
    expect(find({ "META-INF/neoforge.mods.toml": manifest })).toEqual({
      kind: "neoforge",
      loaders: ["neoforge"],
      ...found,
    });
  });

  test("neoforge.mods.toml as the template of NeoForge fills it in", () => {
    const manifest = `
modLoader="javafml" #mandatory
loaderVersion="[4,)" #mandatory
license="All Rights Reserved"
issueTrackerURL="https://example.org/issues" #optional
[[mods]]
modId="starmaps"
version="1.4.0+21.1"
displayName="Star Maps"
logoFile="starmaps.png" #optional
credits=""
authors="Ada, Grace"
description='''Maps of the sky.'''
[[mixins]]
config="starmaps.mixins.json"
[[accessTransformers]]
file="META-INF/accesstransformer.cfg"
[[dependencies.starmaps]]
    modId="neoforge"
    type="required"
    versionRange="[21.1.0,)"
    ordering="NONE"
    side="BOTH"
[[dependencies.starmaps]]
    modId="minecraft"
    type="required"
    versionRange="[1.21.1]"
[[dependencies.starmaps]]
    modId="jei"
    type="optional"
    reason = "shows recipes"
[features.starmaps]
openGLVersion="[3.2,)"
`;
    expect(find({ "META-INF/neoforge.mods.toml": manifest })).toEqual({
      kind: "neoforge",
      id: "starmaps",
      name: "Star Maps",
      version: "1.4.0+21.1",
      description: "Maps of the sky.",
      license: "All Rights Reserved",
      loaders: ["neoforge"],
      dependencies: [{ id: "jei", required: false }],
      gameVersionRange: "[1.21.1]",
    });
  });

  const inline = `
showAsResourcePack = false
released = 2026-03-14T12:00:00Z
weight = 0x10
mods = [
  { modId = "starmaps", version = "1.4.0", displayName = "Star Maps", authors = ["Ada", "Grace"] }, # the first
]
`;
  test.each([
    ["a list for each mod", "[dependencies]\nstarmaps = [{ modId = 'sky' }, { modId = 'jei', mandatory = false }]"],
    ["a dotted key", "dependencies.starmaps = [{ modId = 'sky' }, { modId = 'jei', mandatory = false }]"],
    ["one list", "dependencies = [{ modId = 'sky' }, { modId = 'jei', mandatory = false }]"],
    ["an inline table", "dependencies = { starmaps = [{ modId = 'sky' }, { modId = 'jei', type = 'optional' }] }"],
    ["tables", "[[dependencies]]\nmodId = 'sky'\n[[dependencies]]\nmodId = 'jei'\ntype = 'optional'"],
  ])("mods.toml with arrays and inline tables, and dependencies as %s", (_form, dependencies) => {
    expect(find({ "META-INF/mods.toml": inline + dependencies })).toEqual({
      kind: "forge",
      id: "starmaps",
      name: "Star Maps",
      version: "1.4.0",
      loaders: ["forge"],
      dependencies: [
        { id: "sky", required: true },
        { id: "jei", required: false },
      ],
    });
  });

  test("modrinth.index.json, whose loader comes from its dependencies", () => {
    const manifest = {
      formatVersion: 1,
      game: "minecraft",
      versionId: "3.1",
      name: "Sky Pack",
      summary: "All about the sky.",
      files: [],
      dependencies: { minecraft: "1.20.1", "quilt-loader": "0.20.0" },
    };
    expect(find({ "modrinth.index.json": manifest })).toEqual({
      kind: "modrinth-pack",
      name: "Sky Pack",
      version: "3.1",
      description: "All about the sky.",
      loaders: ["quilt"],
      dependencies: [],
      gameVersionRange: "1.20.1",
    });
  });

  test("pack.mcmeta", () => {
    expect(find({ "pack.mcmeta": { pack: { pack_format: 15, description: "Bluer skies" } } })).toEqual({
      kind: "pack",
      description: "Bluer skies",
      loaders: [],
      dependencies: [],
    });
  });

  test("several in one file: the first one provides the values, the loaders are combined", () => {
    const manifest = find({
      "fabric.mod.json": { id: "fabric-id", depends: { a: "*" } },
      "quilt.mod.json": { quilt_loader: { id: "quilt-id" } },
      "pack.mcmeta": { pack: { description: "d" } },
    });
    expect(manifest).toEqual({ kind: "quilt", id: "quilt-id", loaders: ["quilt", "fabric"], dependencies: [] });
  });

  test("is read from the root of the archive only, not from nested archives", async () => {
    const content = JSON.stringify({ id: "outer", version: "1" });
    const inner = zip([{ name: "puzzle.mod.json", content: JSON.stringify({ id: "inner" }) }]);
    const entries = [
      { name: "lib.jar", content: inner },
      { name: "folder/puzzle.mod.json", content: "{}" },
    ];
    expect(await inspectBytes(zip(entries))).not.toHaveProperty("manifest");
    expect(await inspectBytes(zip([...entries, { name: "puzzle.mod.json", content }]))).toMatchObject({
      manifest: { id: "outer", version: "1" },
    });
  });
});

describe("hostile manifests", () => {
  const hostile = [
    "",
    "not json",
    "{",
    "null",
    "[]",
    "7",
    '"text"',
    "[".repeat(100_000),
    '{"id":null,"name":7,"version":[],"description":{},"depends":"x"}',
    '{"__proto__":{"id":"polluted"},"constructor":{"prototype":{"id":"polluted"}}}',
    '{"depends":{"__proto__":"1","../evil":"1","a b":"1","":"1"}}',
    '{"depends":[[[[[]]]]],"quilt_loader":{"depends":[null,7,[[[{"id":{}}]]]]}}',
    "\u0000",
    "[[mods]]\nmodId",
    "[[[[[[",
    "a.b.c.d.e.f.g.h.i.j=true\n[a.b]\nc=true",
    "[__proto__]\nid='polluted'\n[[__proto__]]\nid='polluted'",
    "[mods]\nmodId='x'\n[[mods]]\nmodId='y'\n[mods.modId]\na='b'",
    `a = """${'\\"'.repeat(60_000)}`,
    `a = """${"x".repeat(250_000)}`,
    "'''".repeat(80_000),
    "[a]\n".repeat(60_000),
    "=".repeat(200_000),
    `a = ${"[".repeat(120_000)}${"]".repeat(120_000)}`,
    `a = ${"{a=".repeat(60_000)}1${"}".repeat(60_000)}`,
    `${"a.".repeat(30_000)}a = 1`,
    "[[a]]\n".repeat(10_000),
    `a = [${"{},".repeat(20_000)}]`,
    "a = 99999999999999999999",
    "__proto__.id = 'polluted'\nconstructor.prototype.id = 'polluted'",
    `{"quilt_loader":{"depends":${"[".repeat(120_000)}${"]".repeat(120_000)}}}`,
  ];
  test.each(hostile.map((content) => [content.slice(0, 40), content]))(
    "%j is read without an error as any kind of manifest",
    (_start, content) => {
      for (const { file } of manifestRules) {
        const found = find({ [file]: content });
        expect(found?.id).toBeUndefined();
        expect(found?.dependencies ?? []).toEqual([]);
      }
      expect("id" in {}).toBe(false);
    },
  );

  test("placeholders that a build should have replaced are ignored", () => {
    const hole = (name: string) => `$\{${name}}`;
    const manifest = {
      id: hole("mod_id"),
      version: hole("version"),
      name: "Real name",
      depends: { "cosmic-reach": `>=${hole("cr")}` },
    };
    expect(find({ "puzzle.mod.json": manifest })).toEqual({
      kind: "puzzle",
      name: "Real name",
      loaders: ["puzzle_loader"],
      dependencies: [],
    });
  });

  test("texts are cleaned, and ignored when they are too long", () => {
    const manifest = find({
      "puzzle.mod.json": {
        id: "a/b",
        name: " Na\u0000me\u202e \u0007",
        version: "1".repeat(65),
        description: `line\nline\u001b[2J${"x".repeat(1900)}`,
      },
    });
    expect(manifest).toMatchObject({ name: "Name", description: expect.stringMatching(/^line\nline\[2Jx{1900}$/) });
    expect(manifest).not.toHaveProperty("id");
    expect(manifest).not.toHaveProperty("version");
  });

  test("no more than 256 dependencies are listed", () => {
    const depends = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`m${index}`, "*"]));
    expect(find({ "fabric.mod.json": { id: "a", depends } })?.dependencies).toHaveLength(256);
  });

  test("a byte order mark is ignored", () => {
    expect(find({ "puzzle.mod.json": '\ufeff{"id":"a"}' })).toMatchObject({ id: "a" });
  });

  test("a manifest of more than 256 KiB is ignored", async () => {
    const name = "puzzle.mod.json";
    const fill = (length: number) => `{"id":"a"}${" ".repeat(length)}`;
    const limit = wantedManifestBytes(name);
    expect(limit).toBe(256 * 1024);
    expect(await inspectBytes(zip([{ name, content: fill(limit - 10) }]))).toHaveProperty("manifest.id", "a");
    expect(await inspectBytes(zip([{ name, content: fill(limit - 9) }]))).not.toHaveProperty("manifest");
    expect(wantedManifestBytes("a/puzzle.mod.json")).toBe(0);
  });
});
