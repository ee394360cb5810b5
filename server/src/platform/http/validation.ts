// Checks what comes in and what goes out against the contract's schemas. Compiled once per schema for the process.
import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import type { TSchema } from "typebox";
import { isWithin } from "#lib/json-bounds.js";
import { type Issue, invalid } from "#platform/errors.js";
import { settleInput } from "./lenient-input.js";

const common = {
  strict: false,
  // 1e999 is no number that anything here can work with.
  strictNumbers: true,
  // Unknown keys are ignored (decisions §3): dropped here, so that no handler can pass one on by mistake.
  removeAdditional: "all",
  useDefaults: true,
  verbose: true,
  validateFormats: false,
} as const;

// Queries and forms are text: "5" is a number there, and nowhere else. What is turned into a number is not looked at as
// strictly again; without strictNumbers, "1e999" meets the schema's own bounds instead of passing them by.
const ofText = { ...common, coerceTypes: true, strictNumbers: false } as const;

// Everything is checked to its first fault. Bounds of lists and texts are looked at before what is inside of them.
const ajvs = {
  body: new Ajv(common),
  text: new Ajv(ofText),
  answer: new Ajv({ ...common, useDefaults: false }),
  // What has been refused, and is so small that all of its faults can be named.
  refusedBody: new Ajv({ ...common, allErrors: true }),
  refusedText: new Ajv({ ...ofText, allErrors: true }),
};

export type Use = keyof typeof ajvs;
const compiled: Record<Use, WeakMap<TSchema, ValidateFunction>> = {
  body: new WeakMap(),
  text: new WeakMap(),
  answer: new WeakMap(),
  refusedBody: new WeakMap(),
  refusedText: new WeakMap(),
};

export function validatorFor(use: Use, schema: TSchema): ValidateFunction {
  let validate = compiled[use].get(schema);
  if (!validate) {
    validate = ajvs[use].compile(schema);
    compiled[use].set(schema, validate);
  }
  return validate;
}

export const isCompiled = (use: Use, schema: TSchema): boolean => compiled[use].has(schema);

const maxIssues = 20;
/** A value with more in it is told of its first fault only: finding all costs as much as there are. */
const explained = { levels: 16, values: 500 };

/** Returns the value, unknown keys dropped, or throws a 400 that names its problems. */
export function parse<T>(use: "body" | "text", schema: TSchema, value: unknown, where: string): T {
  if (use === "body") settleInput(schema, value);
  const validate = validatorFor(use, schema);
  if (validate(value)) return value as T;
  const { errors } = validate;
  const explain = validatorFor(use === "body" ? "refusedBody" : "refusedText", schema);
  const all = isWithin(value, explained) && !explain(value) ? explain.errors : errors;
  throw invalid(...toIssues(all ?? [], where));
}

function toIssues(errors: ErrorObject[], where: string): Issue[] {
  const issues: Issue[] = [];
  for (const error of errors) {
    // A union reports each branch and then itself; the branches say what would fit.
    if (error.keyword === "anyOf" && issues.length > 0) continue;
    const missing = error.keyword === "required" ? (error.params as { missingProperty: string }).missingProperty : "";
    const path = [...error.instancePath.split("/").slice(1), ...(missing ? [missing] : [])].join(".") || where;
    // Nobody who sent too long a text meant to send null.
    if (isNullBranch(error) && issues.some((issue) => issue.path === path)) continue;
    const message = describe(error);
    if (!issues.some((issue) => issue.path === path && issue.message === message)) issues.push({ path, message });
    if (issues.length === maxIssues) break;
  }
  return issues;
}

const isNullBranch = ({ keyword, params }: ErrorObject): boolean =>
  keyword === "type" && (params as { type?: string }).type === "null";

function describe(error: ErrorObject): string {
  const hint = (error.parentSchema as { "x-problem"?: string } | undefined)?.["x-problem"];
  if (hint && error.keyword !== "type" && error.keyword !== "required") return hint;
  switch (error.keyword) {
    case "required":
      return "is missing";
    case "enum":
      return `must be one of ${(error.params as { allowedValues: unknown[] }).allowedValues.join(", ")}`;
    case "const":
      return `must be ${(error.params as { allowedValue: unknown }).allowedValue}`;
    default:
      return error.message ?? "does not fit";
  }
}
