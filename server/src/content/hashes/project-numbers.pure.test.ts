// Numbers of projects: exact in both directions, for ids of any form.
import { expect, test } from "vitest";
import { FingerprintKey } from "#lib/fingerprint-key.js";
import { newId, systemRandom } from "#lib/random.js";
import { ProjectNumbers } from "./project-numbers.js";

const key = new FingerprintKey(Buffer.alloc(32, 1));

test("every id has one number, also after the numbers were handed over", () => {
  const ids = [...new Set(Array.from({ length: 3000 }, () => newId(systemRandom))), "00000000", "zzzzzzzz"];
  ids.push("copy-123456789abc", "", "ÄÖÜäöüß!", "x".repeat(100), `${"x".repeat(99)}y`);
  const first = new ProjectNumbers(key);
  expect(ids.map((id) => first.add(id))).toEqual([...ids.keys()]);
  expect(ids.map((id) => first.add(id))).toEqual([...ids.keys()]);
  const second = new ProjectNumbers(key, structuredClone(first.move()));
  expect(ids.map((id) => second.find(id))).toEqual([...ids.keys()]);
  expect([...ids.keys()].map((number) => second.idOf(number))).toEqual(ids);
  expect(second.find("ZZZZZZZZ")).toBeUndefined();
  expect(second.count).toBe(ids.length);
  second.drop(new Set([0]));
  expect([second.find(ids[0]!), second.idOf(0)]).toEqual([undefined, ids[0]]);
  expect(second.add("newcomer")).toBe(ids.length);
});
