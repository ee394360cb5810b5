// Confirmation of an action that cannot be undone: its effects, optionally a word to type, and one red button.

import type { Children } from "#lib/jsx-runtime.js";
import type { FormProblems } from "#web/context/form.js";
import { useTexts } from "#web/context/texts.js";
import { texts } from "#words/texts.js";
import { Button, ButtonLink } from "./button.js";
import { Form } from "./form.js";
import { ProblemSummary } from "./problem-summary.js";
import { TextField } from "./text-field.js";

interface Props {
  action: string;
  button: string;
  back: string;
  /** Must be typed into the field "confirm". */
  word?: string;
  problems?: FormProblems | undefined;
  /** The labels of the fields among the children. */
  labels?: Record<string, string>;
  children?: Children;
}

export const ConfirmForm = ({ action, button, back, word, problems, labels, children }: Props) => {
  const t = useTexts(texts.parts.common);
  const label = word === undefined ? "" : (t.typeToConfirm(word) as string);
  return (
    <>
      {problems && <ProblemSummary problems={problems} labels={{ ...labels, confirm: label }} />}
      <Form class="form card confirm" action={action}>
        {children}
        {word !== undefined && <TextField name="confirm" required verbatim label={label} problems={problems} />}
        <div class="actions">
          <Button kind="danger">{button}</Button>
          <ButtonLink kind="quiet" href={back}>
            {t.cancel}
          </ButtonLink>
        </div>
      </Form>
    </>
  );
};
