// Keyboard shortcuts: whether single keys are on, and for moderators the key of each action.
import { type DeskAct, deskActs, type Shortcuts } from "#lib/shortcuts.js";
import type { FormProblems } from "#web/context/form.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { CheckboxField } from "#web/parts/input-fields.js";
import { ProblemSummary } from "#web/parts/problem-summary.js";
import { TextField } from "#web/parts/text-field.js";
import { texts } from "#words/texts.js";

export const path = "/settings/shortcuts";

interface Props {
  shortcuts: Shortcuts;
  isStaff: boolean;
  problems?: FormProblems;
}

export const ShortcutForm = ({ shortcuts: { isOn, desk }, isStaff: hasDesk, problems }: Props) => {
  const t = useTexts(texts.account.shortcut);
  const { save } = useTexts(texts.parts.common);
  const acts = useTexts(texts.moderation.key);
  return (
    <>
      {problems && <ProblemSummary problems={problems} labels={acts} />}
      <Form class="form card" action={path}>
        <CheckboxField name="isOn" label={t.isOn} hint={t.isOnHint} checked={isOn} />
        {hasDesk && (
          <fieldset class="stack">
            <legend>{t.desk}</legend>
            <p class="hint">{t.deskHint}</p>
            <div class="desk-filters">
              {deskActs.map((act: DeskAct) => (
                <TextField
                  key={act}
                  name={act}
                  label={acts[act]}
                  value={desk[act]}
                  lengths={[0, 2]}
                  problems={problems}
                />
              ))}
            </div>
          </fieldset>
        )}
        <div class="actions">
          <Button>{save}</Button>
          <Button kind="quiet" name="reset" value="yes" formnovalidate>
            {t.reset}
          </Button>
        </div>
      </Form>
    </>
  );
};
