// Law: a wing imports from the wings before it, features keep to their ladder, and neither files nor folders import each
// other in a circle. Types count too.
import { describe, expect, test } from "vitest";
import { scriptNames } from "#web/assets/assets.js";
import { findBreaches, findCircles, findImports, findKnots, type Import, resolveImport } from "./import-graph.js";
import { listFiles, readSource, serverFiles, splitCode } from "./source-code.js";

const root = "server/src/";
const files = serverFiles().map((file) => ({ ...file, path: file.path.slice(root.length) }));
const known = new Set(files.map(({ path }) => path));
const imports: Import[] = files.flatMap((file) =>
  findImports(file).map((each) => ({ ...each, to: resolveImport(each.to, known) })),
);

/** Used by nothing in the server, and why they are there all the same. */
const standingAlone: Record<string, string> = {
  "main.ts": "the program's start",
  "lib/source-imports.ts": "preloaded where tests run sources in a child process",
};

const edge = (from: string, to: string): Import => ({ from, to });
const typeEdge = (from: string, to: string): Import => ({ from, to, typeOnly: true });

describe("the server's own imports", () => {
  test("point downward", () => {
    const told = findBreaches(imports).map(({ from, to, rule }) => `${from} uses ${to}: ${rule}`);
    expect(told).toEqual([]);
  });

  test("make no circles", () => {
    expect(findCircles(imports).map((circle) => circle.join(" → "))).toEqual([]);
  });

  test("make no circles of folders", () => {
    expect(findKnots(imports)).toEqual([]);
  });

  test("name files of their own folder with ./ and all others with #", () => {
    const wrong = [...files, ...listFiles("test", [".ts"]).map(readSource)].flatMap(({ path, code }) =>
      [...code.matchAll(/\b(?:from|import)\s*\(?\s*["'](\.\.\/[^"']+)["']/g)].map(([, target]) => `${path}: ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  test("name files that exist", () => {
    expect(imports.filter(({ to }) => !known.has(to)).map(({ from, to }) => `${from} uses ${to}`)).toEqual([]);
  });

  test("leave no file unused", () => {
    const used = new Set(imports.map(({ to }) => to));
    // Browsers start these: pages name them by their file (web/assets/assets.ts).
    for (const name of scriptNames) used.add(`web/scripts/${name}.ts`);
    expect([...known].filter((path) => !used.has(path)).sort()).toEqual(Object.keys(standingAlone).sort());
  });
});

describe("the law itself", () => {
  test.each([
    ["a feature that reaches for the app", [edge("accounts/users/routes.ts", "app.ts")]],
    ["a feature that reaches for the content host", [edge("accounts/users/read.ts", "cdn/routes.ts")]],
    ["HTTP that knows a feature", [edge("platform/http/mount.ts", "accounts/users/read.ts")]],
    ["lib that knows the database", [edge("lib/json.ts", "platform/db/tables.ts")]],
    ["the configuration that knows HTTP", [edge("config/config.ts", "platform/http/server.ts")]],
    ["the app that knows a command", [edge("app.ts", "cli/serve.ts")]],
    ["a command that knows main", [edge("cli/serve.ts", "main.ts")]],
    ["the content host that knows the website", [edge("cdn/routes.ts", "web/frame/page.ts")]],
    ["accounts that know content", [edge("accounts/users/write.ts", "content/projects/create.ts")]],
    ["a folder that is no wing", [edge("accounts/users/write.ts", "projects/write.ts")]],
    ["a read that writes", [edge("accounts/users/read.ts", "accounts/users/write.ts")]],
    [
      "a contract that asks another feature's policy",
      [edge("accounts/users/contract.ts", "content/members/policy.ts")],
    ],
    ["a write that calls another feature's route", [edge("accounts/users/write.ts", "content/teams/routes.ts")]],
    ["a write that calls a part of the routes", [edge("accounts/users/write.ts", "accounts/users/edit-routes.ts")]],
    ["a write that calls another feature's job", [edge("accounts/users/write.ts", "content/teams/jobs.ts")]],
    [
      "a read that writes by way of a helper",
      [
        edge("accounts/users/read.ts", "accounts/users/codes.ts"),
        edge("accounts/users/codes.ts", "accounts/users/write.ts"),
      ],
    ],
    ["a feature that takes a type from the app", [typeEdge("accounts/users/routes.ts", "app.ts")]],
    ["HTTP that takes a type from a feature", [typeEdge("platform/http/mount.ts", "accounts/users/read.ts")]],
    ["pages that use the pages of another area", [edge("web/pages/users/user.tsx", "web/pages/project/stats.tsx")]],
    ["the frame that knows a page", [edge("web/frame/layout.tsx", "web/pages/users/user.tsx")]],
    ["a part that knows the frame", [edge("web/parts/form.tsx", "web/frame/layout.tsx")]],
    ["code that uses a test", [edge("accounts/users/read.ts", "accounts/users/users.test.ts")]],
    ["code that uses the test harness", [edge("accounts/users/read.ts", "../../test/server/harness.ts")]],
  ])("refuses %s", (_what, graph) => {
    const [breach] = findBreaches(graph);
    expect(breach).toMatchObject({ ...graph[0], rule: expect.stringMatching(/\w/) });
  });

  test.each([
    ["a route down the ladder of another feature", [edge("accounts/users/routes.ts", "platform/pictures/write.ts")]],
    ["the same rung of another feature", [edge("accounts/sessions/contract.ts", "accounts/users/contract.ts")]],
    ["a helper without needs of its own", [edge("accounts/users/contract.ts", "accounts/users/words.ts")]],
    [
      "platform folders in either direction",
      [edge("platform/http/errors.ts", "platform/db/dialect.ts"), edge("platform/db/open.ts", "platform/http/x.ts")],
    ],
    ["a command that uses anything", [edge("cli/serve.ts", "app.ts"), edge("cli/admin.ts", "accounts/users/write.ts")]],
    ["a policy that takes a type from a read", [typeEdge("accounts/users/policy.ts", "accounts/users/read.ts")]],
    ["a page that uses a part", [edge("web/pages/users/user.tsx", "web/parts/form.tsx")]],
    ["the list of all routes that uses pages", [edge("web/routes.ts", "web/pages/users/routes.ts")]],
    ["a job that uses a feature", [edge("operations/background/handlers.ts", "accounts/users/jobs.ts")]],
  ])("allows %s", (_what, graph) => {
    expect(findBreaches(graph)).toEqual([]);
  });

  test("finds circles, short and long", () => {
    expect(findCircles([edge("a", "b"), edge("b", "a")])).toEqual([["a", "b", "a"]]);
    expect(findCircles([edge("x", "a"), edge("a", "b"), edge("b", "c"), edge("c", "a")])).toEqual([
      ["a", "b", "c", "a"],
    ]);
    expect(findCircles([edge("a", "b"), edge("a", "c"), edge("b", "d"), edge("c", "d")])).toEqual([]);
  });

  test("finds folders that import each other, through any files", () => {
    const [a, b, c] = ["content/a", "content/b", "platform/c"];
    const graph = [edge(`${a}/x.ts`, `${b}/x.ts`), edge(`${b}/y.ts`, `${c}/x.ts`), edge(`${c}/y.ts`, `${a}/y.ts`)];
    expect(findKnots(graph)).toEqual([[a, b, c]]);
    expect(findKnots(graph.slice(0, 2))).toEqual([]);
    expect(findKnots([edge(`${a}/x.ts`, `${a}/y.ts`)])).toEqual([]);
  });

  test("reads every form of import, and none from comments or strings", () => {
    const text = `
      import a, { type B } from "./a.js";
      import type {
        C,
      } from "./c/c.js";
      import * as d from "./d.js"; import "./e.js";
      import type { A } from "./a.js";
      export { f } from "./f.js";
      export type { G } from "./g.js";
      export * from "./h.js";
      const i = await import("./i.js");
      import k from "#lib/k.js";
      const j = new Worker(ownModule("x/j"));
      import kysely from "kysely";
      // import "./comment.js";
      /* export * from "./comment.js"; */
      const text = 'import "./string.js"';
    `;
    const found = findImports({ path: "accounts/users/read.ts", ...splitCode(text) });
    const names = found.map(({ to, typeOnly }) => to.replace(/^accounts\/users\//, "") + (typeOnly ? " (type)" : ""));
    expect(names.sort()).toEqual(
      ["a.js", "c/c.js (type)", "d.js", "e.js", "f.js", "g.js (type)", "h.js", "i.js", "x/j.js", "lib/k.js"].sort(),
    );
  });

  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: these are texts of programs.
  test("tells code from comments, strings, templates and patterns", () => {
    const before = [
      'const a = "// no"; // yes',
      "const b = `x ${c /* yes */ + '`'} // no`;",
      'd = /[/"]\\//.test(e); f / g;',
    ];
    const code = [
      'const a = "// no";       ',
      "const b = `x ${c           + '`'} // no`;",
      'd = /[/"]\\//.test(e); f / g;',
    ];
    const bare = [
      'const a = "     ";       ',
      "const b = `  ${c           + ' '}      `;",
      "d = /      /.test(e); f / g;",
    ];
    expect(splitCode(before.join("\n"))).toEqual({ code: code.join("\n"), bare: bare.join("\n") });
  });
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: as above.
});
