// The grammar of slugs (decisions §2).
import { expect, test } from "vitest";
import { newId, systemRandom } from "./random.js";
import { isReservedSlug, slugPattern } from "./slugs.js";

const pattern = new RegExp(slugPattern, "u");

test.each(["ab", "7z", "better-grass", "a.b_c+d-e", "0".repeat(64)])("%s is a slug", (slug) => {
  expect(pattern.test(slug)).toBe(true);
});

test.each([
  "",
  "a",
  "-a",
  ".a",
  "..",
  "_a",
  "A1",
  "Ab",
  "a b",
  "a/b",
  "a\\b",
  "a%2fb",
  "ä1",
  "a\n",
  "ab\n",
  "a\u202eb",
  "x".repeat(65),
])("%j is not a slug", (slug) => {
  expect(pattern.test(slug)).toBe(false);
});

test("no id is a slug", () => {
  for (let count = 0; count < 200; count++) expect(pattern.test(newId(systemRandom))).toBe(false);
});

test.each(["latest", "new", "random", "versions", "me", "api", "cdn", "maven", "project", "search", "settings"])(
  "%s is reserved",
  (slug) => {
    expect(isReservedSlug(slug)).toBe(true);
  },
);

test("ordinary words and inherited names of objects are free", () => {
  for (const slug of ["better-grass", "latest-shaders", "constructor", "tostring", ""])
    expect(isReservedSlug(slug)).toBe(false);
});
