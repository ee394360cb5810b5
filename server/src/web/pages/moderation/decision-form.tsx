// The right side of a review: checks, message and decision in one form. A script fills the message while checks are
// marked; without it the server does when the form arrives.
import { Fragment } from "preact";
import { reasons } from "../../../moderation/reasons.js";
import type { Project } from "../../../projects/shapes.js";
import type { FormProblems } from "../../form.js";
import { SelectField, TextAreaField } from "../../parts/input-fields.js";
import { ProblemSummary } from "../../parts/problem-summary.js";
import { useTexts } from "../../texts.js";
import { type CheckId, checks, checkTexts } from "./checks.js";
import { reviewTexts } from "./review-texts.js";

export interface TypedDecision {
  problems: readonly CheckId[];
  reason: string;
  message: string;
  wrong?: FormProblems | undefined;
}

export const nothingTyped: TypedDecision = { problems: [], reason: "", message: "" };

const buttons = [
  { status: "approved", key: "a", kind: "button" },
  { status: "draft", key: "r", kind: "button quiet" },
  { status: "withheld", key: "w", kind: "button quiet" },
  { status: "rejected", key: undefined, kind: "button danger" },
] as const;

interface Props {
  project: Project;
  typed: TypedDecision;
  /** In the queue: it can be skipped, and the next one opens afterwards. */
  isInHand: boolean;
}

export const DecisionForm = ({ project, typed, isInHand }: Props) => {
  const t = useTexts(reviewTexts);
  const path = `/moderation/queue/${project.id}`;
  return (
    <>
      {typed.wrong && <ProblemSummary problems={typed.wrong} labels={{ reason: t.reason, message: t.message }} />}
      <form class="form" method="post" action={`${path}/decide`} data-decision>
        <Checks typed={typed} />
        <Reason typed={typed} />
        <TextAreaField
          name="message"
          label={t.message}
          hint={t.messageHint}
          value={typed.message}
          problems={typed.wrong}
          lengths={[0, 2048]}
          rows={6}
        />
        <div class="actions">
          {buttons
            .filter(({ status }) => status !== project.status)
            .map(({ status, key, kind }) => (
              <button
                key={status}
                class={kind}
                type="submit"
                name="decision"
                value={status}
                data-key={key}
                aria-keyshortcuts={key}
              >
                {t.buttons[status]}
              </button>
            ))}
          {isInHand && (
            <button
              class="button quiet"
              type="submit"
              formAction={`${path}/skip`}
              data-key="s"
              aria-keyshortcuts="s"
              formNoValidate
            >
              {t.skip}
            </button>
          )}
        </div>
      </form>
    </>
  );
};

const Checks = ({ typed }: { typed: TypedDecision }) => {
  const t = useTexts(reviewTexts);
  const { titles, sentences } = useTexts(checkTexts);
  return (
    <fieldset class="checks" aria-describedby="checks-hint">
      <legend>{t.checks}</legend>
      <p class="hint" id="checks-hint">
        {t.checksHint}
      </p>
      {checks.map(({ id, section }) => (
        <label key={id} class="check">
          <input
            type="checkbox"
            name="problem"
            value={id}
            checked={typed.problems.includes(id)}
            data-sentence={sentences[id]}
            data-section={section}
          />{" "}
          {titles[id]}
        </label>
      ))}
    </fieldset>
  );
};

const Reason = ({ typed }: { typed: TypedDecision }) => {
  const t = useTexts(reviewTexts);
  const { titles } = useTexts(checkTexts);
  return (
    <SelectField
      name="reason"
      label={t.reason}
      value={typed.reason}
      problems={typed.wrong}
      options={[
        { value: "", text: t.byChecks },
        ...reasons.filter(({ id }) => id !== "second_look").map(({ id }) => ({ value: id, text: titles[id] })),
      ]}
    />
  );
};

/** The keys that work here, and the switch that turns them off (for those whose software presses keys). */
export const KeyHelp = () => {
  const t = useTexts(reviewTexts);
  return (
    <details class="needs-script-block" data-key-help>
      <summary>{t.keys}</summary>
      <dl class="facts">
        {Object.entries(t.keyHelp).map(([key, text]) => (
          <Fragment key={key}>
            <dt>
              <kbd>{key === "help" ? "?" : key}</kbd>
            </dt>
            <dd>{text}</dd>
          </Fragment>
        ))}
      </dl>
      <label class="check">
        <input type="checkbox" data-keys-on checked /> {t.keysOn}
      </label>
    </details>
  );
};
