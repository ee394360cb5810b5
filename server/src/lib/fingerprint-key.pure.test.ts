// Fingerprints: the same for every form of a hash, and evenly spread for inputs that are alike, with any key.
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { FingerprintKey } from "./fingerprint-key.js";

const secretOf = (seed: number): Buffer => createHash("sha256").update(`secret ${seed}`).digest();
const key = new FingerprintKey(secretOf(0));
const sha512 = (text: string): string => createHash("sha512").update(text).digest("hex");

const ofHex = (hex: string, using = key): string => {
  expect(using.readHex(hex)).toBe(true);
  return `${using.high} ${using.low}`;
};
const readHexBytes = (text: string, from: number, length: number): boolean =>
  key.readHexBytes(new DataView(new Uint8Array(Buffer.from(text, "latin1")).buffer), from, length);
const ofText = (text: string): string => {
  key.readText(text);
  return `${key.high} ${key.low}`;
};

/** Hashes that a client can choose freely, each family as structured as possible. */
function families(): Record<string, string[]> {
  const base = sha512("base");
  const changed = (at: number, digit: string) => base.slice(0, at) + digit + base.slice(at + 1);
  const numbered = Array.from({ length: 4096 }, (_, n) => n.toString(16).padStart(128, "0"));
  return {
    "differ in one digit": [...base].flatMap((_, at) => [..."0123456789abcdef"].map((digit) => changed(at, digit))),
    "share all but the end": numbered,
    "share all but the beginning": numbered.map((hex) => [...hex].reverse().join("")),
    // The highest bits of two words: products modulo a power of two would cancel out.
    "differ in the highest bits": Array.from({ length: 4096 }, (_, n) =>
      Array.from({ length: 12 }, (_, bit) => (n & (1 << bit) ? "8000" : "0000"))
        .join("")
        .padEnd(128, "0"),
    ),
    "repeat one word": Array.from({ length: 4096 }, (_, n) => n.toString(16).padStart(4, "0").repeat(32)),
  };
}

describe("a fingerprint", () => {
  test("is the same for a hash in lower case, upper case and bytes", () => {
    for (const hex of [sha512("a"), sha512("b").slice(0, 40)]) {
      const found = ofHex(hex);
      expect(ofHex(hex.toUpperCase())).toBe(found);
      key.readBytes(Buffer.from(hex, "hex"));
      expect(`${key.high} ${key.low}`).toBe(found);
      expect(readHexBytes(`"${hex}"`, 1, hex.length)).toBe(true);
      expect(`${key.high} ${key.low}`).toBe(found);
    }
  });

  test("does not exist for text that is not hexadecimal", () => {
    for (const wrong of ["g".repeat(40), `${"0".repeat(39)}é`, `${"0".repeat(39)}\u{12345}`, "000", "0".repeat(260)])
      expect(key.readHex(wrong)).toBe(false);
    const digits = "0123456789abcdefABCDEF";
    for (const length of [40, 128])
      for (let code = 0; code < 256; code++)
        for (let at = 0; at < length; at += 3) {
          const text = `${"a9F0".repeat(32).slice(0, at)}${String.fromCharCode(code)}`.padEnd(length, "0");
          expect(readHexBytes(text, 0, length)).toBe(digits.includes(String.fromCharCode(code)));
        }
  });

  test("depends on the key and on the length", () => {
    const hex = sha512("a");
    expect(ofHex(hex, new FingerprintKey(secretOf(1)))).not.toBe(ofHex(hex));
    expect(ofHex(hex, new FingerprintKey(secretOf(0)))).toBe(ofHex(hex));
    const zeros = Array.from({ length: 33 }, (_, n) => ofHex("0000".repeat(n)));
    expect(new Set(zeros).size).toBe(33);
    const texts = Array.from({ length: 100 }, (_, n) => ofText("\0".repeat(n)));
    expect(new Set(texts.slice(0, 65)).size).toBe(65);
    expect(texts.slice(0, 65)).not.toContain(texts[65]);
  });

  test("is exact for the largest input, whose sums have 53 bits", () => {
    // Two inputs that differ by one in one word; with rounding, neighbours would be equal.
    const largest = "f".repeat(128);
    const all = Array.from(
      { length: 32 },
      (_, word) => `${largest.slice(4 * word + 4)}fffe${largest.slice(0, 4 * word)}`,
    );
    expect(new Set([...all, largest].map((hex) => ofHex(hex))).size).toBe(33);
    for (const hex of all) {
      const found = ofHex(hex);
      readHexBytes(hex, 0, 128);
      expect(`${key.high} ${key.low}`).toBe(found);
    }
  });
});

describe.each(Object.entries(families()))("fingerprints of hashes that %s", (_name, hashes) => {
  const distinct = [...new Set(hashes)];

  test.each([1, 2, 3])("are evenly spread in every byte of both halves, with key %i", (seed) => {
    const using = new FingerprintKey(secretOf(seed));
    const counts = Array.from({ length: 8 }, () => new Uint32Array(256));
    const seen = new Set<number>();
    for (const hex of distinct) {
      using.readHex(hex);
      seen.add(using.high * 2 ** 21 + (using.low >>> 11));
      for (let byte = 0; byte < 4; byte++) {
        counts[byte]![(using.high >>> (8 * byte)) & 255]!++;
        counts[4 + byte]![(using.low >>> (8 * byte)) & 255]!++;
      }
    }
    expect(seen.size).toBe(distinct.length);
    const expected = distinct.length / 256;
    for (const count of counts) {
      const chiSquare = count.reduce((sum, found) => sum + (found - expected) ** 2 / expected, 0);
      // 255 degrees of freedom: mean 255, standard deviation 22.6; nine deviations.
      expect(chiSquare).toBeLessThan(460);
    }
  });
});

test("texts of up to 64 characters, such as slugs, have different fingerprints", () => {
  const slugs = Array.from({ length: 5000 }, (_, n) => `${"mod-".repeat(14)}${n}`);
  expect(new Set(slugs.map(ofText)).size).toBe(5000);
});
