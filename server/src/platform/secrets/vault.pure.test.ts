import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { findKeys, findOrMakeKeys, keyFileOf, toKey } from "#lib/key-file.js";
import { systemRandom } from "#lib/random.js";
import { createVault } from "./vault.js";

const newKey = () => systemRandom.bytes(32);
const [oldKey, key] = [newKey(), newKey()];
const vault = createVault([key, oldKey], systemRandom);

const refusal = (work: () => unknown): string | undefined => {
  try {
    work();
  } catch (error) {
    return (error as { code?: string }).code;
  }
};

describe("a vault", () => {
  test("opens its own sealed texts, and seals the same text differently each time", () => {
    for (const text of ["", "x", "whsec_ünïcode", "y".repeat(10_000)]) {
      const sealed = vault.seal(text, "row 1");
      expect(sealed.startsWith(vault.prefix)).toBe(true);
      if (text.length > 1) expect(sealed).not.toContain(text);
      expect(vault.open(sealed, "row 1")).toBe(text);
      expect(vault.seal(text, "row 1")).not.toBe(sealed);
    }
  });

  test("verifies its own signatures for the same text and use, also those of an earlier key", () => {
    const signature = vault.sign("https://a.b/c.png", "pictures");
    expect(signature).toMatch(/^[\w-]{22}$/);
    expect(vault.isSigned("https://a.b/c.png", signature, "pictures")).toBe(true);
    expect(vault.isSigned("https://a.b/d.png", signature, "pictures")).toBe(false);
    expect(vault.isSigned("https://a.b/c.png", signature, "other")).toBe(false);
    for (const wrong of ["", "x", `${signature}x`, signature.slice(1), "ü".repeat(22)])
      expect(vault.isSigned("https://a.b/c.png", wrong, "pictures")).toBe(false);
    const earlier = createVault([oldKey], systemRandom);
    expect(vault.isSigned("x", earlier.sign("x", "y"), "y")).toBe(true);
    expect(earlier.isSigned("x", vault.sign("x", "y"), "y")).toBe(false);
  });

  test("opens a text only for its own row, and only unchanged", () => {
    const sealed = vault.seal("secret", "row 1");
    expect(refusal(() => vault.open(sealed, "row 2"))).toBe("secretUnreadable");
    const last = sealed.at(-3) === "A" ? "B" : "A";
    expect(refusal(() => vault.open(`${sealed.slice(0, -3)}${last}${sealed.slice(-2)}`, "row 1"))).toBe(
      "secretUnreadable",
    );
    expect(refusal(() => vault.open(`${vault.prefix}AAAA`, "row 1"))).toBe("secretUnreadable");
  });

  test("opens texts sealed with an older key while it has that key", () => {
    const sealed = createVault([oldKey], systemRandom).seal("secret", "row 1");
    expect([vault.canOpen(sealed), vault.open(sealed, "row 1")]).toEqual([true, "secret"]);
    const later = createVault([key], systemRandom);
    expect([later.canOpen(sealed), refusal(() => later.open(sealed, "row 1"))]).toEqual([false, "secretUnreadable"]);
  });

  test("returns a text that was never sealed unchanged", () => {
    expect(vault.open("whsec_abc", "row 1")).toBe("whsec_abc");
  });
});

describe("the key file", () => {
  const folder = mkdtempSync(join(tmpdir(), "modshelf-keys-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  test("is created once, with access only for its own user, and found again", () => {
    const dataDir = join(folder, "new", "data");
    expect(findKeys(dataDir)).toBeUndefined();
    const [made] = findOrMakeKeys(dataDir, systemRandom);
    expect(made).toHaveLength(32);
    expect(findOrMakeKeys(dataDir, systemRandom)).toEqual([made]);
    expect(statSync(keyFileOf(dataDir)).mode & 0o777).toBe(0o600);
    expect(readdirSync(dataDir)).toEqual(["secret.key"]);
  });

  test("may contain several keys, and is never replaced if it is invalid", () => {
    writeFileSync(keyFileOf(folder), `${key.toString("hex")}\n${oldKey.toString("base64url")}\n`);
    expect(findOrMakeKeys(folder, systemRandom)).toEqual([key, oldKey]);
    writeFileSync(keyFileOf(folder), "not a key");
    expect(() => findOrMakeKeys(folder, systemRandom)).toThrow("is not a valid key file");
  });

  test.each(["", "abc", "g".repeat(64), "a".repeat(42), "a".repeat(45)])("%j is not a key", (text) => {
    expect(toKey(text)).toBeUndefined();
  });
});
