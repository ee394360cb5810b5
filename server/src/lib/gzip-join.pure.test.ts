import { crc32, gunzipSync, inflateRawSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCharacter } from "#test/callers/any-character.js";
import { combineCrc, deflatePiece, GzipJoiner, type Joiner, PlainJoiner } from "./gzip-join.js";

/** A text, a text as bytes, an integer, or a piece. */
type Part = string | { text: Buffer } | number | Buffer;

const toBytes = (part: Part): Buffer => {
  if (Buffer.isBuffer(part)) return part;
  return typeof part === "object" ? part.text : Buffer.from(String(part));
};

function join(joiner: Joiner, parts: readonly Part[], isDeflated: boolean): Buffer {
  for (const part of parts) {
    if (!Buffer.isBuffer(part)) {
      if (typeof part === "string") joiner.text(part);
      else if (typeof part === "number") joiner.integer(part);
      else joiner.bytes(Buffer.concat([Buffer.from("xx"), part.text, Buffer.from("y")]), 2, 2 + part.text.length);
      continue;
    }
    const piece = deflatePiece(part);
    const bytes = isDeflated ? piece.bytes : part;
    const at = joiner.piece(bytes.length, piece.length, piece.crc);
    joiner.buffer.set(bytes, at);
  }
  return joiner.end();
}

/** Every check of the format (RFC 1952): head, one whole deflate stream, CRC and length, and nothing after it. */
function strictGunzip(bytes: Buffer): Buffer {
  expect([...bytes.subarray(0, 4)]).toEqual([0x1f, 0x8b, 8, 0]);
  const content = inflateRawSync(bytes.subarray(10, -8));
  expect(bytes.readUInt32LE(bytes.length - 8)).toBe(crc32(content));
  expect(bytes.readUInt32LE(bytes.length - 4)).toBe(content.length);
  expect(gunzipSync(bytes)).toEqual(content);
  return content;
}

const expectJoined = (parts: readonly Part[], expected = 0) => {
  const whole = Buffer.concat(parts.map(toBytes));
  expect(join(new PlainJoiner(expected), parts, false)).toEqual(whole);
  expect(strictGunzip(join(new GzipJoiner(expected), parts, true)).equals(whole)).toBe(true);
};

const text = fc.oneof(fc.string({ unit: anyCharacter, maxLength: 300 }).map((value) => value.toWellFormed()));
const textBytes = text.map((value) => ({ text: Buffer.from(value) }));
const integer = fc.oneof(fc.nat(), fc.maxSafeNat(), fc.nat(20), fc.constantFrom(2 ** 31 - 1, 2 ** 31, 999_999_999));
const piece = fc.oneof(
  fc.uint8Array({ maxLength: 5000 }).map((bytes) => Buffer.from(bytes)),
  fc.string({ maxLength: 400 }).map((value) => Buffer.from(value.repeat(9))),
);

describe("joined answers", () => {
  test("contain exactly their texts and pieces, in both encodings", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(text, textBytes, integer, piece), { maxLength: 12 }),
        fc.nat(4000),
        (parts, expected) => {
          expectJoined(parts, expected);
        },
      ),
      { numRuns: 300 },
    );
  });

  test.each<[string, Part[]]>([
    ["nothing", []],
    ["empty texts and pieces", ["", Buffer.alloc(0), "", Buffer.alloc(0)]],
    ["a text of the longest block", ["x".repeat(0xffff)]],
    ["a text of several blocks", ["a".repeat(70_000), "ü".repeat(70_000), "b"]],
    ["a long piece that does not compress", [Buffer.from(Array.from({ length: 200_000 }, (_, n) => (n * n * 7) >> 3))]],
    ["long pieces between long texts", ["[", Buffer.alloc(100_000, "ab"), "c".repeat(65_536), Buffer.alloc(70_001, 1)]],
  ])("may consist of %s", (_, parts) => {
    expectJoined(parts);
  });

  test("have the right checksum for texts of any length, at any position", () => {
    const part = (length: number) => "%Aé7~".repeat(200).slice(0, length);
    for (let length = 0; length < 540; length += 1)
      expectJoined([part(length % 23), Buffer.from("piece"), part(length)]);
  });

  test("use memory that is long enough, and their own if it is not", () => {
    const lent = Buffer.alloc(1000);
    const joined = join(new PlainJoiner(10, () => lent), ["short"], false);
    expect(joined.buffer).toBe(lent.buffer);
    expect(join(new PlainJoiner(10, () => lent), ["long".repeat(1000)], false).toString()).toBe("long".repeat(1000));
  });
});

test("the CRC of two parts is combined from theirs", () => {
  fc.assert(
    fc.property(piece, fc.oneof(piece, fc.constant(Buffer.alloc(100_000, "x"))), (first, second) => {
      const whole = crc32(Buffer.concat([first, second]));
      expect(combineCrc(crc32(first), crc32(second), second.length)).toBe(whole);
    }),
  );
});
