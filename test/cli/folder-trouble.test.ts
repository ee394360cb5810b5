// Folders in trouble: registries that lie, full disks, missing rights, files of others in the way, two programs at once,
// and a wrong clock. Each time the folder is as before, and a sentence says why.
import { createHash } from "node:crypto";
import { once } from "node:events";
import fs, { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { syncBuiltinESMExports } from "node:module";
import type { AddressInfo } from "node:net";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { contentOf, lockOf, namesIn, startRegistry, useFolders } from "./folder-world.js";
import { shelf } from "./shelf.js";

const newFolder = useFolders();
const { publish, slug, bytes, run, mods } = await startRegistry();
await publish("lamp@1.0");
await publish("lamp@1.1");
const place = ["-v", "0.4.8", "-l", "quilt"];
const own = { "own.jar": "mine" };
const withLamp = () => newFolder({ ...own, "lamp-1.0.jar": bytes("lamp@1.0") });

/** An update of a folder with lamp 1.0 that must fail and change nothing. */
async function failingUpdate(folder = withLamp(), update = () => run(["update", folder, ...place, "--yes"])) {
  const before = contentOf(folder);
  const outcome = await update();
  expect(contentOf(folder)).toEqual(before);
  expect(existsSync(join(folder, ".shelf", "journal.json"))).toBe(false);
  expect(existsSync(join(folder, ".shelf", "lock"))).toBe(false);
  return outcome;
}

const servers: ReturnType<typeof createServer>[] = [];
afterAll(() => {
  for (const server of servers) server.close().closeAllConnections();
});

const content = Buffer.from("a whole mod");
const sha512 = createHash("sha512").update(content).digest("hex");

/** A registry that offers one file, with facts and bytes as the test says. */
async function lyingRegistry(
  more: { name?: string; size?: number; url?: string; second?: object },
  send: (response: ServerResponse) => void = (response) => response.end(content),
) {
  const server = createServer((request, response) => {
    request.resume();
    if (request.url === "/file") return send(response);
    response.writeHead(200, { "content-type": "application/json" });
    if (request.url !== "/api/resolve") return response.end("{}");
    const { second, ...facts } = more;
    const file = (fields: object) => ({
      ...{ id: "f", isPrimary: true, name: "mod.jar", size: content.length, type: "jar", sha1_hash: "" },
      ...{ url: `http://${request.headers.host}/file`, sha512_hash: sha512, ...fields },
    });
    const planned = (id: string, fields: object) => ({
      ...{ action: "add", fits: true, reasons: [], replaces: [], project: { id, slug: `slug-${id}`, name: id } },
      version: { id: `v${id}`, projectId: id, versionNumber: "1.0", slug: "1.0", releaseChannel: "release" },
      file: file(fields),
    });
    const files = [planned("a", facts), ...(second ? [planned("b", second)] : [])];
    return response.end(
      JSON.stringify({ resolved: true, files, downloadSize: 1, clash: null, optional: [], unmet: [] }),
    );
  }).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("a registry that", () => {
  const installFrom = (host: string, folder: string) =>
    shelf(["install", "a", "-d", folder, ...place, "--yes", "--host", host, "--timeout", "5"]);

  test.each([
    ["sends wrong bytes", {}, (r: ServerResponse) => r.end("another mod"), 1, "does not have the SHA-512 hash"],
    ["sends too much", {}, (r: ServerResponse) => r.writeHead(200).end("x".repeat(99)), 1, "bytes"],
    ["names a path", { name: "../mod.jar" }, undefined, 1, "not a safe file name"],
    ["names our own file", { name: "Shelf.lock" }, undefined, 1, "which shelf uses itself"],
    ["names a hidden file", { name: ".shelf" }, undefined, 1, "not a safe file name"],
    ["has two files with one name", { second: { name: "MOD.jar" } }, undefined, 5, "two files for this folder"],
    ["has a file in the way of ours", { name: "own.jar" }, undefined, 5, "is in the way"],
    ["names no usable place", { url: "file:///etc/passwd" }, undefined, 6, "is not usable"],
    [
      "redirects a file to another scheme",
      {},
      (r: ServerResponse) => r.writeHead(302, { location: "ftp://x/" }).end(),
      1,
      "redirects",
    ],
    ["has no such file", {}, (r: ServerResponse) => r.writeHead(404).end(), 4, "404"],
  ] as const)("%s changes nothing", async (_what, more, send, code, sentence) => {
    const folder = newFolder(own);
    const outcome = await failingUpdate(folder, async () => installFrom(await lyingRegistry(more, send), folder));
    expect([outcome.code, outcome.err]).toEqual([code, expect.stringContaining(sentence)]);
    expect(existsSync(join(folder, "shelf.lock"))).toBe(false);
    expect(existsSync(join(folder, "..", "mod.jar"))).toBe(false);
  });

  test.each([
    [
      "sends HTML",
      (r: ServerResponse) => r.writeHead(200, { "content-type": "text/html" }).end("<p>"),
      "text/html in place of JSON",
    ],
    [
      "sends another form",
      (r: ServerResponse) => r.writeHead(200, { "content-type": "application/json" }).end('{"resolved":true}'),
      "agreed form",
    ],
    [
      "redirects to another host",
      (r: ServerResponse) => r.writeHead(302, { location: "http://localhost:1/" }).end(),
      "redirects to",
    ],
  ])("%s in place of a plan changes nothing", async (_what, answer, sentence) => {
    const server = createServer((request, response) => void request.resume().on("end", () => answer(response)));
    servers.push(server.listen(0, "127.0.0.1"));
    await once(server, "listening");
    const folder = newFolder();
    const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code, err } = await installFrom(host, folder);
    expect([code === 6 || code === 1, err]).toEqual([true, expect.stringContaining(sentence)]);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("a disk", () => {
  afterEach(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
  const failing = (code: string, path: string) => Object.assign(new Error(code), { code, path });

  const waited = ["link", "rename", "writeFile", "mkdir"];
  test.each([...waited, "linkSync", "unlinkSync", "renameSync"])(
    "that is full at any %s leaves the folder as it was",
    async (name) => {
      const module = (waited.includes(name) ? fs.promises : fs) as unknown as Record<
        string,
        (...args: unknown[]) => unknown
      >;
      const real = module[name]!;
      // Until the update has no further call of this kind that could fail.
      for (let at = 1; ; at++) {
        let calls = 0;
        vi.spyOn(module, name).mockImplementation((...args) => {
          if (++calls !== at) return real(...args);
          const error = failing("ENOSPC", String(args[0]));
          if (waited.includes(name)) return Promise.reject(error);
          throw error;
        });
        syncBuiltinESMExports();
        const folder = withLamp();
        const before = contentOf(folder);
        const { code, err } = await run(["update", folder, ...place, "--yes"]);
        vi.restoreAllMocks();
        syncBuiltinESMExports();
        if (calls < at) {
          expect([code, at > 1]).toEqual([0, true]);
          return;
        }
        if (code !== 0) {
          expect([name, at, err]).toEqual([name, at, expect.stringContaining("The disk is full")]);
          expect([name, at, contentOf(folder)]).toEqual([name, at, before]);
        }
        // Tidying up may fail without harm, and the next command works in any case.
        expect((await run(["list", folder])).code).toBe(0);
        expect(namesIn(folder)).toEqual([code === 0 ? "lamp-1.1.jar" : "lamp-1.0.jar", "own.jar"]);
      }
    },
  );

  test("that is full while a file arrives leaves the folder as it was", async () => {
    const probe = await fs.promises.open(join(newFolder(own), "own.jar"));
    const prototype = Object.getPrototypeOf(probe);
    await probe.close();
    vi.spyOn(prototype, "write").mockImplementation(async () => {
      throw failing("ENOSPC", "");
    });
    const { code, err } = await failingUpdate();
    expect([code, err]).toEqual([1, expect.stringContaining("The disk is full")]);
  });

  test("with a file in use leaves the folder as it was", async () => {
    const folder = withLamp();
    const { renameSync } = fs;
    vi.spyOn(fs, "renameSync").mockImplementation((from, to) => {
      if (from === join(folder, "lamp-1.0.jar")) throw failing("EBUSY", from);
      return renameSync(from, to);
    });
    syncBuiltinESMExports();
    const { code, err } = await failingUpdate(folder);
    expect([code, err]).toEqual([1, expect.stringContaining("Another program uses")]);
  });
});

test("a folder without rights is left as it is, and can be looked at", async () => {
  const folder = withLamp();
  // The administrator, who may run the tests, has all rights.
  vi.spyOn(fs.promises, "mkdir").mockRejectedValue(
    Object.assign(new Error("EACCES"), { code: "EACCES", path: folder }),
  );
  syncBuiltinESMExports();
  try {
    const { code, err } = await failingUpdate(folder);
    expect([code, err]).toEqual([1, expect.stringContaining(`You have no rights to ${folder}.`)]);
    expect((await run(["outdated", folder, ...place])).code).toBe(2);
  } finally {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  }
});

describe("two programs", () => {
  const holder = (pid: number, computer = hostname()) => JSON.stringify({ pid, computer });
  const held = (text: string) => {
    const folder = withLamp();
    mkdirSync(join(folder, ".shelf"));
    writeFileSync(join(folder, ".shelf", "lock"), text);
    return folder;
  };

  test.each([
    ["on one computer", holder(process.ppid), "Another shelf"],
    ["on two computers", holder(1, "elsewhere"), "A shelf on the computer elsewhere"],
  ])("%s do not change a folder at the same time", async (_what, text, sentence) => {
    const folder = held(text);
    const { code, err } = await run(["update", folder, ...place, "--yes"]);
    expect([code, err]).toEqual([5, expect.stringContaining(`${sentence}`)]);
    expect(err).toContain("works in this folder at the moment.");
    expect(readFileSync(join(folder, ".shelf", "lock"), "utf8")).toBe(text);
    expect(namesIn(folder)).toContain("lamp-1.0.jar");
  });

  test.each([holder(2 ** 22 + 1), holder(process.pid), "", "{"])("one of which has ended: %j", async (text) => {
    const folder = held(text);
    expect((await run(["update", folder, ...place, "--yes"])).code).toBe(0);
    expect(readdirSync(join(folder, ".shelf")).sort()).toEqual([".gitignore", "changes", "trash"]);
  });
});

describe("a folder from someone else", () => {
  const lockWith = (more: object) => ({
    "shelf.lock": JSON.stringify({
      host: "https://mods.example.org",
      setup: {},
      projects: [
        {
          ...{ project: "p", slug: "p", version: "v", number: "1", file: "a.jar", sha512, pinned: false, wanted: true },
          ...more,
        },
      ],
    }),
  });

  test.each([
    ["a path", lockWith({ file: "../a.jar" })],
    ["no hash", lockWith({ sha512: "abc" })],
    ["no text", lockWith({ slug: 5 })],
    ["broken JSON", { "shelf.lock": "<<<<<<< ours" }],
  ])("with %s in its lock file is not used", async (_what, files) => {
    const { code, err } = await run(["install", "-d", newFolder(files), "--yes"]);
    expect([code, err]).toEqual([1, expect.stringContaining("is not a lock file of shelf")]);
  });

  test("cannot lead out of itself by links or by a journal", async () => {
    const outside = newFolder({ "victim.jar": "precious" });
    const links = newFolder({ "lamp-1.0.jar": bytes("lamp@1.0") });
    symlinkSync(outside, join(links, ".shelf"));
    expect((await failingUpdate(links)).err).toContain("is not a folder");
    for (const step of [
      { kind: "take", name: `../${outside.split("/").at(-1)}/victim.jar`, at: "trash/x/victim.jar" },
      { kind: "put", name: "a.jar", at: "trash/../../victim.jar" },
      { kind: "take", name: "lamp-1.0.jar", at: "elsewhere/x" },
    ]) {
      const folder = withLamp();
      mkdirSync(join(folder, ".shelf"));
      writeFileSync(join(folder, ".shelf", "journal.json"), JSON.stringify({ number: 1, command: "x", steps: [step] }));
      const { code, err } = await run(["list", folder]);
      expect([code, err]).toEqual([1, expect.stringContaining("journal.json is damaged")]);
      expect(namesIn(folder)).toEqual(["lamp-1.0.jar", "own.jar"]);
    }
    expect(contentOf(outside)).toEqual({ "victim.jar": Buffer.from("precious").toString("base64") });
  });

  test("does not get the token of the environment for its own registry", async () => {
    const seen: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
    servers.push(server.listen(0, "127.0.0.1"));
    await once(server, "listening");
    const theirs = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const files = { "shelf.lock": JSON.stringify({ host: theirs, setup: {}, projects: [] }), "x.jar": "x" };
    const env = { SHELF_HOST: "http://127.0.0.1:1", SHELF_TOKEN: "msp_secret" };
    await shelf(["outdated", newFolder(files)], { env });
    expect(seen).toEqual([undefined]);
  });
});

test("an interrupted change is completed even if the user has deleted a file, and taken back if new files are lost", async () => {
  const journal = { number: 5, date: "", command: "update" };
  const steps = [
    { kind: "take", name: "lamp-1.0.jar", at: "trash/x.5/lamp-1.0.jar", sha512 },
    { kind: "put", name: "lamp-1.1.jar", at: "new/lamp-1.1.jar", sha512 },
  ];
  for (const hasNew of [true, false]) {
    const folder = hasNew ? newFolder(own) : withLamp();
    for (const name of [".shelf", ".shelf/new", ".shelf/changes", ".shelf/trash", ".shelf/trash/x.5"])
      mkdirSync(join(folder, name));
    writeFileSync(join(folder, ".shelf/journal.json"), JSON.stringify({ ...journal, steps }));
    if (hasNew) writeFileSync(join(folder, ".shelf/new/lamp-1.1.jar"), bytes("lamp@1.1"));
    const { code, err } = await run(["list", folder]);
    expect([code, err]).toEqual([0, expect.stringContaining(hasNew ? "It is complete now." : "It is undone now.")]);
    expect(namesIn(folder)).toEqual([hasNew ? "lamp-1.1.jar" : "lamp-1.0.jar", "own.jar"]);
  }
});

test("a clock that goes backward does not change the order of changes", async () => {
  const folder = withLamp();
  vi.useFakeTimers({ toFake: ["Date"] });
  try {
    vi.setSystemTime("2040-01-01T00:00:00Z");
    await run(["update", folder, ...place, "--yes"]);
    vi.setSystemTime("1999-01-01T00:00:00Z");
    expect((await run(["remove", slug("lamp"), "-d", folder, "--yes"])).code).toBe(0);
    expect(readdirSync(join(folder, ".shelf/trash"))).toEqual(["1999-01-01.2", "2040-01-01.1"]);
    await run(["undo", folder]);
    expect(namesIn(folder)).toEqual(["lamp-1.1.jar", "own.jar"]);
    await run(["undo", folder]);
    expect(namesIn(folder)).toEqual(["lamp-1.0.jar", "own.jar"]);
  } finally {
    vi.useRealTimers();
  }
});

test("an update that is interrupted by the user says so, and changes nothing", async () => {
  const controller = new AbortController();
  const host = await lyingRegistry({}, (response) => {
    response.writeHead(200).write("a");
    controller.abort(new Error("Interrupted."));
  });
  const folder = newFolder(own);
  const { code, err } = await shelf(["install", "a", "-d", folder, "--yes", "--host", host], {
    signal: controller.signal,
  });
  expect([code, err, namesIn(folder)]).toEqual([130, expect.stringContaining("Nothing is half done."), ["own.jar"]]);
});

test("a renamed file of a disabled project stays known by its hash", async () => {
  const folder = withLamp();
  await run(["install", slug("lamp"), "-d", folder, ...place, "--yes"]);
  renameSync(join(folder, "lamp-1.1.jar"), join(folder, "my lamp.jar"));
  expect((await run(["install", "-d", folder, "--yes"])).out).toBe("All files of shelf.lock are here.\n");
  expect(lockOf(folder).projects[0]).toMatchObject({ project: mods.id("lamp"), file: "lamp-1.1.jar" });
});
