// Temporary files, and the memory of the chunks that were written to them.
import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { systemFileSystem } from "#lib/file-system.js";
import { systemRandom } from "#lib/random.js";
import { openStaging } from "./staging.js";

const folder = mkdtempSync(join(tmpdir(), "modshelf-staging-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const staging = await openStaging(folder, systemRandom, systemFileSystem);

/** A chunk that owns its whole buffer. */
const own = (size: number) => new Uint8Array(Buffer.from(randomBytes(size)));

async function* from(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

describe("staging", () => {
  test("frees the memory of its own chunks as soon as they are written", async () => {
    const chunks = [own(70_000), own(3_000_000)];
    const whole = Buffer.concat(chunks);
    const staged = await staging.stage(from(chunks), { maxBytes: whole.length, ownsChunks: true });
    expect(readFileSync(staged.path).equals(whole)).toBe(true);
    expect(staged.sha512).toBe(createHash("sha512").update(whole).digest("hex"));
    // A chunk larger than a slice is written in pieces, and pieces are not freed.
    expect(chunks.map(({ byteLength }) => byteLength)).toEqual([0, 3_000_000]);
    await staged.discard();
  });

  test("writes many small chunks, and then large ones, in their order", async () => {
    const chunks = [
      ...Array.from({ length: 1000 }, () => own(7)),
      ...Array.from({ length: 9 }, () => own(65_536)),
      own(1),
    ];
    const whole = Buffer.concat(chunks);
    const staged = await staging.stage(from(chunks), { maxBytes: whole.length, ownsChunks: true });
    expect(readFileSync(staged.path).equals(whole)).toBe(true);
    expect(staged).toMatchObject({ size: whole.length, sha1: createHash("sha1").update(whole).digest("hex") });
    await staged.discard();
  });

  test("writes on if the system takes only a part of the bytes", async () => {
    const short = await openStaging(folder, systemRandom, {
      ...systemFileSystem,
      async open(...args: Parameters<typeof systemFileSystem.open>) {
        const file = await systemFileSystem.open(...args);
        const writev = file.writev.bind(file);
        file.writev = async (slices) => writev([(slices[0] as Uint8Array).subarray(0, 1000)]) as never;
        return file;
      },
    });
    const chunks = [own(2500), own(10), own(3000)];
    const whole = Buffer.concat(chunks);
    const staged = await short.stage(from(chunks), { maxBytes: whole.length });
    expect(readFileSync(staged.path).equals(whole)).toBe(true);
    await staged.discard();
  });

  test("does not free a chunk that is part of a larger buffer", async () => {
    const memory = own(100_000);
    const whole = Buffer.from(memory);
    const pieces = [memory.subarray(0, 40_000), memory.subarray(40_000)];
    const staged = await staging.stage(from(pieces), { maxBytes: 100_000, ownsChunks: true });
    expect(readFileSync(staged.path).equals(whole)).toBe(true);
    expect(whole.equals(memory)).toBe(true);
    await staged.discard();
  });

  test("does not free chunks that it does not own", async () => {
    const chunk = own(1000);
    const before = Buffer.from(chunk);
    const staged = await staging.stage(from([chunk]), { maxBytes: 1000 });
    expect(before.equals(chunk)).toBe(true);
    await staged.discard();
  });
});

describe("a retained file", () => {
  const make = async () => staging.retain(await staging.stage(from([own(1000)]), { maxBytes: 1000 }));

  test("outlives its request, and is found by its name until it is removed", async () => {
    const staged = await staging.stage(from([own(1000)]), { maxBytes: 1000 });
    const name = await staging.retain(staged);
    await staged.discard();
    const file = await staging.findRetained(name);
    expect([file?.size, file && readFileSync(file.path).length]).toEqual([1000, 1000]);
    await staging.removeRetained(name);
    await staging.removeRetained(name);
    expect(await staging.findRetained(name)).toBeUndefined();
  });

  test("is swept two days later than leftovers", async () => {
    const name = await make();
    const hours = (count: number) => new Date(Date.now() + count * 3_600_000);
    for await (const { name: other } of staging.list()) expect(other).not.toBe(name);
    await staging.removeStale(hours(47));
    expect(await staging.findRetained(name)).toBeDefined();
    expect(await staging.removeStale(hours(49))).toBe(1);
    expect(await staging.findRetained(name)).toBeUndefined();
  });

  test.each(["../../etc/passwd", "x.part", `${"a".repeat(32)}.upload`, `${"a".repeat(32)}.part/../y`])(
    "cannot be named %j",
    async (name) => {
      await expect(staging.findRetained(name)).rejects.toThrow("not the name of a retained file");
      expect(() => staging.removeRetained(name)).toThrow("not the name of a retained file");
    },
  );
});
