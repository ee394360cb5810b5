// Packs: their installation from a registry and from this computer, and their downloads.
import { once } from "node:events";
import { existsSync, readdirSync, unlinkSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { lockOf } from "./folder-world.js";
import { rowsOf, startPackRegistry } from "./pack-registry.js";
import { hashOf, indexFile, metafile, mrpack, packwiz, treeOf, writeTree, zipOf } from "./pack-world.js";
import { shelf } from "./shelf.js";

const { host, mods, publish, slug, bytes, run, newFolder, ...world } = await startPackRegistry();
const { urlOf, shown, settings, first, clientFiles, own, installed } = world;

describe("install", () => {
  test("brings the files of a side, and leaves those of the user alone", async () => {
    const folder = join(newFolder(), "new", "game");
    const dry = await run(["install", slug("fancy"), folder, "--side", "server", "--dry-run", "--json"]);
    expect([dry.code, dry.json.isApplied, dry.json.pack]).toMatchObject([0, false, { to: "1.0", side: "server" }]);
    expect(rowsOf(dry)).toEqual([
      ...["add config/grass.toml", "add config/lamp.toml", "add config/sub/deep.toml", "add mods/bell-1.0.jar"],
      ...["add mods/grass-1.0.jar", "add mods/lamp-1.0.jar", "add options.txt", "add server.properties"],
    ]);
    expect(existsSync(folder)).toBe(false);
    // The name of the file tells that it is a pack.
    const refused = await run(["install", slug("fancy"), "-d", folder]);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("needs your agreement")]);
    expect(refused.err).toContain(`${slug("fancy")} 1.0, for the client (minecraft 1.21.1, quilt-loader 0.27.0)`);
    expect(treeOf(folder)).toEqual({});

    const client = await installed();
    expect(treeOf(client)).toEqual({ ...own, ...clientFiles });
    expect(lockOf(client)).toMatchObject({
      host,
      projects: [],
      pack: {
        ...{ project: mods.id("fancy"), slug: slug("fancy"), version: mods.versionId("fancy@1.0"), name: "Fancy" },
        ...{ number: "1.0", format: "mrpack", sha512: hashOf(first), side: "client" },
        requires: { minecraft: "1.21.1", "quilt-loader": "0.27.0" },
      },
    });
    expect(lockOf(client).pack.files).toHaveLength(8);
    expect(lockOf(client).pack.files[4]).toEqual({
      ...{ path: "mods/grass-1.0.jar", sha512: mods.hash("grass@1.0"), source: "download" },
      id: `project ${mods.id("grass")}`,
    });
    expect(readdirSync(join(client, ".shelf")).sort()).toEqual([".gitignore", "changes", "trash"]);
    expect((await run(["install", slug("fancy"), client])).out).toBe("The pack is installed already.\n");
  });

  test("takes a file, or a folder or ZIP of packwiz, without any registry", async () => {
    const alone = (args: string[]) => shelf(args);
    const [place, target] = [newFolder({ "local.mrpack": mrpack({ inside: settings }) }), newFolder()];
    expect((await alone(["install", join(place, "local.mrpack"), target, "--yes"])).code).toBe(0);
    expect(Object.keys(treeOf(target))).toEqual([
      "config/grass.toml",
      "config/lamp.toml",
      "config/sub/deep.toml",
      "options.txt",
    ]);
    expect((await alone(["verify", target])).out).toBe("4 files of Fancy: ok\n");
    expect((await alone(["list", target])).code).toBe(0);
    unlinkSync(join(target, "options.txt"));
    const again = await alone(["install", "-d", target, "--yes"]);
    expect([again.code, again.err]).toEqual([4, expect.stringContaining("came from a file, which is needed again")]);
    const update = await alone(["update", target, "--yes"]);
    expect([update.code, update.err]).toEqual([4, expect.stringContaining("no registry knows it")]);

    const files = packwiz({
      files: { "config/a.toml": "a", "config/kept.toml": "k" },
      metafiles: {
        "mods/lamp.pw.toml": metafile("lamp-1.0.jar", urlOf("lamp@1.0"), bytes("lamp@1.0")),
        "mods/map.pw.toml": metafile("map-1.0.jar", urlOf("map@1.0"), bytes("map@1.0"), 'side = "server"\n', "sha256"),
        "mods/bell.pw.toml": `${metafile("bell-1.0.jar", urlOf("bell@1.0"), bytes("bell@1.0"))}[option]\noptional = true\n`,
      },
      more: { "config/kept.toml": "preserve = true" },
    });
    writeTree(join(place, "wiz"), files);
    writeFileSync(join(place, "wiz.zip"), zipOf(files, "wiz-main/"));
    for (const name of ["wiz", "wiz.zip", "wiz/pack.toml"]) {
      const instance = newFolder();
      const { code, err } = await run(["install", join(place, name), instance, "--side", "server", "--yes"]);
      expect([name, code, err]).toEqual([name, 0, expect.stringContaining("Optional, and left out: bell.")]);
      expect(treeOf(instance)).toEqual({
        ...{ "config/a.toml": "a", "config/kept.toml": "k" },
        ...{ "mods/lamp-1.0.jar": shown("lamp@1.0"), "mods/map-1.0.jar": shown("map@1.0") },
      });
      // Its hashes are of another kind than ours, and nothing is downloaded again.
      const same = await run(["install", join(place, name), instance, "--json", "--yes"]);
      expect([same.code, same.json.changes]).toEqual([0, []]);
      expect((await run(["verify", instance])).code).toBe(0);
    }
  });

  test("takes a ZIP of the registry if the user names a folder", async () => {
    const files = packwiz({ name: "Wiz", files: { "config/a.toml": "a" } });
    await publish("wiz@1.0", { bytes: zipOf(files), fileName: "wiz-1.0.zip" });
    const folder = newFolder();
    expect((await run(["install", `${slug("wiz")}@1.0`, folder, "--yes"])).code).toBe(0);
    expect(treeOf(folder)).toEqual({ "config/a.toml": "a" });
    await publish("wiz@1.1", {
      ...{ fileName: "wiz-1.1.zip" },
      bytes: zipOf(packwiz({ name: "Wiz", version: "1.1", files: { "config/a.toml": "b" } })),
    });
    expect((await run(["update", folder, "--yes"])).code).toBe(0);
    expect(treeOf(folder)).toEqual({ "config/a.toml": "b" });
  });

  test("asks about optional files, and remembers the answer", async () => {
    const folder = newFolder();
    const install = (...more: string[]) => run(["install", `${slug("fancy")}@1.0`, folder, "--json", "--yes", ...more]);
    expect(rowsOf(await install("--optional", "none"))).not.toContain("add mods/bell-1.0.jar");
    expect(lockOf(folder).pack.optional).toBe("none");
    expect(rowsOf(await install())).toEqual([]);
    expect(rowsOf(await install("--optional", "bell"))).toEqual(["add mods/bell-1.0.jar"]);
    expect(lockOf(folder).pack.optional).toEqual([`project ${mods.id("bell")}`]);
    expect(rowsOf(await install("--optional", "none"))).toEqual(["remove mods/bell-1.0.jar"]);
    const { code, json } = await install("--optional", "grass");
    expect([code, json.error.message]).toEqual([4, 'The pack has no optional file "grass".']);
    expect(json.error.advice).toBe("It has these: bell-1.0.jar");
  });

  test("keeps settings that were there, and refuses to mix with other packs, folders of mods and other mods", async () => {
    const folder = newFolder();
    writeTree(folder, { "options.txt": "mine" });
    const { json } = await run(["install", slug("fancy"), folder, "--side", "client", "--yes", "--json"]);
    expect(rowsOf({ json })).toContain("keep options.txt kept: you have a file of your own there");
    expect(treeOf(folder)["options.txt"]).toBe("mine");

    const other = join(newFolder({ "other.mrpack": mrpack({ name: "Other" }) }), "other.mrpack");
    const mixed = await run(["install", other, folder, "--yes"]);
    expect([mixed.code, mixed.err]).toEqual([5, expect.stringContaining("This folder holds another pack")]);
    const single = await run(["install", slug("lamp"), "-d", folder, "--yes"]);
    expect([single.code, single.err]).toEqual([5, expect.stringContaining("-d DIR/mods")]);
    const place = newFolder();
    await run(["install", slug("lamp"), "-d", place, "--yes"]);
    const wrong = await run(["install", other, place, "--yes"]);
    expect([wrong.code, wrong.err]).toEqual([5, expect.stringContaining("is a folder of add-ons")]);

    const taken = newFolder();
    writeTree(taken, { "mods/lamp-1.0.jar": "mine" });
    const refused = await run(["install", slug("fancy"), taken, "--side", "client", "--yes"]);
    expect([refused.code, refused.err, treeOf(taken)]).toEqual([
      ...[5, expect.stringContaining("mods/lamp-1.0.jar is in the way"), { "mods/lamp-1.0.jar": "mine" }],
    ]);
    for (const [args, sentence] of [
      [["install", slug("fancy"), place, "--side", "both"], 'There is no side "both"'],
      [["install", slug("fancy"), slug("lamp"), place, "--side", "client"], "A pack is installed alone"],
      [["install", slug("fancy"), slug("lamp"), "-d", newFolder()], "is a pack, which is installed alone"],
      [["install", slug("lamp"), newFolder(), "--side", "client"], "is not a pack|not a ZIP archive"],
    ] as const) {
      const { code, err } = await run(args);
      expect([code, err]).toEqual([1, expect.stringMatching(sentence)]);
    }
  });
});

