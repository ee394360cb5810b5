import { createHash, randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { digestOf, slicesOf } from "./digest.js";

const mib = 1024 * 1024;

async function* chunks(...parts: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}

describe("reading a source", () => {
  test("a huge chunk is hashed in steps, so that the event loop can run in between", async () => {
    const huge = randomBytes(5 * mib + 7);
    const slices: Uint8Array[] = [];
    for await (const slice of slicesOf(chunks(huge, Buffer.alloc(0), Buffer.from("end")))) slices.push(slice);
    expect(Math.max(...slices.map((slice) => slice.byteLength))).toBe(mib);
    expect(Buffer.concat(slices).equals(Buffer.concat([huge, Buffer.from("end")]))).toBe(true);
  });

  test("hashes do not depend on the size of the chunks", async () => {
    const bytes = randomBytes(3000);
    const whole = await digestOf(chunks(bytes));
    expect(await digestOf(chunks(bytes.subarray(0, 1), bytes.subarray(1, 2999), bytes.subarray(2999)))).toEqual(whole);
    expect(whole).toEqual({
      sha512: createHash("sha512").update(bytes).digest("hex"),
      sha1: createHash("sha1").update(bytes).digest("hex"),
      size: 3000,
    });
  });
});
