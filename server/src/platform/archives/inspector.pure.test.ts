// The inspecting processes as a whole: a hostile archive affects neither the server nor the next archive.
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { Busy } from "#lib/queue.js";
import { nestedZip, noise, overlappingBomb, zerosEntry } from "#test/files/archive-bombs.js";
import { type ZipEntry, zip } from "#test/files/archives.js";
import type { ArchiveType } from "./file-types.js";
import { type ArchiveInspector, type ArchiveInspectorOptions, openArchiveInspector } from "./inspector.js";

const MiB = 1024 * 1024;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "modshelf-archives-"));
});
afterAll(() => rm(folder, { recursive: true }));

const opened: ArchiveInspector[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const one of opened.splice(0)) await one.close();
});

function open(options?: ArchiveInspectorOptions): ArchiveInspector {
  const inspector = openArchiveInspector(options);
  opened.push(inspector);
  return inspector;
}

let files = 0;
async function save(bytes: Buffer): Promise<string> {
  const path = join(folder, `${++files}.upload`);
  await writeFile(path, bytes);
  return path;
}

const good = zip([
  { name: "a.txt", content: "hello" },
  { name: "puzzle.mod.json", content: '{"id":"good"}' },
]);
/** A valid archive that takes a while to read. */
const slow = zip([
  { name: "noise", content: noise(2 * MiB), isStored: true },
  zerosEntry("zeros", 90, { fields: { size: 90 * MiB, crc: 0 } }),
]);

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Waits for one process that has finished a job and is idle. */
async function openIdle(options?: ArchiveInspectorOptions) {
  const inspector = open({ processes: 1, ...options });
  const path = await save(good);
  expect(await inspector.inspect(path, "zip")).toMatchObject({ ok: true });
  return { inspector, path, pid: inspector.listPids()[0]! };
}

describe("the inspector", () => {
  test("reports the contents of a file and its manifest", async () => {
    expect(await open().inspect(await save(good), "jar")).toEqual({
      ok: true,
      isContentSeen: true,
      entries: 2,
      inflatedBytes: 18,
      nested: [],
      manifest: { kind: "puzzle", id: "good", loaders: ["puzzle_loader"], dependencies: [] },
    });
  });

  test("starts no process before the first archive, and none for images", async () => {
    const inspector = open();
    expect(await inspector.inspect("no such file", "png")).toMatchObject({ ok: true, isContentSeen: false });
    expect(inspector.listPids()).toEqual([]);
    await inspector.inspect(await save(good), "zip");
    expect(inspector.listPids()).toHaveLength(1);
  });

  test("distinguishes an unreadable file from an invalid one", async () => {
    const { inspector, path } = await openIdle();
    await expect(inspector.inspect(join(folder, "absent"), "zip")).rejects.toThrow("ENOENT");
    await expect(inspector.inspect(folder, "zip")).rejects.toThrow("EISDIR");
    expect(await inspector.inspect(path, "zip")).toMatchObject({ ok: true });
  });

  test("applies the limits that are passed with an archive", async () => {
    const { inspector, path } = await openIdle();
    expect(await inspector.inspect(path, "zip", { maxEntries: 1 })).toMatchObject({
      ok: false,
      reason: "tooManyEntries",
    });
  });

  test("writes nothing to disk", async () => {
    const path = await save(nestedZip(3));
    const before = await readdir(folder);
    await open().inspect(path, "zip");
    expect(await readdir(folder)).toEqual(before);
  });
});

describe("hostile archives", () => {
  test.each<[string, () => Buffer, ArchiveType, string]>([
    [
      "10 GB of zeros",
      () => zip(Array.from({ length: 20 }, (_, index) => zerosEntry(`${index}`, 512))),
      "zip",
      "tooCompressed",
    ],
    [
      "zeros that nothing announces",
      () => zip([zerosEntry("zeros", 2000, { descriptor: "marked" })]),
      "zip",
      "tooCompressed",
    ],
    ["overlapping entries", () => overlappingBomb(250), "jar", "missingEntry"],
    ["ten levels of archives", () => nestedZip(10), "zip", "nestedTooDeep"],
    ["nothing", () => Buffer.alloc(0), "zip", "notAnArchive"],
  ])("%s: refused by the same process, which keeps running", async (_what, make, type, reason) => {
    const { inspector, path, pid } = await openIdle();
    expect(await inspector.inspect(await save(make()), type)).toMatchObject({ ok: false, reason });
    expect(await inspector.inspect(path, "zip")).toMatchObject({ ok: true });
    expect(inspector.listPids()).toEqual([pid]);
  });

  test("the server keeps answering and its memory does not grow", async () => {
    const { inspector } = await openIdle();
    const path = await save(slow);
    const memory = process.memoryUsage().external;
    const own = process.threadCpuUsage();
    const start = performance.now();
    await Promise.all([1, 2, 3].map(() => inspector.inspect(path, "zip")));
    const inspecting = performance.now() - start;
    // CPU time of this thread, in which it cannot answer; other programs on the machine do not affect it.
    const { user, system } = process.threadCpuUsage(own);
    expect((user + system) / 1000).toBeLessThan(inspecting / 2);
    expect(process.memoryUsage().external - memory).toBeLessThan(8 * MiB);
  });

  test("the memory of the process stays bounded with much data and many entries", async () => {
    const { inspector, pid } = await openIdle();
    const entries = Array.from(
      { length: 8000 },
      (_, index): ZipEntry => ({ name: `folder/entry-${index}`, content: `${index}` }),
    );
    expect(await inspector.inspect(await save(zip(entries)), "zip")).toMatchObject({ ok: true, entries: 8000 });
    expect(await inspector.inspect(await save(slow), "zip")).toMatchObject({ ok: false, reason: "wrongChecksum" });
    // A process that exceeded its limits would have been replaced.
    expect(inspector.listPids()).toEqual([pid]);
  });
});

