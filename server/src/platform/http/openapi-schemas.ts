// The contract's schemas as the OpenAPI document shows them: named shapes become components, and internal keywords are
// removed.
import type { TSchema } from "typebox";

export interface JsonSchema {
  $ref?: string;
  type?: string;
  description?: string;
  properties?: Record<string, JsonSchema>;
  patternProperties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  examples?: unknown[];
  [keyword: string]: unknown;
}

const referencePrefix = "#/components/schemas/";

/** The name of the referenced shape. */
export const referencedName = (schema: JsonSchema): string | undefined => schema.$ref?.slice(referencePrefix.length);

/** The meanings of the values of an enum, in the same order; generators and viewers know the keyword. */
export const enumDescriptions = "x-enum-descriptions";

type Convert = (schema: JsonSchema) => JsonSchema;
const one = (value: unknown, convert: Convert) => convert(value as JsonSchema);
const list = (value: unknown, convert: Convert) => (value as JsonSchema[]).map(convert);
const map = (value: unknown, convert: Convert) =>
  Object.fromEntries(
    Object.entries(value as Record<string, JsonSchema>).map(([key, schema]) => [key, convert(schema)]),
  );

/** The keywords that contain further schemas; all others are copied unchanged. */
const nested: Record<string, (value: unknown, convert: Convert) => unknown> = {
  properties: map,
  patternProperties: map,
  items: one,
  not: one,
  anyOf: list,
  oneOf: list,
  allOf: list,
  prefixItems: list,
};

export class Shapes {
  readonly #components = new Map<string, JsonSchema>();

  convert = (schema: TSchema | JsonSchema): JsonSchema => {
    const { "x-name": name, ...keywords } = ((schema as JsonSchema)["x-shown"] ?? schema) as JsonSchema;
    const plain = this.#strip(keywords);
    if (typeof name !== "string") return plain;
    const known = this.#components.get(name);
    if (known && JSON.stringify(known) !== JSON.stringify(plain)) throw new Error(`Two shapes are called ${name}`);
    this.#components.set(name, plain);
    return { $ref: referencePrefix + name };
  };

  /** In alphabetical order, so that a new route moves nothing. */
  components(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#components].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #strip(schema: JsonSchema): JsonSchema {
    const entries = Object.entries(schema).filter(
      ([keyword]) => keyword === enumDescriptions || !keyword.startsWith("x-"),
    );
    const plain: JsonSchema = Object.fromEntries(
      entries.map(([keyword, value]) => [keyword, nested[keyword]?.(value, this.convert) ?? value]),
    );
    // Redundant, but generators of clients make better types from it.
    if (plain.enum?.every((value) => typeof value === "string")) return { type: "string", ...plain };
    return plain;
  }
}
