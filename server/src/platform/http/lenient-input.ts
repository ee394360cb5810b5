// Normalizes a JSON body before validation, for clients that do not follow the contract exactly (decisions §3): null
// for an optional field means that it is absent, unless the schema allows null. In a list that is marked "x-lenient",
// an entry of the wrong type becomes an empty text, which the feature ignores.
import type { TSchema } from "typebox";

interface Keywords {
  type?: string;
  properties?: Record<string, Keywords>;
  required?: readonly string[];
  items?: Keywords;
  anyOf?: readonly Keywords[];
  enum?: readonly unknown[];
  const?: unknown;
  "x-lenient"?: boolean;
}

type Settle = (value: unknown) => void;

const settlers = new WeakMap<TSchema, Settle>();

/** Changes the value in place, in linear time. */
export function settleInput(schema: TSchema, value: unknown): void {
  let settle = settlers.get(schema);
  if (!settle) {
    settle = compile(schema as Keywords) ?? (() => {});
    settlers.set(schema, settle);
  }
  settle(value);
}

/** Undefined if there is nothing to normalize, so that long lists of plain texts are not walked. */
function compile(schema: Keywords): Settle | undefined {
  if (schema.type === "object") return compileObject(schema);
  if (schema.type === "array") return compileList(schema);
  const branches = schema.anyOf?.flatMap((branch) => compile(branch) ?? []) ?? [];
  if (branches.length === 0) return undefined;
  return (value) => {
    for (const settle of branches) settle(value);
  };
}

function compileObject({ properties = {}, required = [] }: Keywords): Settle | undefined {
  const fields = Object.entries(properties).flatMap(([name, schema]) => {
    const isAbsentAsNull = !required.includes(name) && !takesNull(schema);
    const settle = compile(schema);
    return isAbsentAsNull || settle ? [{ name, isAbsentAsNull, settle }] : [];
  });
  if (fields.length === 0) return undefined;
  return (value) => {
    if (typeof value !== "object" || value === null) return;
    const object = value as Record<string, unknown>;
    for (const { name, isAbsentAsNull, settle } of fields) {
      if (!Object.hasOwn(object, name)) continue;
      if (isAbsentAsNull && object[name] === null) delete object[name];
      else settle?.(object[name]);
    }
  };
}

function compileList({ items = {}, "x-lenient": isLenient }: Keywords): Settle | undefined {
  const settle = compile(items);
  if (!settle && !isLenient) return undefined;
  return (value) => {
    if (!Array.isArray(value)) return;
    for (let index = 0; index < value.length; index++) {
      if (isLenient && typeof value[index] !== "string") value[index] = "";
      settle?.(value[index]);
    }
  };
}

/** Also true for a schema that allows anything: the feature decides what null means there. */
function takesNull(schema: Keywords): boolean {
  if (schema.anyOf) return schema.anyOf.some(takesNull);
  if (schema.enum) return schema.enum.includes(null);
  if ("const" in schema) return schema.const === null;
  return schema.type === undefined || schema.type === "null";
}
