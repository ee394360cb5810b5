// A form in a card that may carry files, with what was wrong above it.
import type { ComponentChildren } from "preact";
import type { FormProblems } from "../../form.js";
import { ProblemSummary } from "../../parts/problem-summary.js";

interface Props {
  action: string;
  button: string;
  problems?: FormProblems | undefined;
  labels: Record<string, string>;
  hasFiles?: boolean;
  children: ComponentChildren;
}

export const FormCard = ({ action, button, problems, labels, hasFiles = false, children }: Props) => (
  <>
    {problems && <ProblemSummary problems={problems} labels={labels} />}
    <form
      class="form card"
      method="post"
      action={action}
      encType={hasFiles ? "multipart/form-data" : "application/x-www-form-urlencoded"}
    >
      {children}
      <button class="button" type="submit">
        {button}
      </button>
    </form>
  </>
);
