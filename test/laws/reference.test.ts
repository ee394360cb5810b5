// Law: the API reference explains everything that it shows. Every chapter, parameter, field and value has a description,
// and every answer an example that a real server gave.
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { routes } from "#app.js";
import { contentTypeOf, fileTypes } from "#platform/archives/file-types.js";
import { type Parameter, toOpenApi } from "#platform/http/openapi.js";
import { examplesFile, exampleUrl, readExamples } from "#platform/http/openapi-examples.js";
import { enumDescriptions, type JsonSchema, referencedName } from "#platform/http/openapi-schemas.js";
import { fileContent } from "#platform/http/schemas.js";
import { tagDescriptions } from "#platform/http/tags.js";
import { withoutExample } from "#test/examples/without.js";

const url = "https://mods.example";
const examples = readExamples(url);
const document = toOpenApi(
  routes.map(({ endpoint }) => endpoint),
  { version: "0", url, examples },
);
const { schemas } = document.components;
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

/** Whether it has a description: its own, that of the referenced schema, or that of one of its variants. */
const isDescribed = (schema: JsonSchema): boolean => {
  const name = referencedName(schema);
  return (
    Boolean(schema.description) ||
    (name !== undefined && Boolean(schemas[name]?.description)) ||
    (schema.anyOf ?? []).some(isDescribed)
  );
};

interface Place {
  where: string;
  schema: JsonSchema;
}

/** Every schema inside this one, named by the way that leads to it. References are not followed. */
function* walk({ where, schema }: Place): Generator<Place> {
  yield { where, schema };
  for (const [name, inner] of Object.entries(schema.properties ?? {}))
    yield* walk({ where: `${where}.${name}`, schema: inner });
  for (const inner of [schema.items ?? [], schema.anyOf ?? [], Object.values(schema.patternProperties ?? {})].flat())
    yield* walk({ where, schema: inner });
}

const roots: Place[] = [
  ...Object.entries(schemas).map(([name, schema]) => ({ where: name, schema })),
  ...operations.flatMap(({ operationId, parameters = [], requestBody, responses }) => [
    ...parameters
      .filter((one): one is Parameter => "name" in one)
      .map(({ name, schema }) => ({ where: `${operationId} ${name}`, schema })),
    ...Object.values(requestBody?.content ?? {}).map(({ schema }) => ({ where: `${operationId} body`, schema })),
    ...Object.values(responses[200]?.content ?? {}).flatMap(({ schema }) =>
      schema ? [{ where: `${operationId} answer`, schema }] : [],
    ),
  ]),
];
const places = roots.flatMap((root) => [...walk(root)]);

describe("the API reference describes", () => {
  test("every chapter, and has no description without a chapter", () => {
    expect(document.tags.map(({ name }) => name).sort()).toEqual(Object.keys(tagDescriptions).sort());
  });

  test("every parameter", () => {
    const missing = operations.flatMap(({ operationId, parameters = [] }) =>
      parameters.flatMap((one) => ("name" in one && !one.description ? [`${operationId} ${one.name}`] : [])),
    );
    expect(missing).toEqual([]);
  });

  test("every named shape", () => {
    expect(Object.keys(schemas).filter((name) => !schemas[name]!.description)).toEqual([]);
  });

  test("every field of bodies, answers and shapes", () => {
    const missing = places.flatMap(({ where, schema }) =>
      Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
        isDescribed(field) ? [] : [`${where}.${name}`],
      ),
    );
    expect(missing).toEqual([]);
  });

  test("every value that a field or parameter can have", () => {
    const missing = places.flatMap(({ where, schema }) => {
      const meanings = (schema[enumDescriptions] ?? []) as string[];
      return schema.enum && (meanings.length !== schema.enum.length || !meanings.every(Boolean)) ? [where] : [];
    });
    expect(missing).toEqual([]);
  });
});

test("downloads list every media type that a file can have", () => {
  expect([...fileContent.types].sort()).toEqual(fileTypes.map(contentTypeOf).sort());
  expect(contentTypeOf(undefined)).toBe(fileContent.raw);
});

describe("the examples of answers (`npm run docs` writes them)", () => {
  const answers = operations.flatMap(({ operationId, responses }) =>
    Object.entries(responses[200]!.content ?? {}).map(([type, content]) => ({ id: operationId, type, ...content })),
  );
  const shown = answers.filter(({ example }) => example !== undefined);

  test("exist for every operation except those that cannot have one", () => {
    const known = [...Object.keys(examples), ...Object.keys(withoutExample)];
    expect(known.sort()).toEqual(operations.map(({ operationId }) => operationId).sort());
    const withJson = answers.filter(({ id, type }) => type === "application/json" && !withoutExample[id]);
    expect(withJson.filter(({ example }) => example === undefined).map(({ id }) => id)).toEqual([]);
  });

  test("match their schemas", () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const wrong = shown.flatMap(({ id, schema, example }) => {
      const fits = ajv.compile({ ...schema, components: document.components });
      return fits(example) ? [] : [`${id}: ${ajv.errorsText(fits.errors)}`];
    });
    expect(shown.length).toBeGreaterThan(200);
    expect(wrong).toEqual([]);
  });

  test("hold no secret and no address of the machine that made them, and are few enough to be loaded", () => {
    const text = readFileSync(examplesFile, "utf8");
    expect(text.match(/(?:ms[a-z]_|whsec_)(?!EXAMPLE)\w{16,}|127\.0\.0\.|modshelf\.test|localhost/g)).toBeNull();
    expect(text.length).toBeLessThan(250_000);
  });

  test("name the site by its own address", () => {
    expect(JSON.stringify(examples.getProject)).toContain(`"${url}/`);
    expect(JSON.stringify(examples)).not.toContain(exampleUrl);
  });
});
