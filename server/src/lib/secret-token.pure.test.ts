import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCharacter } from "#test/callers/any-character.js";
import { base62 } from "./base62.js";
import { systemRandom } from "./random.js";
import { newSecretToken, readSecretToken, tokenDigest } from "./secret-token.js";

const prefixes = ["msp_", "mss_", "msc_", "msa_", "msr_"] as const;

describe("a secret token", () => {
  test.each([
    ["msp_", "pat"],
    ["mss_", "session"],
    ["msc_", "code"],
    ["msa_", "application"],
    ["msr_", "refresh"],
  ] as const)("that starts with %s is a %s and is looked up by its SHA-256", (prefix, kind) => {
    const token = newSecretToken(prefix, systemRandom);
    expect(token).toMatch(new RegExp(`^${prefix}[0-9A-Za-z]{49}$`));
    const digest = createHash("sha256").update(token).digest();
    expect(readSecretToken(token)).toEqual({ kind, digest });
    expect(tokenDigest(token)).toEqual(digest);
  });

  test("has the same length for the smallest and the largest secret", () => {
    for (const byte of [0x00, 0xff]) {
      const token = newSecretToken("msp_", { bytes: (count) => Buffer.alloc(count, byte) });
      expect(token).toHaveLength(53);
      expect(readSecretToken(token)?.kind).toBe("pat");
    }
  });

  test("keeps its format: tokens issued by an earlier release stay valid", () => {
    const token = newSecretToken("msp_", { bytes: (count) => Buffer.from(Array.from({ length: count }, (_, i) => i)) });
    expect(token).toBe("msp_003aUlTJC7tjlCTQj2uNU3MFagCXG9LRKRcwGkBIDlf0IJ39g");
  });

  test("is different each time", () => {
    const tokens = new Set(Array.from({ length: 1000 }, () => newSecretToken("mss_", systemRandom)));
    expect(tokens.size).toBe(1000);
  });

  test("is refused if any one character is mistyped", () => {
    const token = newSecretToken("msp_", systemRandom);
    for (let at = 0; at < token.length; at++) {
      for (const character of base62) {
        const typo = token.slice(0, at) + character + token.slice(at + 1);
        if (typo !== token) expect(readSecretToken(typo)).toBeUndefined();
      }
    }
  });

  test("is refused if two adjacent characters are swapped", () => {
    const token = newSecretToken("msp_", systemRandom);
    for (let at = 0; at + 1 < token.length; at++) {
      const swapped = token.slice(0, at) + token[at + 1] + token[at] + token.slice(at + 2);
      if (swapped !== token) expect(readSecretToken(swapped)).toBeUndefined();
    }
  });

  test("cannot be passed off as another kind", () => {
    for (const from of prefixes) {
      const secret = newSecretToken(from, systemRandom).slice(4);
      for (const to of prefixes) if (to !== from) expect(readSecretToken(to + secret)).toBeUndefined();
    }
  });

  test("is not recognised with anything around it or in another case", () => {
    const token = newSecretToken("msp_", systemRandom);
    const others = [
      "",
      token.slice(0, -1),
      token.slice(1),
      `${token}0`,
      `${token}\n`,
      `\n${token}`,
      ` ${token}`,
      `${token}\0`,
      `Bearer ${token}`,
      token.toUpperCase(),
      token.replace("msp_", "MSP_"),
      token.replace("msp_", "msx_"),
      token.replace("_", "＿"),
      `msp_${"é".repeat(49)}`,
      "msp_".repeat(100_000),
    ];
    for (const other of others) expect(readSecretToken(other)).toBeUndefined();
  });

  test("is never found in arbitrary text", () => {
    const shaped = fc.stringMatching(/^ms[psc]_[0-9A-Za-z]{49}$/);
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: anyCharacter }), shaped), (text) => readSecretToken(text) === undefined),
    );
  });
});
