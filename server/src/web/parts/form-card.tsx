// A form in a card: what was wrong above it, its fields, and its one button below.
import type { ComponentChildren } from "preact";
import type { FormProblems } from "#web/context/form.js";
import { Button } from "./button.js";
import { Form } from "./form.js";
import { ProblemSummary } from "./problem-summary.js";

interface Props {
  action: string;
  button: string;
  /** Sent along, and not shown. */
  fields?: Record<string, string>;
  problems?: FormProblems | undefined;
  /** The names of the fields for people, in the order of the form. */
  labels?: Record<string, string>;
  hasFiles?: boolean;
  /** The form is sent in the background, and this is said afterwards. */
  done?: string;
  /** What the button does cannot be undone. */
  isDangerous?: boolean;
  /** Another way out, beside the button. */
  otherButton?: ComponentChildren;
  children?: ComponentChildren;
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
