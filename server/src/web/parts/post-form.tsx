// A form that is sent by POST, with what was wrong above it and its one button below.
import type { ComponentChildren } from "preact";
import type { FormProblems } from "#web/form.js";
import { ProblemSummary } from "./problem-summary.js";

interface Props {
  action: string;
  button: string;
  /** The one-time code that the form carries on. */
  code?: string;
  problems?: FormProblems;
  /** The names of the fields for people, in the order of the form. */
  labels?: Record<string, string>;
  /** What the button does cannot be undone. */
  isDangerous?: boolean;
  /** Another way out, beside the button. */
  otherButton?: ComponentChildren;
  children?: ComponentChildren;
}

export const PostForm = ({
  action,
  button,
  code,
  problems,
  labels = {},
  isDangerous = false,
  otherButton,
  children,
}: Props) => (
  <>
    {problems && <ProblemSummary problems={problems} labels={labels} />}
    <form class="form card" method="post" action={action}>
      {code !== undefined && <input type="hidden" name="code" value={code} />}
      {children}
      <div class="actions">
        <button class={isDangerous ? "button danger" : "button"} type="submit">
          {button}
        </button>
        {otherButton}
      </div>
    </form>
  </>
);
