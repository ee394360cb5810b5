// HTML forms: the same checks as the API, but what is wrong is shown at the fields of the form.
import { type ComponentChildren, h } from "preact";
import Type from "typebox";
import { type ErrorCode, Failure, invalid } from "#platform/errors.js";
import { maxPageFields } from "#platform/http/forms.js";
import { SentenceText } from "./sentence-text.js";

export interface FormProblems {
  status: number;
  message: ComponentChildren;
  /** What is wrong, by the name of the field. */
  fields: Record<string, ComponentChildren>;
}

/** Texts of any size and content: the contract's own schema judges them in the handler, where the form can be shown again. */
export const formFields = <const N extends string>(...names: N[]) =>
  Type.Object(Object.fromEntries(names.map((name) => [name, anyText])) as Record<N, typeof anyText>);

const anyText = Type.Optional(Type.String());

/** Fields that may come several times: boxes that are ticked, choices of which several are made. */
export const formLists = <const N extends string>(...names: N[]) =>
  Type.Object(Object.fromEntries(names.map((name) => [name, anyTexts])) as Record<N, typeof anyTexts>);

export const anyTexts = Type.Optional(
  Type.Union([Type.String(), Type.Array(Type.String(), { maxItems: maxPageFields })]),
);

export const listOf = (value: string | readonly string[] | undefined): string[] => [value ?? []].flat();

/**
 * Does what the form is for. A refusal that the visitor can mend comes back as problems: those that name their fields, and
 * those that `fieldOf` gives one. Everything else goes on to the error page.
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
    const message = h(SentenceText, { said: error });
    const field = fieldOf[code];
    if (field) return { status, message, fields: { [field]: message } };
    if (issues.length === 0) throw error;
    // The first remark on each field; later ones say the same in other words.
    const fields = Object.fromEntries(
      issues.toReversed().map((issue) => [issue.path, h(SentenceText, { said: issue.message })]),
    );
    return { status, message, fields };
  }
}

/** A refusal that names other fields than the form has: all its remarks go to this one. */
export function renamed(error: unknown, field: string): unknown {
  if (!(error instanceof Failure) || !error.issues) return error;
  return invalid(...error.issues.map(({ message }) => ({ path: field, message })));
}

/** Browsers send line ends as CR LF. */
export const withPlainLines = (text: string | undefined): string => (text ?? "").replaceAll("\r\n", "\n");
