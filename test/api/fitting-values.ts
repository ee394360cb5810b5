// Values that match a schema: the simplest one, or a random one if a chooser is given. Generated tests build their
// requests from them, so that a new endpoint is covered automatically.
import type { TSchema } from "typebox";
import { validatorFor } from "#platform/http/validation.js";

export interface AnySchema {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: AnySchema[];
  items?: AnySchema;
  minItems?: number;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  properties?: Record<string, AnySchema>;
  required?: string[];
  additionalProperties?: boolean | AnySchema;
  examples?: unknown[];
  /** "binary": the part of a form is a file. */
  format?: string;
}

/** A whole number from 0 up to, but not including, the given one. */
export type Choose = (below: number) => number;
const first: Choose = () => 0;

/** Meaningful texts by the name of a field or parameter. */
export type Hints = Record<string, readonly string[]>;

const texts = ["sample", "Sample-1", "sample@example.com", "2099-01-31", "https://example.com/a", "a", "1", "true"];

export function fitting(schema: AnySchema, choose: Choose = first, hints: Hints = {}, name = ""): unknown {
  if ("const" in schema) return schema.const;
  if (schema.enum) return pick(schema.enum, choose);
  if (schema.anyOf) return fitting(pick(schema.anyOf, choose), choose, hints, name);
  switch (schema.type) {
    case "object":
      return fittingObject(schema, choose, hints);
    case "array": {
      const length = (schema.minItems ?? 0) + choose(3);
      return Array.from({ length }, () => fitting(schema.items ?? {}, choose, hints, name));
    }
    case "integer":
    case "number": {
      const least = schema.minimum ?? 0;
      return least + choose(Math.min((schema.maximum ?? least + 100) - least, 1000) + 1);
    }
    case "boolean":
      return choose(2) === 1;
    case "null":
      return null;
    default:
      return fittingText(schema, choose, hints[name] ?? []);
  }
}

function fittingObject(schema: AnySchema, choose: Choose, hints: Hints): Record<string, unknown> {
  const required = new Set(schema.required ?? []);
  // Sometimes all properties, because some code runs only if all are present.
  const isWhole = choose(3) === 2;
  const chosen = Object.entries(schema.properties ?? {}).filter(
    ([name]) => required.has(name) || isWhole || choose(2) === 1,
  );
  return Object.fromEntries(chosen.map(([name, property]) => [name, fitting(property, choose, hints, name)]));
}

/** A meaningful text, five times of six; otherwise any valid one. */
function fittingText(schema: AnySchema, choose: Choose, meant: readonly string[]): string {
  const validate = validatorFor("body", schema as TSchema);
  const fits = (candidates: readonly unknown[]) =>
    candidates.filter((text): text is string => typeof text === "string" && validate(text));
  const known = fits(meant);
  if (known.length > 0 && choose(6) < 5) return pick(known, choose);
  const any = fits([...(schema.examples ?? []), ...texts, "x".repeat(schema.minLength ?? 1)]);
  return any.length > 0 ? pick(any, choose) : "sample";
}

export const pick = <T>(from: readonly T[], choose: Choose): T => from[choose(from.length)]!;
