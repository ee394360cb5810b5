// Tokens and keys from other services: anything but the one accepted kind is refused without an exception.
import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { readJwt, readKeySet } from "./jwt.js";

const rsa = (modulusLength: number) =>
  generateKeyPairSync("rsa", { modulusLength }).publicKey.export({ format: "jwk" });
const good = rsa(2048);
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const token = (header: object, claims: unknown, signature = "AAAA") =>
  `${encoded(header)}.${encoded(claims)}.${signature}`;
const header = { alg: "RS256", kid: "1" };

describe("readKeySet", () => {
  test("leaves out every key that is not an RSA signing key of at least 2048 bits", async () => {
    const keys = [
      { ...good, kid: "good" },
      { ...good, kid: "named", use: "sig", alg: "RS256" },
      { ...rsa(1024), kid: "short" },
      { ...good, kid: "encrypts", use: "enc" },
      { ...good, kid: "other algorithm", alg: "PS256" },
      { ...good, kid: 7 },
      { ...good },
      { kty: "EC", kid: "curve" },
      { kty: "oct", kid: "secret", k: "AAAA" },
      { kty: "RSA", kid: "empty" },
      { kty: "RSA", kid: "odd", n: 7, e: {} },
      null,
      "text",
    ];
    expect([...(await readKeySet({ keys })).keys()]).toEqual(["good", "named"]);
  });

  test.each([null, undefined, [], "text", { keys: {} }, { keys: "text" }])("finds no keys in %j", async (document) => {
    expect((await readKeySet(document)).size).toBe(0);
  });
});

describe("readJwt", () => {
  test.each([
    "",
    "..",
    "a.b.c",
    "a.b.c.d.e",
    token(header, null),
    token(header, []),
    token({ ...header, kid: "k".repeat(256) }, {}),
    token({ ...header, crit: [] }, {}),
    token({ ...header, alg: ["RS256"] }, {}),
  ])("refuses %j", (text) => {
    expect(readJwt(text)).toBeUndefined();
  });

  test("accepts no signature that is missing, broken or not base64url", async () => {
    const key = (await readKeySet({ keys: [{ ...good, kid: "1" }] })).get("1")!;
    for (const signature of ["", "AAAA", "!!!!", "A".repeat(342), "é"]) {
      const jwt = readJwt(token(header, { iss: "x" }, signature));
      expect(jwt ? await jwt.isSignedWith(key) : false, signature).toBe(false);
    }
  });
});
