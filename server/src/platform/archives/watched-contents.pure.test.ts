// Known contents are found anywhere in an archive, and looking for them changes nothing else.
import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { noise, zerosEntry } from "#test/files/archive-bombs.js";
import { zip } from "#test/files/archives.js";
import { inspectFile } from "./inspection.js";
import { openArchiveInspector } from "./inspector.js";
import { createWatch, prefixBytes, type WatchList } from "./watched-contents.js";

const MiB = 1024 * 1024;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "modshelf-watch-"));
});
afterAll(() => rm(folder, { recursive: true }));

let files = 0;
async function save(bytes: Buffer): Promise<string> {
  const path = join(folder, `${++files}.upload`);
  await writeFile(path, bytes);
  return path;
}

const hashOf = (algorithm: string, bytes: Buffer | string): Buffer => createHash(algorithm).update(bytes).digest();
const nothing = new Uint8Array(0);
const listOf = (sha1: Buffer[], sha512: Buffer[] = []): WatchList => ({
  sha1: Buffer.concat(sha1.map((hash) => hash.subarray(0, prefixBytes))),
  sha512: Buffer.concat(sha512.map((hash) => hash.subarray(0, prefixBytes))),
});

describe("a watch", () => {
  test("does not exist for an empty list, so that nothing is hashed", async () => {
    expect(createWatch(undefined)).toBeUndefined();
    expect(createWatch({ sha1: nothing, sha512: nothing })).toBeUndefined();
    const path = await save(zip([{ name: "a", content: "bad" }]));
    expect(await inspectFile(path, "zip")).not.toHaveProperty("found");
  });

  test("finds contents by either hash, and reports their paths and full hashes", async () => {
    const inner = zip([
      { name: "bad.class", content: "bad" },
      { name: "worse.class", content: "worse" },
    ]);
    const path = await save(
      zip([
        { name: "libs/inner.jar", content: inner },
        { name: "fine", content: "fine" },
      ]),
    );
    const list = listOf([hashOf("sha1", "bad")], [hashOf("sha512", "worse"), hashOf("sha512", inner)]);
    const inspection = await inspectFile(path, "zip", {}, list);
    expect(inspection).toMatchObject({
      ok: true,
      found: [
        { path: "libs/inner.jar!/bad.class", algorithm: "sha1", hash: hashOf("sha1", "bad").toString("hex") },
        { path: "libs/inner.jar!/worse.class", algorithm: "sha512", hash: hashOf("sha512", "worse").toString("hex") },
        { path: "libs/inner.jar", algorithm: "sha512", hash: hashOf("sha512", inner).toString("hex") },
      ],
    });
  });

  test("reports only the first few, and never empty files", async () => {
    const entries = Array.from({ length: 100 }, (_, n) => ({ name: `${n}`, content: n < 50 ? "bad" : "" }));
    const list = listOf([hashOf("sha1", "bad"), hashOf("sha1", "")]);
    const inspection = await inspectFile(await save(zip(entries)), "zip", {}, list);
    expect(inspection).toMatchObject({ ok: true });
    const { found = [] } = inspection as { found?: { path: string }[] };
    expect(found).toHaveLength(16);
  });

  test("keeps no content in memory: a large entry needs no more than without a watch", async () => {
    const large = zip([
      { name: "noise", content: noise(2 * MiB), isStored: true },
      zerosEntry("zeros", 90, { fields: { size: 90 * MiB, crc: 0 } }),
    ]);
    // This runs in the child process, whose memory is limited.
    await using closing = new AsyncDisposableStack();
    const inspector = openArchiveInspector({ processes: 1 });
    closing.defer(() => inspector.close());
    const many = Array.from({ length: 10_000 }, (_, n) => hashOf("sha1", `${n}`));
    const watched = await inspector.inspect(await save(large), "zip", {}, listOf(many));
    const plain = await inspector.inspect(await save(large), "zip");
    expect(watched).toEqual({ ...plain, ...(plain.ok && { found: [] }) });
  });

  test("does not change any limit", async () => {
    const path = await save(
      zip([
        { name: "a", content: "bad" },
        { name: "b", content: "fine" },
      ]),
    );
    const list = listOf([hashOf("sha1", "bad")]);
    expect(await inspectFile(path, "zip", { maxEntriesInAll: 1 }, list)).toMatchObject({
      ok: false,
      reason: "tooManyEntries",
    });
  });
});
