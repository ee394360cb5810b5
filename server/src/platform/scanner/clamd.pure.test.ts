// The protocol of clamd, against a speaker that behaves well and badly, and against the real program if it is installed.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { Config } from "#config/config.js";
import { toTestText, tryScanner } from "#operations/administration/scanner-trial.js";
import { type ClamdMood, marker, startClamd } from "#test/setup/clamd.js";
import { toVerdict } from "./clamd.js";
import { followScanner } from "./open.js";
import type { Trouble } from "./scanner.js";

const clamd = await startClamd();
const settings: Config["scanner"] = {
  place: { host: "127.0.0.1", port: clamd.port },
  whenUnscanned: "hold",
  largestBytes: 1e9,
};
const scanner = followScanner(() => settings);
afterAll(async () => {
  scanner.close();
  await clamd.stop();
});
beforeEach(() => {
  clamd.mood = "well";
});

const pieces = (count: number, piece: Buffer) =>
  async function* (): AsyncGenerator<Buffer> {
    for (let n = 0; n < count; n++) yield piece;
  };
const text = (content: string) => pieces(1, Buffer.from(content));
const scan = (content: () => AsyncIterable<Uint8Array>, limitMs = 20_000) => scanner.scan(content, limitMs);

describe("a scan", () => {
  test("says clean or infected, with the signature; the bytes arrive whole and in order", async () => {
    expect(await scan(text("hello"))).toEqual({ kind: "clean" });
    expect(await scan(text(`a ${marker} b`))).toEqual({ kind: "infected", signature: "Test.Malware" });
    expect(await scan(pieces(0, Buffer.alloc(0)))).toEqual({ kind: "clean" });
    const sent = Buffer.alloc(100_000, "modshelf");
    await scan(pieces(30, sent));
    expect(clamd.scanned.at(-1)!.equals(Buffer.concat(Array.from({ length: 30 }, () => sent)))).toBe(true);
    expect(await scanner.readVersion()).toBe(clamd.version);
  });

  test("that exceeds the limit of clamd says so, even in the middle", async () => {
    clamd.mood = "strict";
    expect(await scan(text("short"))).toEqual({ kind: "clean" });
    expect(await scan(pieces(3, Buffer.alloc(600)))).toEqual({ kind: "tooLarge" });
  });

  test.each<[ClamdMood, Trouble]>([
    ["failing", "failed"],
    ["silent", "silent"],
    ["slow", "silent"],
    ["closing", "closed"],
    ["garbage", "strange"],
    ["chatter", "strange"],
  ])("by a scanner that is %s has no verdict: %s", async (mood, trouble) => {
    clamd.mood = mood;
    await expect(scan(pieces(50, Buffer.alloc(70_000)), 600)).rejects.toMatchObject({ trouble });
  });

  test("has no verdict without a scanner, or with a wrong address", async () => {
    const at = (place: Config["scanner"]["place"]) => followScanner(() => ({ ...settings, place }));
    await expect(at(undefined).scan(text("x"), 1000)).rejects.toMatchObject({ trouble: "off" });
    expect(at(undefined).enabled).toBe(false);
    await expect(at({ host: "127.0.0.1", port: 1 }).readVersion()).rejects.toMatchObject({ trouble: "refused" });
    await expect(at({ path: "/no/such/socket" }).readVersion()).rejects.toMatchObject({ trouble: "refused" });
    await expect(at({ host: "no-such-host.invalid", port: 1 }).readVersion()).rejects.toMatchObject({
      trouble: "unknownHost",
    });
  });

  test("stops reading the file when the scanner is gone, and passes on errors of the file", async () => {
    clamd.mood = "closing";
    let isClosed = false;
    const endless = async function* () {
      try {
        for (;;) yield Buffer.alloc(64 * 1024);
      } finally {
        isClosed = true;
      }
    };
    await expect(scan(endless)).rejects.toMatchObject({ trouble: "closed" });
    await expect.poll(() => isClosed).toBe(true);
    clamd.mood = "well";
    const broken = async function* () {
      yield Buffer.from("x");
      throw new Error("the disk is gone");
    };
    await expect(scan(broken)).rejects.toThrow("the disk is gone");
  });

  test("runs beside few others, and waits for its turn", async () => {
    clamd.mood = "slow";
    clamd.mostAtOnce = 0;
    const all = Promise.all(Array.from({ length: 12 }, () => scan(text("x"))));
    await expect.poll(() => clamd.mostAtOnce).toBe(4);
    clamd.mood = "well";
    clamd.release();
    expect(await all).toHaveLength(12);
    expect(clamd.mostAtOnce).toBe(4);
  });
});

test.each([
  ["stream: Heuristics.Limits.Exceeded.MaxScanSize FOUND", "tooLarge"],
  ["stream: A B/C.1 FOUND", "infected"],
])("the reply %j means %s", (reply, kind) => expect(toVerdict(reply).kind).toBe(kind));

test("the test of the administration finds the test text, which no file of the program contains", async () => {
  expect(createHash("md5").update(toTestText()).digest("hex")).toBe("44d88612fea8a8f36de82e1278abb02f");
  expect(await tryScanner(scanner)).toEqual({ outcome: "works", version: clamd.version });
  clamd.mood = "garbage";
  expect(await tryScanner(scanner)).toEqual({ outcome: "strange" });
});

/** With signatures of its own, because downloading those of ClamAV takes minutes. */
const isInstalled = spawnSync("clamd", ["--version"]).status === 0;

describe.skipIf(!isInstalled)("the real clamd (skipped where clamd is not installed)", () => {
  test("finds the test text, accepts others, and refuses what is too large, on a Unix socket", async () => {
    const folder = mkdtempSync(join(tmpdir(), "modshelf-clamd-"));
    const path = join(folder, "clamd.sock");
    mkdirSync(join(folder, "db"));
    writeFileSync(join(folder, "db/own.hdb"), "44d88612fea8a8f36de82e1278abb02f:68:Eicar-Test-Signature\n");
    const config = [`DatabaseDirectory ${folder}/db`, `LocalSocket ${path}`, "Foreground yes", "StreamMaxLength 1M"];
    writeFileSync(join(folder, "clamd.conf"), `${config.join("\n")}\n`);
    const daemon = spawn("clamd", [`--config-file=${folder}/clamd.conf`], { stdio: "ignore" });
    const real = followScanner(() => ({ ...settings, place: { path } }));
    try {
      await expect.poll(() => real.readVersion().catch(() => "starting")).toMatch(/^ClamAV /);
      expect(await tryScanner(real)).toMatchObject({ outcome: "works" });
      expect(await real.scan(pieces(12, Buffer.alloc(65_536, "x")), 20_000)).toEqual({ kind: "clean" });
      expect(await real.scan(pieces(100, Buffer.alloc(65_536, "x")), 20_000)).toEqual({ kind: "tooLarge" });
    } finally {
      real.close();
      daemon.kill();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
