// The points that moderators asked for: each links to the field to change, can be ticked when done, and can be
// answered. The answers are sent with the next submission.

import type { Answer } from "#content/submissions/submissions.js";
import { queuePlaceMs } from "#content/submissions/submit.js";
import { lengths } from "#lib/lengths.js";
import { type ReasonId, reasonIds } from "#moderation/desk/reasons.js";
import { type Decision, problemsOf } from "#moderation/desk/requested-changes.js";
import { type FormProblems, listOf } from "#web/context/form.js";
import { useFormat, useFrame } from "#web/context/frame.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { TextAreaField } from "#web/parts/input-fields.js";
import { places } from "#web/shared/changes-banner.js";
import type { SettingsView } from "#web/shared/settings-view.js";
import { texts } from "#words/texts.js";

export const noteField = (problem: string): string => `note-${problem}`;
export const noteFields = reasonIds.map(noteField);

/** An answer names the same reason as the point. */
export type ChangeAnswer = Answer & { problem: ReasonId };

export interface Typed {
  note?: string | undefined;
  fixed?: string | string[] | undefined;
  [field: string]: string | string[] | undefined;
}

export const toAnswers = (asked: Decision | undefined, typed: Typed): ChangeAnswer[] =>
  (asked ? problemsOf(asked) : []).map((problem) => ({
    problem,
    isDone: listOf(typed.fixed).includes(problem),
    note: String(typed[noteField(problem)] ?? "")
      .replaceAll("\r\n", "\n")
      .trim(),
  }));

interface Props {
  view: SettingsView;
  asked: Decision;
  problems?: FormProblems | undefined;
  typed: Typed;
}

export const RequestedChanges = ({ view, asked, problems, typed }: Props) => {
  const t = useTexts(texts.projectSettings.moderation);
  const { resubmit, note: noteLabel, noteHint, ownerOnly } = useTexts(texts.projectSettings.checklist);
  const format = useFormat();
  const { now } = useFrame();
  const path = projectPath(view.project.slug);
  const keptUntil = Date.parse(asked.dateDecided) + queuePlaceMs;
  return (
    <section class="card stack" id="checklist">
      <h2>{t.asked}</h2>
      {asked.message && (
        <blockquote class="said-text" dir="auto">
          {asked.message}
        </blockquote>
      )}
      {view.isOwner ? (
        <Form class="form" action={`${path}/submit`}>
          {problemsOf(asked).map((problem) => (
            <Point key={problem} problem={problem} path={path} typed={typed} problems={problems} />
          ))}
          <TextAreaField
            name="note"
            label={noteLabel}
            hint={noteHint}
            rows={3}
            lengths={lengths.threadMessage}
            value={typed.note}
            problems={problems}
          />
          {now < keptUntil && <p class="hint">{t.placeKept(format.dateTime(keptUntil))}</p>}
          <Button>{resubmit}</Button>
        </Form>
      ) : (
        <p class="muted">{ownerOnly}</p>
      )}
    </section>
  );
};

interface PointProps extends Pick<Props, "problems" | "typed"> {
  problem: ReasonId;
  path: string;
}

const Point = ({ problem, path, typed, problems }: PointProps) => {
  const t = useTexts(texts.projectSettings.moderation);
  const field = noteField(problem);
  return (
    <fieldset class="field">
      <legend>{t.reasons[problem]}</legend>
      {places[problem] && (
        <p>
          <a href={`${path}${places[problem]}`}>{t.goThere}</a>
        </p>
      )}
      <label class="check">
        <input type="checkbox" name="fixed" value={problem} checked={listOf(typed.fixed).includes(problem)} />{" "}
        <span>{t.fixed}</span>
      </label>
      <TextAreaField
        name={field}
        label={t.answer}
        rows={2}
        lengths={[0, 512]}
        value={String(typed[field] ?? "")}
        problems={problems}
      />
    </fieldset>
  );
};
