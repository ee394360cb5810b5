// The suite itself: every statement has a test, every quote is from the interface, and every part of the interface has
// a statement.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { routes } from "#app.js";
import { resources } from "./fields.js";
import { fits, isNullable, observedIn } from "./shape-check.js";
import { fieldId, statements, waitingForRoutes } from "./statements.js";

const folder = new URL("./", import.meta.url);
/**
 * The statements as of the last comparison with the whole document, which is not part of the repository. When a
 * statement changes, INTERFACE=<path of the document> compares them again and says what to write here.
 */
const comparedDigest = "4f590ce0b5deb7f43c8a7bfce3b6ee31d518aaa0f2dba040e8d4a514c9a455af";
const document = process.env.INTERFACE;
const digestOf = (all: ReadonlyMap<string, string>): string =>
  createHash("sha256")
    .update(JSON.stringify([...all.values()]))
    .digest("hex");

const claimed = new Set(
  readdirSync(folder)
    .filter((name) => name.endsWith(".test.ts") && name !== "statements.test.ts")
    .flatMap((name) => [...readFileSync(new URL(name, folder), "utf8").matchAll(/"(\d\.[A-Za-z][\w.]*)":/g)])
    .map(([, id]) => id!),
);
/** Covered by the loop of fields.test.ts. */
const isField = (id: string): boolean =>
  !id.endsWith(".note") && resources.some((resource) => id.startsWith(fieldId(resource, "")));

describe("the statements of the interface", () => {
  test("are each covered by a test, or wait for their routes", () => {
    const unclaimed = [...statements.keys()].filter((id) => !claimed.has(id) && !isField(id));
    expect(unclaimed.sort()).toEqual(Object.keys(waitingForRoutes).sort());
  });

  test("wait only as long as no route needs their scopes", () => {
    const asked = routes.flatMap(({ endpoint: { access } }) => ("scopes" in access ? [...access.scopes] : []));
    expect(asked.length).toBeGreaterThan(0);
    const late = Object.entries(waitingForRoutes).filter(([, scopes]) =>
      scopes.some((scope) => asked.includes(scope as never)),
    );
    expect(late).toEqual([]);
  });

  test("cover the whole document, in its order", () => {
    if (document) expect(unsaid(readFileSync(document, "utf8"))).toEqual([]);
    expect(digestOf(statements)).toBe(comparedDigest);
  });
});

/** Words of the document that are in no statement, and statements that are not in the document. */
function unsaid(text: string): string[] {
  const problems: string[] = [];
  let at = 0;
  for (const [id, quote] of statements) {
    const found = text.indexOf(quote, at);
    if (found < 0) {
      problems.push(`${id} is not in the document, or not in this place`);
      continue;
    }
    problems.push(...wordsOf(text.slice(at, found)));
    at = found + quote.length;
  }
  return [...problems, ...wordsOf(text.slice(at))];
}

/** Lines without a statement: headings, the heads of tables, named gaps, and labels. */
const silence = [
  /^#+ .*$/gm,
  /^\| (?:Field|Method|Applies to) \|.*$/gm,
  /^\|[-|]+\|$/gm,
  /[^.|\n]*: not shown\.?/g,
  /^This document covers the whole interface of the service: [^.]*\./gm,
  /(?:Conventions|Wrapper rule|File download|Meaning|Known rules): /g,
  /^\d\. /gm,
  /[|;:,.()\s]+/g,
];

const wordsOf = (gap: string): string[] => {
  const words = silence.reduce((rest, pattern) => rest.replace(pattern, " "), gap).trim();
  return words === "" ? [] : [words];
};

describe("the suite itself", () => {
  test("finds lines that no statement covers", () => {
    expect(wordsOf("\n\n## 9. Versioning\n\n| Field | Type |\n|---|---|\n")).toEqual([]);
    expect(wordsOf(". Rate limits and request size limits: not shown.\n")).toEqual([]);
    expect(wordsOf(" |\n| id | string | ")).toEqual(["id string"]);
    expect(unsaid("").length).toBe(statements.size);
  });

  test.each<[string, unknown[], unknown[]]>([
    ["string", ["", "x"], [null, 1, undefined, ["x"]]],
    ["string or null", [null, "x"], [undefined, 0, false]],
    ["string (URL)", ["http://a.test/x.png"], ["", "/x.png", null, "javascript:x"]],
    ["string (URL) or null", [null, "https://a.test/"], ["", "x"]],
    ["string (hex)", ["00ff"], ["00FF", "xyz", ""]],
    ["string[]", [[], ["x"]], [null, "x", [1], [null]]],
    ["API_SCOPE[]", [[], ["user_read"]], [["root"], ["pat_read"]]],
    ["number", [0, 1.5], ["1", null, Number.NaN]],
    ["boolean", [false], ["false", 0, null]],
    ["timestamp", ["2024-02-29T12:00:00.000Z"], ["2024-02-29", "2024-13-01T00:00:00Z", "2024-01-01T00:00:00+01:00", 0]],
    ["Member[]", [[], [{}]], [{}, [null], ["x"]]],
    ["File", [{}], [[], null, "x"]],
    ["array (empty in the only shape seen)", [[], [1]], [{}, null]],
    ["object or null", [{}, null], [[], "x"]],
  ])("knows the values that match %s", (type, good, bad) => {
    for (const value of good) expect(fits(type, value), JSON.stringify(value)).toBe(true);
    for (const value of bad) expect(fits(type, value), JSON.stringify(value)).toBe(false);
  });

  test("separates the notes of a table from the type", () => {
    expect(observedIn("string (observed: required, unknown, unsupported)")).toEqual([
      "required",
      "unknown",
      "unsupported",
    ]);
    expect(observedIn("string (observed value: listed")).toEqual(["listed"]);
    expect(observedIn("string")).toEqual([]);
    expect([isNullable("string (URL) or null"), isNullable("string")]).toEqual([true, false]);
  });
});
