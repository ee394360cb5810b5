// Compares the hashes that are cut out of a body with those that a JSON parser finds.
import fc from "fast-check";
import { expect, test } from "vitest";
import { FingerprintKey } from "#lib/fingerprint-key.js";
import { maxHashes } from "./contract.js";
import { cutHashes, hashText, isSameHash, toSentHashes } from "./sent-hashes.js";

const key = new FingerprintKey(Buffer.alloc(32, 1));
const cut = (body: string) => cutHashes(key, { 40: "mark", 128: "mark" }, Buffer.from(body));
const textsOf = (sent: ReturnType<typeof toSentHashes>) => sent.at.map((_, index) => hashText(sent, index));

const sha512 = fc.stringMatching(/^[0-9a-fA-F]{128}$/);
const body = fc.record({
  algorithm: fc.string(),
  hashes: fc.array(sha512, { minLength: 1, maxLength: 6 }),
  other: fc.json(),
});

test("a plain list is cut out, and the rest is the same body with a mark", () => {
  fc.assert(
    fc.property(body, fc.constantFrom(undefined, 1, "\t"), (given, space) => {
      const { rest, sent } = cut(JSON.stringify(given, null, space))!;
      expect(textsOf(sent)).toEqual(given.hashes);
      expect(JSON.parse(Buffer.from(rest, "latin1").toString())).toEqual({ ...given, hashes: ["mark"] });
      expect(sent.fingerprints).toEqual(toSentHashes(key, "sha512", given.hashes).fingerprints);
    }),
    { numRuns: 100 },
  );
});

const [a, b] = ["a".repeat(40), "B".repeat(40)];

test.each([
  ["no list", "{}"],
  ["a text instead of a list", `{"hashes":"${a}"}`],
  ["an empty list", '{"hashes":[]}'],
  ["an entry that is no text", `{"hashes":["${a}",1]}`],
  ["a short hash", `{"hashes":["${a}","abc"]}`],
  ["hashes of both lengths", `{"hashes":["${a}","${"0".repeat(128)}"]}`],
  ["an escaped character", `{"hashes":["\\u0061${a.slice(1)}"]}`],
  ["a character that is not hexadecimal", `{"hashes":["${a.slice(1)}g"]}`],
  ["a control character", `{"hashes":["${a.slice(1)}\n"]}`],
  ["a comma at the end", `{"hashes":["${a}",]}`],
  ["no end", `{"hashes":["${a}"`],
  ["no comma", `{"hashes":["${a}""${b}"]}`],
  ["too many hashes", JSON.stringify({ hashes: Array(maxHashes + 1).fill(a) })],
])("the parser must read a body with %s", (_, text) => {
  expect(cut(text)).toBeUndefined();
});

test("only well-formed hashes of a list of texts remain", () => {
  const sent = toSentHashes(key, "sha1", ["", a, `${a}0`, b, "\u0130".repeat(40), a]);
  expect(textsOf(sent)).toEqual([a, b, a]);
  expect([isSameHash(sent, 0, 2), isSameHash(sent, 0, 1)]).toEqual([true, false]);
});
