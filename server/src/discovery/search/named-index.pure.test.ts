// The index of names: the cost of a look-up, and slots that are no longer used.
import { expect, test } from "vitest";
import { NamedIndex } from "./named-index.js";

test("a name that has changed is found only by its new words", () => {
  const index = new NamedIndex();
  for (let times = 0; times < 3; times++) {
    index.remove("a");
    index.put({ id: "a", name: `Wing ${times}`, alias: "shared", order: 6 });
  }
  expect([index.count("wing"), index.count("wing 0"), index.count("wing 2"), index.count("shared")]).toEqual([
    1, 0, 1, 1,
  ]);
  index.remove("a");
  expect([index.count("wing"), index.size]).toEqual([0, 0]);
});

test("equal matches are ordered by their order, then by name, on every page", () => {
  const index = new NamedIndex();
  for (let n = 0; n < 300; n++)
    index.put({ id: `id${n}`, name: `moth ${String(n).padStart(3, "0")}`, alias: null, order: n % 7 });
  const all = index.list("moth", { limit: 300, offset: 0 });
  expect(all.slice(0, 3)).toEqual(["id0", "id7", "id14"]);
  const pages = [0, 1, 2, 3].flatMap((page) => index.list("moth", { limit: 75, offset: 75 * page }));
  expect(pages).toEqual(all);
  expect(index.list("moth 299", { limit: 5, offset: 0 })).toEqual(["id299"]);
});

test("an index of which most slots are dead says so", () => {
  const index = new NamedIndex();
  for (let n = 0; n < 1002; n++) index.put({ id: "a", name: "moth", alias: null, order: 1 });
  expect([index.isMostlyDead, index.count("moth")]).toEqual([true, 1]);
});
