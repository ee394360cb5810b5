// Packs that are broken or hostile, and instances that lead elsewhere: one sentence, an exit code, and nothing is changed.
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { planPack } from "#shelf/packs/plan-pack.js";
import type { ZipEntry } from "#test/files/archives.js";
import { useFolders } from "./folder-world.js";
import { hashOf, indexFile, metafile, mrpack, packwiz, treeOf, writeTree, zipOf } from "./pack-world.js";
import { shelf } from "./shelf.js";

const newFolder = useFolders();
const own = { "config/own.toml": "mine" };

/** Installs a pack where a file of the user is, without any registry. */
async function install(pack: Buffer, name = "bad.mrpack", prepare: (game: string) => void = () => undefined) {
  const place = newFolder({ [name]: pack });
  const game = join(place, "game");
  writeTree(game, own);
  prepare(game);
  const before = treeOf(place);
  const outcome = await shelf(["install", join(place, name), game, "--side", "client", "--yes"]);
  expect(treeOf(place)).toEqual(before);
  expect(readdirSync(game)).not.toContain(".shelf");
  return outcome;
}
const inside = (name: string) => mrpack({ inside: { [`overrides/${name}`]: "evil" } });
const listed = (path: string) => mrpack({ files: [indexFile(path, Buffer.from("x"), "https://github.com/x")] });
const good = indexFile("mods/a.jar", Buffer.from("a"), "https://github.com/a");
const entry = (more: Partial<ZipEntry>) => mrpack({ entries: [{ name: "overrides/a.txt", content: "a", ...more }] });
const link = { listed: { mode: 0o120777, madeBy: 3 << 8 } };

