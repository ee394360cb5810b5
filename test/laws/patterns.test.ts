// Law: no regular expression of the server takes more than linear work for a caller's text. Literals are found in the
// code, those of schemas in the contracts, and each call of RegExp is listed here with the patterns that it builds.
import { describe, expect, test } from "vitest";
import { routes } from "#app.js";
import { versionNumberPattern } from "#content/shapes/version.js";
import { slugPattern } from "#lib/slugs.js";
import { superLinear } from "./pattern-attacks.js";
import { patternsIn } from "./patterns-in-code.js";
import { serverFiles } from "./source-code.js";

/** Files or folders (ending in "/") whose patterns are used only on short texts, or only on the operator's texts. */
const allowed: Record<string, string> = {
  "server/src/config/": "reads the operator's own settings",
  "server/src/platform/blobs/s3-signer.ts /\\/+$/": "reads the operator's own settings",
  "server/src/platform/blobs/s3-store.ts /^\\/+|\\/+$/g": "reads the operator's own settings",
  "server/src/platform/mail/digest.ts /\\/+$/": "reads the operator's own settings",
  "server/src/platform/mail/messages.ts /\\/+$/": "reads the operator's own settings",
  "server/src/platform/archives/tar.ts /[\\0 ]+$/": "a number in the head of an entry has 12 bytes",
  "server/src/web/pages/publish/prefill.ts /[-_]?v?\\d[\\w.+]*$/": "a file's name has at most 128 characters",
};

const number = "[0-9][A-Za-z0-9.+-]*";

/** Every call of RegExp, and patterns like those that it builds. */
const built: Record<string, readonly RegExp[]> = {
  "new RegExp(versionNumberPattern)": [new RegExp(versionNumberPattern)],
  "new RegExp(slugPattern)": [new RegExp(slugPattern)],
  "new RegExp(`^=?v?(${number})$`)": [new RegExp(`^=?v?(${number})$`)],
  "new RegExp(`^([\\\\[(])\\\\s*(?:(${number})\\\\s*)?,\\\\s*(?:(${number})\\\\s*)?([\\\\])])$`)": [
    new RegExp(`^([\\[(])\\s*(?:(${number})\\s*)?,\\s*(?:(${number})\\s*)?([\\])])$`),
  ],
};

interface Found {
  place: string;
  pattern: RegExp;
}

const files = serverFiles().map(({ path, text }) => ({ path, ...patternsIn(path, text) }));
const literals: Found[] = files.flatMap(({ path, literals }) =>
  literals.map(({ source, flags }) => ({ place: `${path} /${source}/${flags}`, pattern: new RegExp(source, flags) })),
);
const calls = files
  .filter(({ path }) => !path.startsWith("server/src/config/"))
  .flatMap(({ path, calls }) => calls.map((call) => ({ path, call })));

/** Every `pattern` in a schema, at any depth. */
function* patternsOf(schema: unknown): Generator<string> {
  if (schema === null || typeof schema !== "object") return;
  const { pattern } = schema as { pattern?: unknown };
  if (typeof pattern === "string") yield pattern;
  for (const part of Object.values(schema)) yield* patternsOf(part);
}

const ofSchemas: Found[] = routes.flatMap(({ endpoint: { id, params, query, body } }) =>
  [...new Set(patternsOf([params, query, body]))].map((source) => ({
    place: `${id} ${source}`,
    pattern: new RegExp(source, "u"),
  })),
);

const isAllowed = (place: string): boolean =>
  Object.keys(allowed).some((known) => place === known || (known.endsWith("/") && place.startsWith(known)));

const verdicts = new Map<string, string | undefined>();
function faultOf(pattern: RegExp): string | undefined {
  if (!verdicts.has(`${pattern}`)) verdicts.set(`${pattern}`, superLinear(pattern));
  return verdicts.get(`${pattern}`);
}

const faultsIn = (found: readonly Found[]): string[] =>
  found.flatMap(({ place, pattern }) => {
    const fault = isAllowed(place) ? undefined : faultOf(pattern);
    return fault ? [`${place}: ${fault}`] : [];
  });

describe("regular expressions", { timeout: 120_000 }, () => {
  test("there are some, in the code and in the contracts", () => {
    expect(literals.length).toBeGreaterThan(200);
    expect(ofSchemas.length).toBeGreaterThan(20);
  });

  test("between slashes take linear work", () => {
    expect(faultsIn(literals)).toEqual([]);
  });

  test("in schemas take linear work", () => {
    expect(faultsIn(ofSchemas)).toEqual([]);
  });

  test("that are built at run time are listed, and take linear work", () => {
    expect(calls.filter(({ call }) => !(call in built))).toEqual([]);
    expect(Object.keys(built).filter((known) => !calls.some(({ call }) => call === known))).toEqual([]);
    expect(
      faultsIn(Object.entries(built).flatMap(([place, all]) => all.map((pattern) => ({ place, pattern })))),
    ).toEqual([]);
  });

  test("that are exempt still exist, and would fail", () => {
    const single = Object.keys(allowed).filter((known) => !known.endsWith("/"));
    const bad = literals.filter(({ place, pattern }) => single.includes(place) && faultOf(pattern));
    expect(single.filter((known) => !bad.some(({ place }) => place === known))).toEqual([]);
  });
});

describe("the law itself", () => {
  test.each([
    /[.-]*\.[.-]*/g,
    /[.-]+$/,
    /(?:a+)+$/,
    /<h2>(.*?)<\/h2>/gs,
    /(?:ab)*(?:ab)*c/,
    /^(?:\w+\s?)*$/,
    /\s+(?=x)/,
  ])("catches %s", (pattern) => {
    expect(superLinear(pattern)).toBeDefined();
  });

  test.each([/^[a-z][a-z0-9-]{0,63}$/, /(?<!-)-+$/, /\bhttps?:\/\/\S+/g, /"(?:[^"\\]|\\.)*"/, /^-|-$/g])(
    "lets %s pass",
    (pattern) => {
      expect(superLinear(pattern)).toBeUndefined();
    },
  );

  test("distinguishes patterns from divisions and tags, and finds built ones", () => {
    const code = 'const a = (b! / 2) / c; const d = <p>{/x+/g.test(e)}</p>; const f = new RegExp(g, "i");';
    expect(patternsIn("a.tsx", code)).toEqual({
      literals: [{ source: "x+", flags: "g" }],
      calls: ['new RegExp(g, "i")'],
    });
  });
});
