// Reading packs: what they contain, and the exact reason why a broken or hostile one is refused.
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { zip } from "#test/files/archives.js";
import { digest, indexFile, metafile, mrpack, mrpackIndex, type PackwizFile, packwiz } from "#test/files/packs.js";
import { say } from "#words/said.js";
import { fromPieces } from "./byte-input.js";
import type { ArchiveType } from "./file-types.js";
import { inspectSource } from "./inspection.js";
import { describePack } from "./sentences.js";

const rules = { hosts: ["cdn.modrinth.com", "github.com"], origins: ["http://localhost:3000"] };

async function read(bytes: Buffer, type: ArchiveType = "mrpack") {
  const pieces = Readable.from([bytes])[Symbol.asyncIterator]();
  const inspection = await inspectSource(fromPieces(pieces), bytes.length, type, {}, undefined, { pack: rules });
  if (!inspection.ok) return { refused: inspection.reason };
  const { pack, fault } = inspection;
  return { pack, fault, refused: fault?.problem, sentence: fault && describePack(fault).in("en") };
}
const refusalOf = async (bytes: Buffer, type?: ArchiveType) => (await read(bytes, type)).refused;
const jar = zip([{ name: "a.class", content: "a" }]);

describe("a pack in Modrinth's format", () => {
  test("has files with hashes, sides and hosts, archives inside, and its own files by folder", async () => {
    const { pack } = await read(
      mrpack(
        [
          indexFile("mods/b.jar", "b", { env: { client: "optional", server: "unsupported" } }),
          indexFile("mods/A.jar", "a", { downloads: ["http://localhost:3000/cdn/a.jar", "https://github.com/a.jar"] }),
        ],
        [
          { name: "overrides/config/a.json", content: "1" },
          { name: "overrides/config/deep/b.json", content: "22" },
          { name: "overrides/options.txt", content: "333" },
          { name: "client-overrides/mods/c.jar", content: jar },
          { name: "README.txt", content: "not a part of it" },
        ],
      ),
    );
    const hashes = (content: string) => ({ sha1: digest("sha1", content), sha512: digest("sha512", content) });
    const both = { client: "required", server: "required" };
    expect(pack).toEqual({
      format: "modrinth",
      name: "Test pack",
      version: "1.2.0",
      summary: "For tests",
      gameVersion: "1.20.1",
      loaders: ["quilt"],
      files: [
        { path: "mods/A.jar", size: 1, ...hashes("a"), ...both, host: "localhost:3000", isInside: false },
        {
          ...{ path: "mods/b.jar", size: 1, ...hashes("b"), client: "optional", server: "unsupported" },
          ...{ host: "cdn.modrinth.com", isInside: false },
        },
        {
          ...{ path: "mods/c.jar", size: jar.length, sha1: null, sha512: digest("sha512", jar) },
          ...{ client: "required", server: "unsupported", host: null, isInside: true },
        },
      ],
      own: {
        files: 3,
        bytes: 6,
        folders: [
          { name: "config", files: 2 },
          { name: "", files: 1 },
        ],
      },
    });
  });

  const withFile = (more: Record<string, unknown>) => mrpack([{ ...indexFile("mods/a.jar", "a"), ...more }]);
  const { sha1, sha512 } = { sha1: digest("sha1", "a"), sha512: digest("sha512", "a") };
  const index = (content: string) => zip([{ name: "modrinth.index.json", content }]);
  test.each<[string, Buffer, string]>([
    ["without an index", zip([{ name: "a.txt", content: "a" }]), "indexMissing"],
    [
      "with its index in a folder",
      zip([{ name: "pack/modrinth.index.json", content: mrpackIndex([]) }]),
      "indexMissing",
    ],
    ["with an index that is not JSON", index("{"), "notJson"],
    ["with an index that is a list", index("[]"), "notJson"],
    ["with an endless index", index(`"${"a".repeat(2 * 1024 * 1024)}"`), "indexTooLarge"],
    ["with an index that is nested too deeply", index("[".repeat(1_000_000)), "notJson"],
    ["of another version of the format", mrpack([indexFile("a", "a")], [], { formatVersion: 2 }), "wrongFormatVersion"],
    ["for another game", mrpack([indexFile("a", "a")], [], { game: "cosmic-reach" }), "wrongGame"],
    ["without a list of files", mrpack([], [], { files: {} }), "wrongField"],
    ["with a file that is a text", mrpack(["mods/a.jar"]), "wrongField"],
    ["without anything", mrpack([]), "empty"],
    [
      "with too many files",
      mrpack(Array.from({ length: 2001 }, (_, at) => indexFile(`mods/${at}.jar`, "a"))),
      "tooManyFiles",
    ],
    ["with a file without hashes", withFile({ hashes: undefined }), "hashMissing"],
    ["with a file without sha1", withFile({ hashes: { sha512 } }), "hashMissing"],
    ["with a file without sha512", withFile({ hashes: { sha1 } }), "hashMissing"],
    ["with a malformed hash", withFile({ hashes: { sha1, sha512: `${sha512}0` } }), "hashMalformed"],
    ["with a hash that is no hex", withFile({ hashes: { sha1: "z".repeat(40), sha512 } }), "hashMalformed"],
    ["with a negative size", withFile({ fileSize: -1 }), "sizeMalformed"],
    ["with an unknown side", withFile({ env: { client: "maybe" } }), "sideMalformed"],
    ["with an absolute path", withFile({ path: "/etc/passwd" }), "unsafePath"],
    ["with a path that leads out", withFile({ path: "mods/../../a.jar" }), "unsafePath"],
    ["with a backslash", withFile({ path: "mods\\a.jar" }), "unsafePath"],
    ["with a drive", withFile({ path: "C:a.jar" }), "unsafePath"],
    ["with a reserved name", withFile({ path: "mods/nul.jar" }), "unsafePath"],
    ["with a name that ends in a dot", withFile({ path: "mods/a.jar." }), "unsafePath"],
    ["with NUL", withFile({ path: "mods/a\0.jar" }), "unsafePath"],
    ["with a folder as a file", withFile({ path: "mods/" }), "unsafePath"],
    ["with an empty path", withFile({ path: "" }), "unsafePath"],
    ["with a path that is too long", withFile({ path: "a".repeat(513) }), "unsafePath"],
    ["with the same path twice", mrpack([indexFile("a.jar", "a"), indexFile("a.jar", "b")]), "unsafePath"],
    [
      "with paths that differ in case",
      mrpack([indexFile("Mods/a.jar", "a"), indexFile("mods/A.jar", "b")]),
      "unsafePath",
    ],
    ["with a file below a file", mrpack([indexFile("mods", "a"), indexFile("mods/a.jar", "b")]), "unsafePath"],
    ["without downloads", withFile({ downloads: [] }), "downloadMissing"],
    ["with many downloads", withFile({ downloads: Array(17).fill("https://github.com/a") }), "tooManyDownloads"],
    ["with a download that is no URL", withFile({ downloads: ["mods/a.jar"] }), "urlMalformed"],
    ["with a download that is a number", withFile({ downloads: [5] }), "urlMalformed"],
    ["with a password in a download", withFile({ downloads: ["https://github.com:x@evil.example/"] }), "urlMalformed"],
    ["with a download without TLS", withFile({ downloads: ["http://github.com/a.jar"] }), "notHttps"],
    ["with a file of the disk", withFile({ downloads: ["file:///etc/passwd"] }), "notHttps"],
    ["with an unknown host", withFile({ downloads: ["https://evil.example/a.jar"] }), "hostNotAllowed"],
    ["with a host below an allowed one", withFile({ downloads: ["https://x.github.com/a.jar"] }), "hostNotAllowed"],
    ["with another port", withFile({ downloads: ["https://github.com:444/a.jar"] }), "hostNotAllowed"],
    [
      "with a second download from elsewhere",
      withFile({ downloads: ["https://github.com/a", "https://evil.example/"] }),
      "hostNotAllowed",
    ],
    ["with an override that leads out", mrpack([], [{ name: "overrides/../../a", content: "a" }]), "unsafePath"],
    [
      "with two overrides of one name",
      mrpack([], [{ name: "overrides/a" }, { name: "overrides/A" }]),
      "duplicateEntry",
    ],
    [
      "with a bomb",
      mrpack([], [{ name: "overrides/zeros", content: Buffer.alloc(100 * 1024 * 1024) }]),
      "tooCompressed",
    ],
  ])("%s is refused", async (_what, bytes, reason) => {
    expect(await refusalOf(bytes)).toBe(reason);
  });

  test("the refusal names the file, the reason and what to do", async () => {
    const { sentence } = await read(withFile({ downloads: ["https://evil.example/a.jar"] }));
    expect(sentence).toMatch(
      /^"mods\/a.jar" is downloaded from "evil.example", .* this site, cdn.modrinth.com, github.com\./,
    );
    const unsafe = await read(withFile({ path: "mods/../a.jar" }));
    expect(unsafe.sentence).toContain(`"mods/../a.jar" is not safe (${say.archiveDetails.contains("..").in("en")})`);
    const twice = await read(mrpack([indexFile("a.jar", "a"), indexFile("A.jar", "b")]));
    expect(twice.sentence).toContain(say.archives.duplicateEntry.in("en"));
  });
});