describe("a pack with", () => {
  test.each([
    ["../../evil.txt", "it leads out of the folder"],
    ["config/../../evil.txt", "it leads out of the folder"],
    ["/etc/evil", "it is an absolute path"],
    ["C:/evil.txt", "it is an absolute path"],
    ["c:evil.txt", "it is an absolute path"],
    ["config//evil.txt", "a part of it is empty"],
    ["./evil.txt", "a part of it is empty"],
    ["mods/evil\u0000.jar", "characters that not every system can store"],
    ["mods/evil.jar.", "characters that not every system can store"],
    ["mods/evil.jar ", "characters that not every system can store"],
    ["mods/e:vil.jar", "characters that not every system can store"],
    ["mods/\u202egpj.jar", "characters that not every system can store"],
    [".sh\u200celf/journal.json", "characters that not every system can store"],
    ["config/NUL.txt", "Windows means a device by it"],
    ["com1/x.txt", "Windows means a device by it"],
    [".shelf/journal.json", "shelf uses it itself"],
    ["mods/.SHELF/lock", "shelf uses it itself"],
    ["Shelf.Lock", "shelf uses it itself"],
    ["SHELF~1/journal.json", "shelf uses it itself"],
    [`config/${"x".repeat(300)}`, "it is too long"],
  ])("the path %j is refused", async (path, reason) => {
    for (const pack of [inside(path), listed(path)]) {
      const { code, err } = await install(pack);
      expect([code, err]).toEqual([1, expect.stringContaining(reason)]);
    }
  });

  test("backslashes, in a path or in its archive, is refused", async () => {
    for (const pack of [inside("config\\evil.txt"), listed("..\\evil.txt")])
      expect(await install(pack)).toMatchObject({ code: 1, err: expect.stringContaining("backslash") });
  });

  test.each<[string, Buffer, string]>([
    [
      "two names for one file",
      mrpack({ inside: { "overrides/a.txt": "", "overrides/A.txt": "" } }),
      "the same file on some",
    ],
    [
      "accents in two forms",
      mrpack({ inside: { "overrides/\u00e9": "", "overrides/e\u0301": "" } }),
      "the same file on some",
    ],
    [
      "two names for one folder",
      mrpack({ inside: { "overrides/a/b": "", "overrides/A/c": "" } }),
      "the same on some systems",
    ],
    [
      "a folder in place of a file",
      mrpack({ inside: { "overrides/a": "", "overrides/a/b": "" } }),
      "both as a file and as a folder",
    ],
    ["a file twice in its index", mrpack({ files: [good, good] }), "names a file twice"],
    [
      "no SHA-512 hash",
      mrpack({ files: [{ ...good, hashes: { sha1: good.hashes.sha1 } }] }),
      "lacks the SHA-1 or SHA-512 hash",
    ],
    [
      "a hash of another length",
      mrpack({ files: [{ ...good, hashes: { ...good.hashes, sha512: "ab" } }] }),
      "lacks the SHA-1",
    ],
    ["no size", mrpack({ files: [{ ...good, fileSize: undefined }] }), "no usable size"],
    ["an endless size", mrpack({ files: [{ ...good, fileSize: 1e15 }] }), "no usable size"],
    ["no address", mrpack({ files: [{ ...good, downloads: [] }] }), "does not say where mods/a.jar comes from"],
    ["a broken address", mrpack({ files: [{ ...good, downloads: ["no"] }] }), "no usable address"],
    [
      "a file of this computer",
      mrpack({ files: [{ ...good, downloads: ["file:///etc/passwd"] }] }),
      "packs may not download",
    ],
    ["an unknown side", mrpack({ files: [{ ...good, env: { client: "maybe" } }] }), "does not say whether"],
    ["another format", mrpack({ index: { formatVersion: 2 } }), "format version 2"],
    ["no name", mrpack({ index: { name: 5 } }), "lacks its name"],
    ["no list of files", mrpack({ index: { files: {} } }), "lacks its name, its version or its files"],
    ["a link", entry(link), "is a link or a device"],
    ["an encrypted file", entry({ fields: { flags: 1 } }), "is encrypted"],
    ["an unknown compression", entry({ fields: { method: 99 } }), "in a way that shelf cannot read"],
    ["a wrong checksum", entry({ fields: { crc: 5 } }), "has another checksum"],
    ["a false size", entry({ content: "a".repeat(5000), fields: { size: 10 } }), "is longer than its directory says"],
    ["a shorter file", entry({ fields: { size: 10 } }), "is shorter than its directory says"],
    [
      "data that are not packed",
      entry({ packed: Buffer.from("\u00ff\u00ff\u00ff\u00ff", "latin1") }),
      "cannot be unpacked",
    ],
    ["the same name twice", mrpack({ entries: [{ name: "x" }, { name: "x" }] }), "two files with the name x"],
    ["a name of another alphabet", mrpack({ entries: [{ name: Buffer.from([0xff, 0xfe]) }] }), "not UTF-8"],
    ["an entry elsewhere", entry({ listed: { offset: 3 } }), "no entry overrides/a.txt where"],
    ["an entry outside", entry({ listed: { offset: 0x7fff_ffff } }), "it is cut off"],
    ["a directory elsewhere", mrpack({ zip: { end: { offset: 3 } } }), "its directory is incomplete"],
    ["a directory outside", mrpack({ zip: { end: { offset: 0x7fff_ffff } } }), "it is cut off"],
    ["more entries than are there", mrpack({ zip: { end: { entries: 99 } } }), "its directory is incomplete"],
    [
      "100,000 files",
      mrpack({ zip: { isWideEnd: true, wideEnd: { entries: 100_000 }, end: { entries: 0xffff } } }),
      "100000 files",
    ],
    ["a file of 3 GB", entry({ fields: { size: 3e9 } }), "is larger than"],
    ["no end", mrpack().subarray(0, -30), "not a ZIP archive"],
    ["nothing", Buffer.alloc(0), "not a ZIP archive"],
    ["other content", zipOf({ "a.txt": "a" }), "is not a pack"],
    ["an index that is not JSON", zipOf({ "modrinth.index.json": "{" }), "is not JSON"],
  ])("%s is refused", async (_what, pack, sentence) => {
    const { code, err } = await install(pack);
    expect([code, err]).toEqual([1, expect.stringContaining(sentence)]);
  });

  test("100,000 files in its index is refused before it is looked at", async () => {
    const { code, err } = await install(mrpack({ files: new Array(100_000).fill(0) }));
    expect([code, err]).toEqual([1, expect.stringContaining("100000 files")]);
  });

  test("zeros that would fill the disk is refused, whatever it says", async () => {
    const zeros = Buffer.alloc(50_000_000);
    const bomb = mrpack({ entries: [1, 2].map((n) => ({ name: `overrides/${n}`, content: zeros })) });
    expect(bomb.length).toBeLessThan(200_000);
    const { code, err } = await install(bomb);
    expect([code, err]).toEqual([1, expect.stringMatching(/would become 100\.0 MB, which is more than/)]);
  });

  test.each<[string, Record<string, string>, string]>([
    [
      "only an MD5 hash",
      { "mods/a.pw.toml": metafile("a.jar", "https://github.com/a", Buffer.from("a"), "", "md5") },
      "only a md5 hash",
    ],
    [
      "a path in a name",
      { "mods/a.pw.toml": metafile("../../a.jar", "https://github.com/a", Buffer.from("a")) },
      "it leads out of the folder",
    ],
    [
      "a host that is unknown",
      { "mods/a.pw.toml": metafile("a.jar", "https://evil.example/a", Buffer.from("a")) },
      "--allow-host evil.example",
    ],
    [
      "an unknown side",
      { "mods/a.pw.toml": metafile("a.jar", "https://x.example", Buffer.from("a"), 'side = "left"\n') },
      'the side "left"',
    ],
    [
      "a file that only another program gets",
      { "mods/a.pw.toml": 'name="a"\nfilename="a.jar"\n[download]\nmode="metadata:curseforge"\n' },
      "only its own program",
    ],
    ["TOML that is none", { "mods/a.pw.toml": "= =" }, "is not TOML"],
  ])("%s in the format of packwiz is refused", async (_what, metafiles, sentence) => {
    const { code, err } = await install(zipOf(packwiz({ metafiles })), "bad.zip");
    expect([code, err]).toEqual([1, expect.stringContaining(sentence)]);
  });

  test("files that are not those of its index is refused", async () => {
    const files = packwiz({ files: { "config/a.toml": "a" } });
    for (const [bad, sentence] of [
      [{ ...files, "config/a.toml": "b" }, "does not have the hash that the pack names"],
      [{ ...files, "index.toml": `${files["index.toml"]}\n` }, "does not have the hash that the pack names"],
      [{ "pack.toml": files["pack.toml"] }, "The pack has no file index.toml"],
    ] as const) {
      const { code, err } = await install(zipOf(bad as Record<string, string>), "bad.zip");
      expect([code, err]).toEqual([1, expect.stringContaining(sentence)]);
    }
    const folder = newFolder();
    writeTree(folder, { "pack.toml": files["pack.toml"] });
    const { code, err } = await shelf(["install", folder, join(folder, "game"), "--yes"]);
    expect([code, err]).toEqual([1, expect.stringContaining("The pack has no file index.toml")]);
  });
});

