// The notice at the top of every page: its text, level, start and end.
import { type NoticeInput, noticeLevels } from "#operations/administration/site-notice.js";
import type { FormProblems } from "#web/context/form.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { ConflictNotice, isStale, StampField, stampOf } from "#web/parts/conflict.js";
import { Form } from "#web/parts/form.js";
import { FormCard } from "#web/parts/form-card.js";
import { SelectField, TextAreaField } from "#web/parts/input-fields.js";
import { texts } from "#words/texts.js";

export type Typed = Record<keyof NoticeInput, string>;

interface FormProps {
  typed: Typed;
  saved: Typed;
  problems?: FormProblems;
  isUp: boolean;
}

export const NoticeForm = ({ typed, saved, problems, isUp }: FormProps) => {
  const t = useTexts(texts.admin.notices);
  const labels = { text: t.text, level: t.level, from: t.from, until: t.until };
  return (
    <>
      <p class="lead">{t.lead}</p>
      {isStale(problems) && <ConflictNotice saved={saved} typed={typed} labels={labels} />}
      <FormCard
        action="/admin/notices"
        button={t.save}
        labels={labels}
        problems={!isStale(problems) ? problems : undefined}
      >
        <StampField stamp={stampOf(saved)} />
        <TextAreaField
          name="text"
          label={t.text}
          hint={t.textHint}
          value={typed.text}
          problems={problems}
          lengths={[1, 1000]}
          rows={4}
          required
        />
        <SelectField
          name="level"
          label={t.level}
          value={typed.level}
          problems={problems}
          options={noticeLevels.map((level) => ({ value: level, text: t.levels[level] }))}
        />
        {(["from", "until"] as const).map((name) => (
          <div key={name} class="field">
            <label for={name}>{labels[name]}</label>
            <span class="hint" id={`${name}-hint`}>
              {name === "from" ? t.fromHint : t.untilHint}
            </span>
            <input
              type="datetime-local"
              id={name}
              name={name}
              value={typed[name]}
              aria-describedby={`${name}-hint`}
              aria-invalid={problems?.fields[name] ? true : undefined}
            />
            {problems?.fields[name] && (
              <span class="wrong" id={`${name}-wrong`}>
                {problems.fields[name]}
              </span>
            )}
          </div>
        ))}
      </FormCard>
      {isUp && (
        <Form action="/admin/notices/remove">
          <Button kind="danger">{t.remove}</Button>
        </Form>
      )}
    </>
  );
};
