// The right side of a review: checks, message and decision in one form. A script adds sentences to the message while
// checks are marked; without it the server does this when the form arrives.

import type { Project } from "#content/shapes/project.js";
import { Fragment } from "#lib/jsx-runtime.js";
import { deskActs } from "#lib/shortcuts.js";
import { reasons } from "#moderation/desk/reasons.js";
import type { FormProblems } from "#web/context/form.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { SelectField, TextAreaField } from "#web/parts/input-fields.js";
import { ProblemSummary } from "#web/parts/problem-summary.js";
import { texts } from "#words/texts.js";
import { type CheckId, checks } from "./checks.js";
import { useDeskKeys } from "./desk-frame.js";

export interface TypedDecision {
  problems: readonly CheckId[];
  reason: string;
  message: string;
  wrong?: FormProblems | undefined;
}

export const nothingTyped: TypedDecision = { problems: [], reason: "", message: "" };

/** The last has no shortcut, so that no one rejects permanently by accident. */
const buttons = [
  { status: "approved", act: "approved", kind: undefined },
  { status: "draft", act: "draft", kind: "quiet" },
  { status: "withheld", act: "withheld", kind: "quiet" },
  { status: "rejected", act: undefined, kind: "danger" },
] as const;

interface Props {
  project: Project;
  typed: TypedDecision;
  /** Claimed from the queue: it can be skipped, and the next one opens after the decision. */
  isClaimed: boolean;
}

export const DecisionForm = ({ project, typed, isClaimed }: Props) => {
  const t = useTexts(texts.moderation.review);
  const keys = useDeskKeys();
  const path = `/moderation/queue/${project.id}`;
  return (
    <>
      {typed.wrong && <ProblemSummary problems={typed.wrong} labels={{ reason: t.reason, message: t.message }} />}
      <Form class="form" action={`${path}/decide`} data-decision>
        <Checks typed={typed} />
        <Reason typed={typed} />
        <TextAreaField
          name="message"
          label={t.message}
          hint={t.messageHint}
          value={typed.message}
          problems={typed.wrong}
          lengths={[0, 2048]}
          rows={3}
        />
        <div class="actions">
          {buttons
            .filter(({ status }) => status !== project.status)
            .map(({ status, act, kind }) => (
              <Button
                key={status}
                kind={kind}
                name="decision"
                value={status}
                data-act={act}
                aria-keyshortcuts={act && (keys[act] || undefined)}
              >
                {t.buttons[status]}
              </Button>
            ))}
          {isClaimed && (
            <Button
              kind="quiet"
              formaction={`${path}/skip`}
              data-act="skip"
              aria-keyshortcuts={keys.skip || undefined}
              formnovalidate
            >
              {t.skip}
            </Button>
          )}
        </div>
      </Form>
    </>
  );
};

const Checks = ({ typed }: { typed: TypedDecision }) => {
  const t = useTexts(texts.moderation.review);
  const { titles, sentences } = useTexts(texts.moderation.check);
  return (
    <fieldset class="review-checks" aria-describedby="checks-hint">
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
  const t = useTexts(texts.moderation.review);
  const { titles } = useTexts(texts.moderation.check);
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

/** The keyboard shortcuts of this page, with a link to change them or turn them off (for users of speech input). */
export const KeyHelp = () => {
  const t = useTexts(texts.moderation.review);
  const words = useTexts(texts.moderation.key);
  const keys = useDeskKeys();
  return (
    <details class="needs-script-block" data-key-help>
      <summary>{t.keys}</summary>
      <dl class="facts">
        {deskActs
          .filter((act) => keys[act] !== "")
          .map((act) => (
            <Fragment key={act}>
              <dt>
                <kbd>{keys[act]}</kbd>
              </dt>
              <dd>{words[act]}</dd>
            </Fragment>
          ))}
      </dl>
      <p>
        <a href="/settings/shortcuts">{t.changeKeys}</a>
      </p>
    </details>
  );
};
