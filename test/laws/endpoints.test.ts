// Law: every endpoint is complete. Its name, path and access are unique, a test names it, and its refusals are in the
// table of refusals; and the table contains no unused refusal.
import { Ajv } from "ajv";
import Type from "typebox";
import { describe, expect, test } from "vitest";
import { routes } from "#app.js";
import { TaxonomyDocument } from "#content/taxonomy/document.js";
import { reservedPaths } from "#content/taxonomy/terms.js";
import { assignableScopes, restrictedScopes } from "#lib/scopes.js";
import { isReservedSlug, slugPattern } from "#lib/slugs.js";
import { errorStatuses } from "#platform/errors.js";
import type { Access } from "#platform/http/access.js";
import { type EndpointSpec, isRaw } from "#platform/http/endpoint.js";
import { rateClasses } from "#platform/http/rate-limit-fields.js";
import { projectTypes } from "#web/context/project-types.js";
import { isTest, listFiles, readSource, serverFiles } from "./source-code.js";

const endpoints = routes.map(({ endpoint }) => endpoint);

/** The values that occur more than once. */
const repeated = (values: string[]): string[] => values.filter((value, at) => values.indexOf(value) !== at);

/** Every text in quotes: titles of tests, and the tables that titles are filled from. */
const quoted = (code: string): string[] =>
  [...code.matchAll(/"([^"\n]*)"|'([^'\n]*)'|`([^`]*)`/g)].map(([text]) => text);

const testTexts = ["server/src", "test"]
  .flatMap((folder) => listFiles(folder, [".test.ts", ".test.tsx"]))
  .filter((path) => isTest(path) && !path.startsWith("test/laws/"))
  .flatMap((path) => quoted(readSource(path).code));

const isNamedIn = (texts: readonly string[], id: string): boolean => {
  const word = new RegExp(`(?<![\\w$])${id}(?![\\w$])`);
  return texts.some((text) => word.test(text));
};

/** Whether a union somewhere in the schema has more than one object among its members. */
function hasObjectChoice(schema: unknown): boolean {
  if (schema === null || typeof schema !== "object") return false;
  const { anyOf } = schema as { anyOf?: { type?: string }[] };
  if (Array.isArray(anyOf) && anyOf.filter(({ type }) => type === "object").length > 1) return true;
  return Object.values(schema).some(hasObjectChoice);
}

/** The places of a key in a schema, as paths. */
function placesOf(key: string, schema: unknown, path = ""): string[] {
  if (schema === null || typeof schema !== "object") return [];
  return Object.entries(schema).flatMap(([name, inside]) => [
    ...(name === key && typeof inside !== "object" ? [path] : []),
    ...placesOf(key, inside, `${path}/${name}`),
  ]);
}

/** The lists in a schema that have no greatest length, as paths. */
function listEndless(schema: unknown, path = ""): string[] {
  if (schema === null || typeof schema !== "object") return [];
  const { type, maxItems } = schema as { type?: unknown; maxItems?: number };
  return [
    ...(type === "array" && maxItems === undefined ? [path] : []),
    ...Object.entries(schema).flatMap(([name, inside]) => listEndless(inside, `${path}/${name}`)),
  ];
}

