// The tree of an archive for moderators: it has every file once, whatever its path.
import { expect, test } from "vitest";
import { toTree } from "./file-tree.js";

test("folders come first and have the total size of their content", () => {
  const tree = toTree([
    { path: "z.txt", size: 1 },
    { path: "a/b/c.class", size: 20 },
    { path: "a/d.class", size: 3 },
  ]);
  expect(tree.map(({ name, size }) => [name, size])).toEqual([
    ["a", 23],
    ["z.txt", 1],
  ]);
  expect(tree[0]!.branches.map(({ name }) => name)).toEqual(["b", "d.class"]);
});

test("a nested archive is a folder with its own size, and its files keep their whole path", () => {
  const tree = toTree([
    { path: "libs/x.jar!/in.class", size: 900 },
    { path: "libs/x.jar", size: 50 },
  ]);
  expect(tree).toEqual([
    {
      name: "libs",
      size: 50,
      branches: [
        {
          name: "x.jar",
          size: 50,
          branches: [{ name: "in.class", size: 900, branches: [], path: "libs/x.jar!/in.class" }],
        },
      ],
    },
  ]);
});

test("very deep paths and unusual names do no harm", () => {
  const deep = `${"d/".repeat(500)}end`;
  const tree = toTree([
    { path: deep, size: 1 },
    { path: "__proto__/constructor", size: 1 },
    { path: "//", size: 1 },
  ]);
  expect(JSON.stringify(tree)).toContain("constructor");
  expect(JSON.stringify(tree).length).toBeLessThan(3000);
});
