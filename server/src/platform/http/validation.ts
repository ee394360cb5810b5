// Validates input and answers against the contract's schemas. Each schema is compiled once per process.

import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import type { TSchema } from "typebox";
import { isWithin } from "#lib/json-bounds.js";
import { type Issue, invalid } from "#platform/errors.js";
import { type Said, type Sentence, say } from "#words/said.js";
import type { EndpointSpec, Parsed } from "./endpoint.js";
import { settleInput } from "./lenient-input.js";

const common = {
  strict: false,
  // Infinity from 1e999 is not a usable number.
  strictNumbers: true,
  // Unknown keys are ignored (decisions §3): they are dropped here, so that no handler can pass one on by mistake.
  removeAdditional: "all",
  useDefaults: true,
  verbose: true,
  validateFormats: false,
  // A test checks the schemas. Compiling the schema of schemas would be a tenth of each start.
  validateSchema: false,
  // Shortening the generated code takes as long as generating it, and V8 compiles both forms to the same.
  code: { optimize: false },
} as const;

// Queries and forms are text: only there, "5" is a number. Converted numbers are not checked by strictNumbers; without
// it, "1e999" is checked against the schema's own bounds.
const ofText = { ...common, coerceTypes: true, strictNumbers: false } as const;

// Validation stops at the first fault. Bounds of lists and texts are checked before their contents.
const ajvs = {
  body: new Ajv(common),
  text: new Ajv(ofText),
  answer: new Ajv({ ...common, useDefaults: false }),
  // For invalid values that are so small that all of their faults can be reported.
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
/** For larger values only the first fault is reported: finding all costs too much. */
const explained = { levels: 16, values: 500 };

/** Returns the value without unknown keys, or throws a 400 that names its problems. */
export function parse<T>(use: "body" | "text", schema: TSchema, value: unknown, where: string): T {
  if (use === "body") settleInput(schema, value);
  const validate = validatorFor(use, schema);
  if (validate(value)) return value as T;
  const { errors } = validate;
  const explain = validatorFor(use === "body" ? "refusedBody" : "refusedText", schema);
  const all = isWithin(value, explained) && !explain(value) ? explain.errors : errors;
  throw invalid(...toIssues(all ?? [], where));
}

/** The body of a call: a missing body is an empty object. */
export const parseBody = <E extends EndpointSpec>({ body }: E, value: unknown): Parsed<E["body"]> =>
  (body && parse("body", body, value ?? {}, "body")) as Parsed<E["body"]>;

function toIssues(errors: ErrorObject[], where: string): Issue[] {
  const issues: Issue[] = [];
  for (const error of errors) {
    // A union reports each branch and then itself; the branches are more useful.
    if (error.keyword === "anyOf" && issues.length > 0) continue;
    const missing = error.keyword === "required" ? (error.params as { missingProperty: string }).missingProperty : "";
    const path = [...error.instancePath.split("/").slice(1), ...(missing ? [missing] : [])].join(".") || where;
    // A user who sent a text that is too long did not mean to send null.
    if (isNullBranch(error) && issues.some((issue) => issue.path === path)) continue;
    const message = describe(error);
    if (!issues.some((issue) => issue.path === path && `${issue.message}` === `${message}`))
      issues.push({ path, message });
    if (issues.length === maxIssues) break;
  }
  return issues;
}

const isNullBranch = ({ keyword, params }: ErrorObject): boolean =>
  keyword === "type" && (params as { type?: string }).type === "null";

/** Ajv's errors as sentences, from their parameters. */
const sentences: Record<string, (params: Params) => Said> = {
  required: () => say.problems.missing,
  enum: ({ allowedValues }) => say.problems.oneOf(allowedValues.join(", ")),
  const: ({ allowedValue }) => say.problems.mustBe(String(allowedValue)),
  minLength: ({ limit }) => say.problems.tooFewCharacters(limit),
  maxLength: ({ limit }) => say.problems.tooManyCharacters(limit),
  minItems: ({ limit }) => say.problems.tooFewItems(limit),
  maxItems: ({ limit }) => say.problems.tooManyItems(limit),
  uniqueItems: ({ i, j }) => say.problems.twice(j, i),
  minimum: ({ limit }) => say.problems.tooSmall(limit),
  maximum: ({ limit }) => say.problems.tooLarge(limit),
  pattern: ({ pattern }) => say.problems.wrongForm(pattern),
};

interface Params {
  allowedValues: unknown[];
  allowedValue: unknown;
  limit: number;
  i: number;
  j: number;
  pattern: string;
}

const types = ["string", "integer", "number", "boolean", "array", "object", "null"] as const;

function describe(error: ErrorObject): Sentence {
  const { keyword, params } = error;
  const hint = (error.parentSchema as { "x-problem"?: Said } | undefined)?.["x-problem"];
  if (hint && keyword !== "type" && keyword !== "required") return hint;
  const type = keyword === "type" ? types.find((name) => name === (params as { type: unknown }).type) : undefined;
  if (type) return say.problems[type];
  return sentences[keyword]?.(params as Params) ?? error.message ?? say.problems.doesNotFit;
}