describe("downloads", () => {
  const servers: { close(): void }[] = [];
  afterAll(() => {
    for (const server of servers) server.close();
  });
  const serve = async (send: (response: ServerResponse, path: string) => void): Promise<string> => {
    const server = createServer((request, response) => send(response, request.url!)).listen(0, "127.0.0.1");
    servers.push(server);
    await once(server, "listening");
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const content = Buffer.from("a mod of another host");
  const unknown = (url: string, more: object = {}) =>
    mrpack({ files: [{ ...indexFile("mods/far-1.0.jar", content, url), ...more }] });
  const install = async (pack: Buffer, ...more: string[]) => {
    const folder = newFolder({ "a.mrpack": pack });
    const target = join(folder, "game");
    const outcome = await run(["install", join(folder, "a.mrpack"), target, "--yes", "--timeout", "5", ...more]);
    return { ...outcome, tree: treeOf(target), hasLock: existsSync(join(target, "shelf.lock")) };
  };

  test("come from allowed hosts only, or from the registry by their hash", async () => {
    const far = await serve((response) => response.end(content));
    const refused = await install(unknown("https://evil.example/far.jar"));
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("packs may not download from there")]);
    expect([refused.err, refused.tree]).toEqual([expect.stringContaining("--allow-host evil.example"), {}]);
    const insecure = await install(unknown(`${far}/far.jar`));
    expect([insecure.code, insecure.err, insecure.tree]).toEqual([
      1,
      expect.stringContaining("Only addresses with https"),
      {},
    ]);
    const allowed = await install(unknown(`${far}/far.jar`), "--allow-host", far);
    expect([allowed.code, allowed.tree]).toEqual([0, { "mods/far-1.0.jar": content.toString() }]);
    const never = await install(unknown(`${far}/far.jar`), "--allow-host", "http://example.org");
    expect([never.code, never.err]).toEqual([1, expect.stringContaining("cannot be allowed")]);
    for (const url of ["https://evil.example/lamp.jar", `${host}/cdn/nothing.jar`]) {
      const known = await install(mrpack({ files: [indexFile("mods/lamp.jar", bytes("lamp@1.0"), url)] }));
      expect([known.code, known.tree]).toEqual([0, { "mods/lamp.jar": shown("lamp@1.0") }]);
    }
  });

  test("follow redirects to allowed hosts only", async () => {
    const end = await serve((response) => response.end(content));
    const start = await serve((response) => response.writeHead(302, { location: `${end}/x` }).end());
    const refused = await install(unknown(`${start}/far.jar`), "--allow-host", start);
    expect([refused.code, refused.err, refused.tree]).toEqual([
      1,
      expect.stringContaining(`redirects mods/far-1.0.jar to ${end}`),
      {},
    ]);
    const allowed = await install(unknown(`${start}/far.jar`), "--allow-host", start, "--allow-host", end);
    expect(allowed.code).toBe(0);
  });

  test("may be redirected by GitHub to the hosts of its files, which a pack cannot name", async () => {
    const asked: string[] = [];
    vi.spyOn(globalThis, "fetch").mockImplementation(async (target) => {
      const { host } = new URL(String(target));
      asked.push(host);
      const location = "https://release-assets.githubusercontent.com/x";
      return host === "github.com" ? new Response(null, { status: 302, headers: { location } }) : new Response(content);
    });
    try {
      const { code, tree } = await install(unknown("https://github.com/a/b/releases/download/1/far.jar"));
      expect([code, Object.keys(tree), asked]).toEqual([
        ...[0, ["mods/far-1.0.jar"], ["github.com", "release-assets.githubusercontent.com"]],
      ]);
    } finally {
      vi.restoreAllMocks();
    }
    const direct = await install(unknown("https://release-assets.githubusercontent.com/x"));
    expect([direct.code, direct.err]).toEqual([1, expect.stringContaining("packs may not download from there")]);
  });

  test.each<[string, (response: ServerResponse) => void, string]>([
    ["another file", (r) => r.end(content.toString().toUpperCase()), "does not have the hash that the pack names"],
    ["too much", (r) => r.end(Buffer.concat([content, content])), "is longer than the 21 bytes"],
    ["too little", (r) => r.end("a"), "has 1 in place of 21 bytes"],
  ])("that bring %s are not kept", async (_what, send, sentence) => {
    const far = await serve(send);
    const { code, err, tree, hasLock } = await install(unknown(`${far}/far.jar`), "--allow-host", far);
    expect([code, err, tree, hasLock]).toEqual([1, expect.stringContaining(sentence), {}, false]);
  });

  test("use the next address if one fails, and at most 8 at once", async () => {
    const waiting: ServerResponse[] = [];
    let [arrived, most] = [0, 0];
    const far = await serve((response, path) => {
      if (path.includes("gone")) return response.writeHead(404).end();
      waiting.push(response);
      most = Math.max(most, waiting.length);
      // All are answered together, a moment later: a ninth would have come by then.
      if (++arrived === 30 || waiting.length === 8)
        setTimeout(() => {
          for (const one of waiting.splice(0)) one.end(content);
        }, 50);
    });
    const files = Array.from({ length: 30 }, (_, n) => ({
      ...indexFile(`mods/far-${n}.jar`, content, ""),
      downloads: [`${far}/gone`, `${far}/there`],
    }));
    const { code, tree, err } = await install(mrpack({ files }), "--allow-host", far);
    expect([code, Object.keys(tree).length, most]).toEqual([0, 30, 8]);
    expect(err).toMatch(/\+ mods\/ +630 B +30 files/);
  });
});
