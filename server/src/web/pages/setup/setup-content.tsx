// The last step of the first run: the project types, from one of several templates or a file.
import { presetNames } from "#content/taxonomy/presets.js";
import type { FormProblems } from "#web/context/form.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { FileField } from "#web/parts/input-fields.js";
import { Notice } from "#web/parts/notice.js";
import { ProblemSummary } from "#web/parts/problem-summary.js";
import { texts } from "#words/texts.js";

export interface State {
  preset?: string | undefined;
  problems?: FormProblems;
}

export const ContentForm = ({ remark, preset = "included", problems }: State & { remark: string | undefined }) => {
  const t = useTexts(texts.setup.steps);
  return (
    <>
      {problems && <ProblemSummary problems={problems} labels={{ file: t.file }} />}
      <Form class="form card" action="/setup/content" hasFiles>
        {remark ? (
          <Notice title={remark} />
        ) : (
          <>
            <fieldset class="picks">
              <legend>{t.preset}</legend>
              {([...presetNames, "file"] as const).map((name) => (
                <label key={name} class="pick-row">
                  <input type="radio" name="preset" value={name} checked={preset === name} />
                  <strong>{t.presets[name]}</strong>
                </label>
              ))}
            </fieldset>
            <FileField name="file" label={t.file} hint={t.fileHint} accept=".yaml,.yml,.json" problems={problems} />
          </>
        )}
        <Button>{t.finish}</Button>
      </Form>
    </>
  );
};