describe("a packwiz pack", () => {
  const wiz = (files: readonly PackwizFile[], options?: Parameters<typeof packwiz>[1]) =>
    refusalOf(packwiz(files, options), "zip");

  test.each(["", "my-pack/"])("in the folder %j has the files of its metafiles, and its own", async (folder) => {
    const { pack } = await read(
      packwiz(
        [
          metafile("lamps", "lamps", { side: "client", more: "[option]\noptional = true" }),
          metafile("old", "old", {
            download: `mode = "metadata:curseforge"\nhash-format = "murmur2"\nhash = "123"\n[update.curseforge]\nfile-id = 1`,
          }),
          metafile("short", "short", {
            side: "server",
            download: `url = "https://github.com/a.jar"\nhash-format = "sha1"\nhash = "${digest("sha1", "short").toUpperCase()}"`,
          }),
          { file: "config/a.toml", content: "a = 1" },
          { file: "mods/own.jar", content: jar },
        ],
        { folder, others: [{ name: `${folder}.packwizignore`, content: "x" }] },
      ),
      "zip",
    );
    expect(pack).toMatchObject({
      format: "packwiz",
      name: "Wiz pack",
      version: "2.0.0",
      gameVersion: "1.20.1",
      loaders: ["quilt"],
    });
    expect(pack?.own).toEqual({ files: 1, bytes: 5, folders: [{ name: "config", files: 1 }] });
    const none = { size: null, sha1: null, sha512: null, isInside: false };
    expect(pack?.files).toEqual([
      {
        ...{ ...none, path: "mods/lamps.jar", sha512: digest("sha512", "lamps"), host: "cdn.modrinth.com" },
        ...{ client: "optional", server: "unsupported" },
      },
      { ...none, path: "mods/old.jar", host: null, client: "required", server: "required" },
      {
        ...{ ...none, path: "mods/own.jar", size: jar.length, sha512: digest("sha512", jar), host: null },
        ...{ isInside: true, client: "required", server: "required" },
      },
      {
        ...{ ...none, path: "mods/short.jar", sha1: digest("sha1", "short"), host: "github.com" },
        ...{ client: "unsupported", server: "required" },
      },
    ]);
  });

  test("other ZIP archives are no packs", async () => {
    for (const names of [
      ["a.txt"],
      ["pack.toml"],
      ["a/pack.toml", "a/index.toml", "b.txt"],
      ["a/b/pack.toml", "a/b/index.toml"],
    ])
      expect(await read(zip(names.map((name) => ({ name, content: "?" }))), "zip")).toEqual({});
    expect(await read(zip([{ name: "modrinth.index.json", content: "?" }]), "zip")).toEqual({});
  });

  const own: PackwizFile = { file: "config/a.toml", content: "a = 1" };
  const broken = (file: string, content: string) => wiz([{ file, content, isMetafile: true }]);
  const download = 'url = "https://github.com/a"\nhash-format = "sha1"\nhash = "00"';
  test.each<[string, () => Promise<string | undefined>, string]>([
    ["without anything", () => wiz([]), "empty"],
    ["with another index", () => wiz([own], { pack: '[index]\nfile = "other.toml"' }), "indexMissing"],
    ["with a pack.toml that is no TOML", () => wiz([own], { pack: "= 1" }), "notToml"],
    ["with an index that is no TOML", () => wiz([own], { index: "[[files" }), "notToml"],
    ["with a wrong hash of the index", () => wiz([own], { indexHash: "00" }), "packwizHashWrong"],
    ["without a hash of the index", () => wiz([own], { indexHash: "" }), "packwizHashMissing"],
    ["with a list that is none", () => wiz([], { index: "files = 1" }), "wrongField"],
    ["with a wrong hash of a metafile", () => wiz([{ ...metafile("a", "a"), hash: "00" }]), "packwizHashWrong"],
    ["without the hash of a metafile", () => wiz([{ ...metafile("a", "a"), hash: "" }]), "packwizHashMissing"],
    ["with a file that is not there", () => wiz([], { index: '[[files]]\nfile = "a.txt"\nhash = "0"' }), "fileMissing"],
    ["with a path that leads out", () => wiz([], { index: '[[files]]\nfile = "../a.txt"\nhash = "0"' }), "unsafePath"],
    ["with a metafile of another name", () => broken("mods/a.toml", "a = 1"), "notToml"],
    ["with a metafile that is no TOML", () => broken("mods/a.pw.toml", "[["), "notToml"],
    ["with a long metafile", () => broken("mods/a.pw.toml", `a = "${"a".repeat(9000)}"`), "indexTooLarge"],
    ["with a metafile without a name", () => broken("mods/a.pw.toml", `[download]\n${download}`), "metafileField"],
    ["with a metafile without a download", () => broken("mods/a.pw.toml", 'filename = "a.jar"'), "metafileField"],
    [
      "with a folder in a name",
      () => broken("mods/a.pw.toml", `filename = "../a.jar"\n[download]\n${download}`),
      "metafileField",
    ],
    ["with a reserved name", () => broken("mods/a.pw.toml", `filename = "aux"\n[download]\n${download}`), "unsafePath"],
    ["with two files of one name", () => wiz([metafile("a", "a"), { file: "mods/A.jar", content: "" }]), "unsafePath"],
    ["with a malformed hash", () => wiz([metafile("a", "a", { download })]), "hashMalformed"],
    ["without a hash", () => wiz([metafile("a", "a", { download: 'url = "https://github.com/a"' })]), "hashMissing"],
    [
      "with an unknown host",
      () =>
        wiz([
          metafile("a", "a", {
            download: download.replace("github.com", "evil.example").replace("00", digest("sha1", "a")),
          }),
        ]),
      "hostNotAllowed",
    ],
    [
      "without an address",
      () => wiz([metafile("a", "a", { download: 'hash-format = "md5"\nhash = "00"' })]),
      "urlMalformed",
    ],
    ["with an unknown side", () => wiz([metafile("a", "a", { side: "moon" })]), "sideMalformed"],
  ])("%s is refused", async (_what, refusal, reason) => {
    expect(await refusal()).toBe(reason);
  });
});

