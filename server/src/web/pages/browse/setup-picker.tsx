// The choice of a set-up, stored in a cookie, for guests too.

import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import { useFrame } from "#web/context/frame.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { ChoiceBoxes } from "#web/parts/choices.js";
import { Form } from "#web/parts/form.js";
import { texts } from "#words/texts.js";

export const SetupPicker = ({ taxonomy }: { taxonomy: Taxonomy }) => {
  const t = useTexts(texts.browse.home);
  const { setup, url } = useFrame();
  return (
    <Form class="setup-picker card stack" action="/settings/setup" aria-labelledby="setup-title">
      <h2 id="setup-title">{t.setup}</h2>
      <p class="small muted">{t.setupHint}</p>
      <input type="hidden" name="next" value={url} />
      <Choose
        name="gameVersion"
        label={t.gameVersion}
        chosen={setup.gameVersion}
        options={[["", t.any], ...taxonomy.gameVersions.map(({ value, label }) => [value, label] as const)]}
      />
      {taxonomy.loaders.length > 0 && (
        <fieldset class="setup-loaders">
          <legend>{t.loaders}</legend>
          <ChoiceBoxes
            name="loader"
            chosen={setup.loaders}
            options={taxonomy.loaders.map(({ name }) => ({ value: name, text: taxonomy.loaderLabel(name) }))}
          />
        </fieldset>
      )}
      <Button kind="quiet">{t.use}</Button>
    </Form>
  );
};

interface ChooseProps {
  name: string;
  label: string;
  chosen: string;
  options: readonly (readonly [value: string, text: string])[];
}

const Choose = ({ name, label, chosen, options }: ChooseProps) => (
  <label class="choose">
    <span>{label}</span>
    <select name={name}>
      {options.map(([value, text]) => (
        <option key={value} value={value} selected={value === chosen}>
          {text}
        </option>
      ))}
    </select>
  </label>
);
