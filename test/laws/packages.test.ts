// Law: the packages beside the server know only its interface. They import none of its files, not even types, and their
// types of the interface are generated from its contracts. The command line stands on the client.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { routes } from "#app.js";
import { toOpenApi } from "#platform/http/openapi.js";
import { exampleUrl } from "#platform/http/openapi-examples.js";
import { clientTypesFile, renderClientTypes } from "#test/examples/client-types.js";
import { listFiles, readSource, type SourceFile, splitCode, top } from "./source-code.js";

const names = readdirSync(join(top, "packages"));
const filesOf = (name: string) => listFiles(`packages/${name}/src`, [".ts"]).map(readSource);
const manifestOf = (folder: string) => JSON.parse(readFileSync(join(top, folder, "package.json"), "utf8"));

/** Code that runs in Node.js only; all other must run in browsers too. */
const nodeOnly = ["packages/client/src/node.ts", "packages/cli/"];

/** Imports of a package that are neither its own files nor allowed otherwise. */
function findForeign({ path, code }: Pick<SourceFile, "path" | "code">): string[] {
  const targets = [...code.matchAll(/\b(?:from|import)\s*\(?\s*["'`]([^"'`]+)["'`]/g)].map(([, target]) => target!);
  const isAllowed = (target: string) =>
    /^\.\/[a-z-]+\.js$/.test(target) ||
    (target.startsWith("node:") && nodeOnly.some((place) => path.startsWith(place))) ||
    // smol-toml becomes part of the program when it is built.
    (/^(?:#shelf\/[a-z/-]+\.js|modshelf-client(?:\/node)?|smol-toml)$/.test(target) &&
      path.startsWith("packages/cli/"));
  return targets.filter((target) => !isAllowed(target)).map((target) => `${path} uses ${target}`);
}

describe.each(names)("the package %s", (name) => {
  test("imports only its own files", () => {
    expect(filesOf(name).flatMap(findForeign)).toEqual([]);
  });

  test("has the version of the server and no dependencies outside of this repository", () => {
    const { version, dependencies = {}, private: isPrivate = false } = manifestOf(`packages/${name}`);
    expect({ version, isPrivate }).toEqual({ version: manifestOf(".").version, isPrivate: false });
    expect(Object.keys(dependencies)).toEqual([]);
  });
});

test('the types of the client are those of the contracts ("npm run docs" writes them)', () => {
  const endpoints = routes.map(({ endpoint }) => endpoint);
  const written = renderClientTypes(toOpenApi(endpoints, { version: "0", url: exampleUrl, examples: {} }));
  // Compared as a whole, because the difference of two texts of this size takes minutes to print.
  expect(readFileSync(clientTypesFile, "utf8") === written).toBe(true);
});

test("the law finds every way into the server", () => {
  const path = "packages/client/src/client.ts";
  const bad = [
    `import { x } from "${"../".repeat(3)}server/src/app.js";`,
    'import type { X } from "#content/projects/contract.js";',
    'const x = await import("modshelf/dist/app.js");',
    'import fs from "node:fs";',
    'export type { X } from "typebox";',
    `import { x } from "${"../".repeat(2)}cli/src/run.js";`,
    'import { createClient } from "modshelf-client";',
  ];
  expect(bad.filter((text) => findForeign({ path, ...splitCode(text) }).length === 0)).toEqual([]);
  expect(findForeign({ path, ...splitCode('import type { Project } from "./api.js";') })).toEqual([]);
});
