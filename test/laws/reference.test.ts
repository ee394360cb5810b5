// Law: the API reference explains everything that it shows. Every chapter, parameter, field and value has a description.
import { describe, expect, test } from "vitest";
import { routes } from "../../server/src/app.js";
import { type Parameter, toOpenApi } from "../../server/src/http/openapi.js";
import { enumDescriptions, type JsonSchema, referencedName } from "../../server/src/http/openapi-schemas.js";
import { tagDescriptions } from "../../server/src/http/tags.js";

const document = toOpenApi(
  routes.map(({ endpoint }) => endpoint),
  { version: "0", url: "https://mods.example" },
);
const { schemas } = document.components;
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

/** Whether a reader learns what it is: from itself, from the shape that it refers to, or from one of its forms. */
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
