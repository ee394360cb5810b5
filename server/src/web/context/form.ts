// HTML forms: checked like API requests, but problems are shown beside the fields of the form.

import Type from "typebox";
import { type Children, jsx } from "#lib/jsx-runtime.js";
import { type ErrorCode, Failure, invalid } from "#platform/errors.js";
import { maxPageFields } from "#platform/http/forms.js";
import { SentenceText } from "./sentence-text.js";

export interface FormProblems {
  status: number;
  message: Children;
  /** The problem of each field, by the name of the field. */
  fields: Record<string, Children>;
}

/**
 * Text of any length and content: the handler checks it against the contract's schema, so that it can show the form
 * again.
 */
export const formFields = <const N extends string>(...names: N[]) =>
  Type.Object(Object.fromEntries(names.map((name) => [name, anyText])) as Record<N, typeof anyText>);

const anyText = Type.Optional(Type.String());

/** Fields that may occur several times, such as checkboxes and multiple choices. */
export const formLists = <const N extends string>(...names: N[]) =>
  Type.Object(Object.fromEntries(names.map((name) => [name, anyTexts])) as Record<N, typeof anyTexts>);

export const anyTexts = Type.Optional(
  Type.Union([Type.String(), Type.Array(Type.String(), { maxItems: maxPageFields })]),
);

export const listOf = (value: string | readonly string[] | undefined): string[] => [value ?? []].flat();

/**
 * Runs `work`. A refusal that the user can correct is returned as problems: if it names its fields, or if `fieldOf`
 * maps its code to a field. All other errors are thrown and lead to the error page.
 */
export async function attempt(
  work: () => Promise<void>,
  fieldOf: Partial<Record<ErrorCode, string>> = {},
): Promise<FormProblems | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { status, code, issues = [] } = error;
    const message = jsx(SentenceText, { said: error });
    const field = fieldOf[code];
    if (field) return { status, message, fields: { [field]: message } };
    if (issues.length === 0) throw error;
    // Only the first problem of each field is shown; later ones usually repeat it.
    const fields = Object.fromEntries(
      issues.toReversed().map((issue) => [issue.path, jsx(SentenceText, { said: issue.message })]),
    );
    return { status, message, fields };
  }
}

/** Moves all problems of a refusal to one field, for refusals whose fields the form does not have. */
export function renamed(error: unknown, field: string): unknown {
  if (!(error instanceof Failure) || !error.issues) return error;
  return invalid(...error.issues.map(({ message }) => ({ path: field, message })));
}

/** Browsers send line breaks as CR LF. */
export const withPlainLines = (text: string | undefined): string => (text ?? "").replaceAll("\r\n", "\n");
