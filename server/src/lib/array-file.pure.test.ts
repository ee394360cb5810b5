// Typed arrays are read from a file as they were written, or not at all.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readArrays, writeArrays } from "./array-file.js";

const folder = mkdtempSync(join(tmpdir(), "arrays-"));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, "file");

const value = {
  text: "Grüße, 世界",
  empty: new Uint32Array(0),
  part: new Uint32Array([1, 2, 3, 4]).subarray(1, 3),
  sets: Array.from({ length: 1500 }, (_, index) => [`${index}`, { bits: Uint32Array.of(index), size: index }]),
  large: new Float64Array(600_000).fill(0.5),
  bytes: Uint8Array.of(9, 8),
};

describe("a file of arrays", () => {
  test("gives back what was written, and replaces an earlier one", async () => {
    await writeArrays(path, { earlier: true });
    await writeArrays(path, value);
    const { large, ...rest } = (await readArrays(path)) as typeof value;
    expect(rest).toEqual({ ...value, large: undefined, part: Uint32Array.of(2, 3) });
    expect(Buffer.from(large.buffer).equals(Buffer.from(value.large.buffer))).toBe(true);
    expect(await readArrays(join(folder, "missing"))).toBeUndefined();
  });

  test("is refused if any part of it is damaged", async () => {
    await writeArrays(path, value);
    const whole = readFileSync(path);
    for (const at of [0, 3, 5, 60, 5000, whole.length - 9, whole.length - 1]) {
      const damaged = Buffer.from(whole);
      damaged[at]! ^= 0x41;
      writeFileSync(path, damaged);
      await expect(readArrays(path), `byte ${at}`).rejects.toThrow();
    }
    for (const length of [0, 4, 8, 100, whole.length - 1]) {
      writeFileSync(path, whole.subarray(0, length));
      await expect(readArrays(path), `${length} bytes`).rejects.toThrow();
    }
  });
});