describe("an instance", () => {
  test("with a link to another place is left alone", async () => {
    const outside = newFolder({ "victim.txt": "precious" });
    const { code, err } = await install(inside("mods/victim.txt"), "a.mrpack", (game) =>
      symlinkSync(outside, join(game, "mods")),
    );
    expect([code, err]).toEqual([1, expect.stringContaining("mods is not a folder")]);
    const file = await install(inside("a.txt"), "a.mrpack", (game) =>
      symlinkSync(join(outside, "victim.txt"), join(game, "a.txt")),
    );
    expect([file.code, file.err]).toEqual([5, expect.stringContaining("a.txt is in the way")]);
    expect(readFileSync(join(outside, "victim.txt"), "utf8")).toBe("precious");
  });

  test("cannot lead out of itself by a journal or a lock file", async () => {
    const outside = newFolder({ "victim.txt": "precious" });
    for (const step of [
      { kind: "take", name: "mods/victim.txt", at: "trash/x.1/victim.txt" },
      { kind: "put", name: "mods/new.txt", at: "new/new.txt" },
    ]) {
      const game = newFolder();
      symlinkSync(outside, join(game, "mods"));
      mkdirSync(join(game, ".shelf/new"), { recursive: true });
      mkdirSync(join(game, ".shelf/trash/x.1"), { recursive: true });
      writeFileSync(join(game, ".shelf/new/new.txt"), "evil");
      writeFileSync(
        join(game, ".shelf/journal.json"),
        JSON.stringify({ number: 1, date: "", command: "x", steps: [{ ...step, sha512: "" }] }),
      );
      const { code, err } = await shelf(["list", game]);
      expect([code, err]).toEqual([1, expect.stringContaining("mods is not a folder")]);
    }
    for (const name of ["mods/../../victim.txt", ".shelf/lock", "/etc/passwd", "mods//x"]) {
      const game = newFolder();
      mkdirSync(join(game, ".shelf"));
      const steps = [{ kind: "take", name, at: "trash/x.1/x", sha512: "" }];
      writeFileSync(join(game, ".shelf/journal.json"), JSON.stringify({ number: 1, date: "", command: "x", steps }));
      expect(await shelf(["list", game])).toMatchObject({ code: 1, err: expect.stringContaining("is damaged") });
    }
    expect(treeOf(outside)).toEqual({ "victim.txt": "precious" });

    const place = newFolder({ "a.mrpack": inside("config/a.toml") });
    const game = join(place, "game");
    await shelf(["install", join(place, "a.mrpack"), game, "--yes"]);
    const lock = JSON.parse(readFileSync(join(game, "shelf.lock"), "utf8"));
    for (const change of [
      { files: [{ ...lock.pack.files[0], path: "../victim.txt" }] },
      { files: [{ ...lock.pack.files[0], sha512: "x" }] },
      ...[{ side: "left" }, { files: 5 }, { name: "" }, { sha512: "" }, { optional: 5 }],
    ]) {
      writeFileSync(join(game, "shelf.lock"), JSON.stringify({ ...lock, pack: { ...lock.pack, ...change } }));
      for (const command of ["verify", "list"])
        expect(await shelf([command, game])).toMatchObject({
          code: 1,
          err: expect.stringContaining("not a lock file"),
        });
    }
    expect(existsSync(join(place, "victim.txt"))).toBe(false);
  });
});

