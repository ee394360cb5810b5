// Before something that cannot be undone: what will happen, perhaps a word to type, and one red button.

import type { ComponentChildren } from "preact";
import type { FormProblems } from "#web/form.js";
import { useTexts } from "#web/texts.js";
import { texts } from "#words/texts.js";
import { Field } from "./field.js";
import { ProblemSummary } from "./problem-summary.js";

interface Props {
  action: string;
  button: string;
  back: string;
  /** Must be typed into the field "confirm". */
  word?: string;
  problems?: FormProblems | undefined;
  /** Of the fields among the children. */
  labels?: Record<string, string>;
  children?: ComponentChildren;
}

export const ConfirmForm = ({ action, button, back, word, problems, labels, children }: Props) => {
  const t = useTexts(texts.parts.common);
  const label = word === undefined ? "" : (t.typeToConfirm(word) as string);
  return (
    <>
      {problems && <ProblemSummary problems={problems} labels={{ ...labels, confirm: label }} />}
      <form class="form card confirm" method="post" action={action}>
        {children}
        {word !== undefined && (
          <Field name="confirm" label={label} autoComplete="off" {...(problems && { problems })} />
        )}
        <div class="actions">
          <button class="button danger" type="submit">
            {button}
          </button>
          <a class="button quiet" href={back}>
            {t.cancel}
          </a>
        </div>
      </form>
    </>
  );
};
