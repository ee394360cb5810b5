// A form in a card that may carry files, with what was wrong above it.
import type { ComponentChildren } from "preact";
import type { FormProblems } from "#web/form.js";
import { ProblemSummary } from "#web/parts/problem-summary.js";

interface Props {
  action: string;
  button: string;
  problems?: FormProblems | undefined;
  labels: Record<string, string>;
  hasFiles?: boolean;
  /** What is said when it was sent in the background; other forms lead to another page. */
  done?: string;
  children: ComponentChildren;
}

export const FormCard = ({ action, button, problems, labels, hasFiles = false, done, children }: Props) => (
  <>
    {problems && <ProblemSummary problems={problems} labels={labels} />}
    <form
      class="form card"
      method="post"
      action={action}
      data-enhance={done === undefined ? undefined : ""}
      data-done={done}
      encType={hasFiles ? "multipart/form-data" : "application/x-www-form-urlencoded"}
    >
      {children}
      <button class="button" type="submit">
        {button}
      </button>
    </form>
  </>
);