test("a plan pairs files of a mod by its project, and otherwise by the name without its version", () => {
  const sha512 = hashOf("old");
  const locked = (path: string, id: string) => ({ path, id, sha512, source: "download" as const });
  const wanted = (path: string, id: string) => ({
    path,
    id,
    hashes: { sha512: hashOf(path) },
    size: 1,
    urls: ["https://x"],
  });
  const { rows } = planPack({
    ...{ folder: "/game", pack: "p", isRestored: false },
    before: [
      locked("mods/sodium-1.0.jar", "project A"),
      locked("mods/sodium-extra-1.0.jar", "project A"),
      locked("mods/lithium-mc1.21-0.1.jar", "mods/lithium"),
      locked("mods/gone-1.jar", "mods/gone"),
    ],
    wanted: [
      wanted("mods/sodium-extra-2.0.jar", "project A"),
      wanted("mods/renamed-2.0.jar", "project A"),
      wanted("mods/lithium-mc1.21-0.2.jar", "project B"),
      wanted("mods/new-1.jar", "mods/new"),
    ],
    found: [],
  });
  expect(rows.map(({ change, path, why }) => [change, path, why])).toEqual([
    ["keep", "mods/lithium-mc1.21-0.2.jar", "left out: you removed it"],
    ["add", "mods/new-1.jar", null],
    ["keep", "mods/renamed-2.0.jar", "left out: you removed it"],
    ["keep", "mods/sodium-extra-2.0.jar", "left out: you removed it"],
  ]);
});