test("archives that were damaged at random are read or refused, without an error", async () => {
  const good = [
    {
      bytes: mrpack([indexFile("mods/a.jar", "a")], [{ name: "overrides/a.jar", content: jar }]),
      type: "mrpack" as const,
    },
    { bytes: packwiz([metafile("a", "a"), { file: "a.txt", content: "a" }]), type: "zip" as const },
  ];
  // The same damage in every run.
  let seed = 1;
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  for (let round = 0; round < 300; round++)
    for (const { bytes, type } of good) {
      const damaged = Buffer.from(bytes);
      for (let hits = 1 + random(4); hits > 0; hits--) damaged[random(damaged.length)] = random(256);
      expect(Object.keys(await read(damaged, type)).length).toBeGreaterThanOrEqual(0);
    }
  // The text of an index, damaged inside of a valid archive.
  const text = mrpackIndex([indexFile("mods/a.jar", "a")]);
  for (let round = 0; round < 500; round++) {
    const at = random(text.length);
    const damaged =
      text.slice(0, at) + ["", '"', "{", "[", "null", "-1", "\\", "\u0000"][random(8)] + text.slice(at + random(6));
    const { pack, refused } = await read(zip([{ name: "modrinth.index.json", content: damaged }]));
    expect(pack !== undefined || refused !== undefined).toBe(true);
  }
});