describe("endpoints", () => {
  test("have paths that no list of a project type can take", () => {
    const first = new Set(endpoints.map(({ path }) => path.split("/")[1]!).filter((part) => !/[:*]/.test(part)));
    const ofTypes = projectTypes.flatMap((type) => [type, `${type}s`]);
    expect([...first].filter((part) => part !== "" && !ofTypes.includes(part) && !reservedPaths.has(part))).toEqual([]);
  });

  test("there are some", () => {
    expect(endpoints.length).toBeGreaterThan(20);
  });

  test("have valid schemas: the server does not check them itself", () => {
    const ajv = new Ajv({ strict: false });
    const schemas = endpoints.flatMap(({ id, params, query, body, answer }) =>
      [params, query, body, isRaw(answer) ? undefined : answer].map((schema) => ({ id, schema })),
    );
    const wrong = [...schemas, { id: "taxonomy", schema: TaxonomyDocument }].filter(
      ({ schema }) => schema && !ajv.validateSchema(schema),
    );
    expect(wrong.map(({ id }) => id)).toEqual([]);
    expect(ajv.validateSchema({ type: "no such type" })).toBe(false);
  });

  test("compare no items with each other: that is quadratic, and strangers choose the items", () => {
    const places = endpoints.flatMap(({ id, params, query, body, answer }) =>
      placesOf("uniqueItems", { params, query, body, answer }, id),
    );
    expect(places).toEqual([]);
  });

  test("take no list without an end", () => {
    const places = endpoints.flatMap(({ id, params, query, body }) => listEndless({ params, query, body }, id));
    expect(places).toEqual([]);
  });

  test("have an id of their own that reads like a function", () => {
    expect(repeated(endpoints.map(({ id }) => id))).toEqual([]);
    expect(endpoints.map(({ id }) => id).filter((id) => !/^[a-z][A-Za-z]+$/.test(id))).toEqual([]);
  });

  test("have a unique method and path, ignoring the names of parameters", () => {
    expect(repeated(endpoints.map(({ method, path }) => `${method} ${path.replace(/:\w+/g, ":")}`))).toEqual([]);
  });

  test("start with a word that no project or organization can have as its slug", () => {
    const words = new Set(endpoints.flatMap(({ path }) => path.split("/")[1] || []));
    expect([...words].filter((word) => new RegExp(slugPattern).test(word) && !isReservedSlug(word))).toEqual([]);
  });

  test("declare every parameter of their path, and no other", () => {
    const odd = endpoints.filter(({ path, params }) => {
      const named = path.replace(/\*$/, ":path");
      const inPath = [...named.matchAll(/:(\w+)/g)].map(([, name]) => name).sort();
      return JSON.stringify(inPath) !== JSON.stringify(Object.keys(params?.properties ?? {}).sort());
    });
    expect(odd.map(({ id }) => id)).toEqual([]);
  });

  test("declare their access, with scopes that exist", () => {
    const odd = endpoints.filter(({ access }) => {
      if (access.kind === "open") return false;
      if (access.kind === "session") return !(restrictedScopes as readonly string[]).includes(access.scope);
      return (
        access.scopes.length === 0 ||
        access.scopes.some((scope) => !(assignableScopes as readonly string[]).includes(scope))
      );
    });
    expect(odd.map(({ id }) => id)).toEqual([]);
  });

  test("name the role of staff where the address is that of the desk or the administration", () => {
    const isForStaff = ({ path }: EndpointSpec) => /^\/(?:api\/)?(?:moderation|admin)(?:\/|$)/.test(path);
    const odd = endpoints.filter((endpoint) => isForStaff(endpoint) && !(endpoint.access as Access).role);
    // Authors may read the reasons that moderators choose from.
    expect(odd.map(({ id }) => id)).toEqual(["getDecisionReasons"]);
  });

  test("take no body by GET", () => {
    const odd = endpoints.filter(({ method, body, files }) => method === "GET" && (body || files));
    expect(odd.map(({ id }) => id)).toEqual([]);
  });

  test("have a rate class, a tag and a summary that is a line without a full stop", () => {
    const odd = endpoints.filter(
      ({ rate, tag, summary }) => !(rate in rateClasses) || !/^[A-Z]/.test(tag) || !/^[A-Z].{3,80}[^.]$/.test(summary),
    );
    expect(odd.map(({ id }) => id)).toEqual([]);
  });

  test("offer no choice between several objects: trying one, the validator drops the fields of the others", () => {
    const odd = endpoints.filter(({ body, query, answer }) => [body, query, answer].some(hasObjectChoice));
    expect(odd.map(({ id }) => id)).toEqual([]);
  });

  test("are each named in a test", () => {
    expect(endpoints.map(({ id }) => id).filter((id) => !isNamedIn(testTexts, id))).toEqual([]);
  });
});

describe("the table of refusals", () => {
  const files = serverFiles().filter(({ path }) => path !== "server/src/platform/errors.ts");
  const isSaid = (code: string): boolean =>
    files.some((file) => new RegExp(`\\bfail\\s*\\.\\s*${code}\\b|new Failure\\(\\s*"${code}"`).test(file.code));

  test("holds nothing that is never said", () => {
    // invalidRequest is said by invalid(), which names the fields.
    expect(Object.keys(errorStatuses).filter((code) => code !== "invalidRequest" && !isSaid(code))).toEqual([]);
  });

  test("holds refusals only", () => {
    expect(Object.entries(errorStatuses).filter(([, status]) => status < 400 || status > 599)).toEqual([]);
  });
});

describe("the law itself", () => {
  test("takes a name as a whole word in quotes", () => {
    const texts = quoted('test("getUsers leaves unknown ids out", () => getUser());');
    expect(isNamedIn(texts, "getUsers")).toBe(true);
    expect(isNamedIn(texts, "getUser")).toBe(false);
  });

  test("finds a choice between objects in any place", () => {
    const [A, B] = [Type.Object({ a: Type.String() }), Type.Object({ b: Type.String() })];
    expect(hasObjectChoice(Type.Array(Type.Object({ x: Type.Union([A, B]) })))).toBe(true);
    expect(hasObjectChoice(Type.Object({ x: Type.Union([A, Type.Null()]) }))).toBe(false);
  });

  test("finds duplicates", () => {
    expect(repeated(["a", "b", "a"])).toEqual(["a"]);
  });
});
