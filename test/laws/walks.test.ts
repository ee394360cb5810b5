// Law: a request can be followed through few files, and ARCHITECTURE.md says which. A file is listed where something
// happens to the request that cannot be understood without opening it; not listed are types, lib/, and functions that are
// called for one thing that their name says.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { findImports, resolveImport } from "./import-graph.js";
import { serverFiles } from "./source-code.js";
import { walks, walksTable } from "./walks.js";

const root = "server/src/";
const files = serverFiles().map((file) => ({ ...file, path: file.path.slice(root.length) }));
const known = new Set(files.map(({ path }) => path));
const uses = new Map(
  files.map((file) => [file.path, new Set(findImports(file).map(({ to }) => resolveImport(to, known)))] as const),
);

/** Routes are known to app.ts and given to these as data; no import leads from one to the other. */
const mounts = new Set(["platform/http/mount.ts", "platform/http/viewer.ts"]);
const isMounted = (path: string): boolean => /(?:^web\/frame\/page|[/-](?:routes|contract))\.ts$/.test(path);

/** One object with the parts of the server is passed to every handler. */
const resources = "platform/http/resources.ts";
const isPassed = (path: string, earlier: string): boolean =>
  (uses.get(resources)?.has(path) && uses.get(earlier)?.has(resources)) ?? false;

const leads = (earlier: string, path: string): boolean =>
  uses.get(earlier)?.has(path) || uses.get(path)?.has(earlier) || isPassed(path, earlier);

const meets = (path: string, before: readonly string[]): boolean =>
  before.some((earlier) => leads(earlier, path) || (mounts.has(earlier) && isMounted(path)));

describe.each(walks)("$name", ({ files: told, most }) => {
  const paths = Object.keys(told);

  test(`takes at most ${most} files`, () => {
    expect(paths.length).toBeLessThanOrEqual(most);
  });

  test("names files that exist", () => {
    expect(paths.filter((path) => !known.has(path))).toEqual([]);
  });

  test("comes to each file by way of one before it", () => {
    expect(paths.filter((path, at) => at > 0 && !meets(path, paths.slice(0, at)))).toEqual([]);
  });
});

test("ARCHITECTURE.md shows the walks as they are", () => {
  expect(readFileSync("ARCHITECTURE.md", "utf8")).toContain(`\n${walksTable()}\n`);
});

test("the law knows a file that nothing on the way leads to", () => {
  expect(meets("content/versions/publish.ts", ["accounts/users/read.ts", "lib/csv.ts"])).toBe(false);
  expect(meets("content/versions/publish.ts", ["content/versions/edit-routes.ts"])).toBe(true);
});