describe("trouble with one archive", () => {
  test("an archive that needs too much memory is refused and its process replaced", async () => {
    const { inspector, path, pid } = await openIdle();
    // Every level has its own buffer, and the limits that usually keep the levels few are lifted.
    const deep = nestedZip(500, { name: "noise", content: noise(MiB / 2), isStored: true });
    const limits = { maxNestingDepth: 1e9, maxRatio: 1e9 };
    expect(await inspector.inspect(await save(deep), "zip", limits)).toMatchObject({ reason: "tooMuchMemory" });
    expect(await inspector.inspect(path, "zip")).toMatchObject({ ok: true });
    expect(inspector.listPids()).not.toContain(pid);
  });

  test("a process that dies fails only its own archive", async () => {
    const { inspector, path, pid } = await openIdle();
    process.kill(pid, "SIGSTOP");
    const lost = inspector.inspect(path, "zip");
    const next = inspector.inspect(path, "zip");
    process.kill(pid, "SIGKILL");
    expect(await lost).toMatchObject({ ok: false, reason: "inspectionFailed" });
    expect(await next).toMatchObject({ ok: true });
    expect(inspector.listPids()).not.toContain(pid);
  });

  test("an archive that takes too long is refused and its process replaced", async () => {
    // On any machine this is far more than the valid archive needs, and far less than 4 GiB need.
    const { inspector, pid } = await openIdle({ jobMs: 300 });
    const huge = zip([zerosEntry("zeros", 4095)]);
    const limits = { maxEntryBytes: 2 ** 40, maxUnpackedBytes: 2 ** 40, maxRatio: 1e9 };
    expect(await inspector.inspect(await save(huge), "zip", limits)).toEqual({
      ok: false,
      reason: "tookTooLong",
      path: [],
    });
    expect(isAlive(pid)).toBe(false);
  });

  test("a process that gets no CPU time is replaced, and its archive is not refused for that", async () => {
    const { inspector, path, pid } = await openIdle();
    process.kill(pid, "SIGSTOP");
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const outcome = expect(inspector.inspect(path, "zip")).rejects.toBeInstanceOf(Busy);
    await vi.advanceTimersByTimeAsync(3 * 60_000);
    await outcome;
    expect(isAlive(pid)).toBe(false);
  });

  test("closing ends the processes and rejects the waiting inspections", async () => {
    const { inspector, path, pid } = await openIdle();
    process.kill(pid, "SIGSTOP");
    const outcome = Promise.allSettled([inspector.inspect(path, "zip"), inspector.inspect(path, "zip")]);
    await inspector.close();
    expect((await outcome).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(isAlive(pid)).toBe(false);
  });
});

describe("many archives at once", () => {
  test("twenty are all answered, each with its own result, by the process that runs", async () => {
    const { inspector, pid } = await openIdle({ processes: 2 });
    const sizes = Array.from({ length: 20 }, (_, index) => index + 1);
    const paths = await Promise.all(
      sizes.map((size) => save(zip([{ name: size % 5 === 0 ? "../a" : "a", content: Buffer.alloc(size) }]))),
    );
    // However busy the machine is, none of them waits for too long.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const inspections = await Promise.all(paths.map((path) => inspector.inspect(path, "zip")));
    expect(inspections.map((inspection) => (inspection.ok ? inspection.inflatedBytes : inspection.reason))).toEqual(
      sizes.map((size) => (size % 5 === 0 ? "unsafePath" : size)),
    );
    expect(inspector.listPids()).toEqual([pid]);
  });

  test("a second process is started if the first is busy for long, and answers all others", async () => {
    const { inspector, path, pid } = await openIdle({ processes: 2 });
    process.kill(pid, "SIGSTOP");
    const stuck = inspector.inspect(path, "zip");
    const others = await Promise.all([1, 2, 3].map(() => inspector.inspect(path, "zip")));
    expect(others.map(({ ok }) => ok)).toEqual([true, true, true]);
    expect(inspector.listPids()).toHaveLength(2);
    process.kill(pid, "SIGCONT");
    expect(await stuck).toMatchObject({ ok: true });
  });

  test("inspections beyond the queue limit are refused as busy, earlier ones complete", async () => {
    const inspector = open({ processes: 1, maxUnanswered: 2 });
    const path = await save(good);
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => inspector.inspect(path, "zip")));
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected"]);
    expect(outcomes[2]).toMatchObject({ reason: expect.any(Busy) });
    expect(await inspector.inspect(path, "zip")).toMatchObject({ ok: true });
  });
});
