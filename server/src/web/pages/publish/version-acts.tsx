// Withdrawing a version: yank it, restore it, or delete it. Each has a confirmation page.
import type { Version } from "#content/shapes/version.js";
import type { FormProblems } from "#web/context/form.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { ConfirmForm } from "#web/parts/confirm-form.js";
import { Form } from "#web/parts/form.js";
import { CheckboxField, TextAreaField } from "#web/parts/input-fields.js";
import type { SettingsView } from "#web/shared/settings-view.js";
import { texts } from "#words/texts.js";
import { versionPath } from "./edit-version.js";

export interface Subject {
  view: SettingsView;
  version: Version;
}

export interface YankBody {
  reason?: string;
  replacement?: string;
  security?: string;
}

interface YankProps extends Subject {
  typed: YankBody;
  problems: FormProblems | undefined;
}

const longestReason = 256;

export const Yank = ({ view, version, typed, problems }: YankProps) => {
  const t = useTexts(texts.publish.versionActs);
  const back = versionPath(view.project.slug, version);
  const others = view.versions.filter(({ id, yanked }) => id !== version.id && !yanked);
  if (version.yanked)
    return (
      <Form class="form card" action={`${back}/yank`}>
        <p>{t.unyankText}</p>
        <input type="hidden" name="undo" value="yes" />
        <Button>{t.unyank}</Button>
      </Form>
    );
  return (
    <ConfirmForm action={`${back}/yank`} button={t.yank} back={back} problems={problems}>
      <p>{t.yankText}</p>
      <TextAreaField
        name="reason"
        label={t.reason}
        hint={t.reasonHint}
        rows={3}
        lengths={[0, longestReason]}
        value={typed.reason}
        problems={problems}
      />
      {(others.length > 0 || problems?.fields.replacement) && (
        <div class="field">
          <label for="replacement">{t.replacement}</label>
          <span class="hint">{t.replacementHint}</span>
          <select id="replacement" name="replacement">
            <option value="">{t.noReplacement}</option>
            {others.slice(0, 50).map(({ id, own }) => (
              <option key={id} value={id} selected={id === typed.replacement}>
                {own.value.versionNumber}
              </option>
            ))}
          </select>
          {problems?.fields.replacement && <span class="wrong">{problems.fields.replacement}</span>}
        </div>
      )}
      <CheckboxField
        name="security"
        label={t.security}
        hint={t.securityHint}
        checked={typed.security !== undefined}
        problems={problems}
      />
    </ConfirmForm>
  );
};

export const Delete = ({ view, version, problems }: Subject & { problems: FormProblems | undefined }) => {
  const t = useTexts(texts.publish.versionActs);
  const back = versionPath(view.project.slug, version);
  return (
    <ConfirmForm
      action={`${back}/delete`}
      button={t.delete}
      back={back}
      word={version.versionNumber}
      problems={problems}
    >
      <p>{t.deleteText}</p>
      {!version.yanked && (
        <p>
          <a href={`${back}/yank`}>{t.yankInstead}</a>
        </p>
      )}
    </ConfirmForm>
  );
};
