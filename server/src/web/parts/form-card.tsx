// A form in a card: problems at the top, then the fields, and one button at the bottom.
import type { Children } from "#lib/jsx-runtime.js";
import type { FormProblems } from "#web/context/form.js";
import { Button } from "./button.js";
import { Form } from "./form.js";
import { ProblemSummary } from "./problem-summary.js";

interface Props {
  action: string;
  button: string;
  /** Hidden fields. */
  fields?: Record<string, string>;
  problems?: FormProblems | undefined;
  /** The labels of the fields, in the order of the form. */
  labels?: Record<string, string>;
  hasFiles?: boolean;
  /** If set, a script sends the form in the background and then shows this text. */
  done?: string;
  /** The action cannot be undone. */
  isDangerous?: boolean;
  /** Shown beside the button. */
  otherButton?: Children;
  children?: Children;
}

export const FormCard = ({
  button,
  problems,
  labels = {},
  isDangerous = false,
  otherButton,
  children,
  ...form
}: Props) => (
  <>
    {problems && <ProblemSummary problems={problems} labels={labels} />}
    <Form class="form card" {...form}>
      {children}
      <div class="actions">
        <Button kind={isDangerous ? "danger" : undefined}>{button}</Button>
        {otherButton}
      </div>
    </Form>
  </>
);
