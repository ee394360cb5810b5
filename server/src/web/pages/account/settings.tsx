// The first settings page: theme, density, language and set-up, for guests too. They are stored in cookies
// (preferences.route.ts).
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import { useFrame } from "#web/context/frame.js";
import { signInPath } from "#web/context/paths.js";
import { densities } from "#web/context/preferences.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { Choices } from "#web/parts/choices.js";
import { Form } from "#web/parts/form.js";
import { SelectField } from "#web/parts/input-fields.js";
import { languages, locales } from "#words/languages.js";
import { texts } from "#words/texts.js";

const back = "/settings?done=saved";

export const Display = ({ taxonomy }: { taxonomy: Taxonomy }) => {
  const { theme, density, locale, setup, viewer } = useFrame();
  const t = useTexts(texts.account.settings);
  const shell = useTexts(texts.frame.shell);
  const common = useTexts(texts.parts.common);
  const any = { value: "", text: t.any };
  return (
    <>
      <section class="stack">
        <h2>{t.display}</h2>
        <Form class="form card" action="/settings/display">
          <p class="muted">{t.displayLead}</p>
          <input type="hidden" name="next" value={back} />
          <SelectField
            name="theme"
            label={t.theme}
            value={theme ?? "auto"}
            options={(["auto", "light", "dark"] as const).map((value) => ({ value, text: shell.themes[value] }))}
          />
          <SelectField
            name="density"
            label={shell.density}
            value={density}
            options={densities.map((value) => ({ value, text: shell.densities[value] }))}
          />
          <SelectField
            name="lang"
            label={t.language}
            value={locale}
            options={locales.map((value) => ({ value, text: languages[value].name }))}
          />
          <Button>{common.save}</Button>
        </Form>
      </section>
      <section class="stack" id="setup">
        <h2>{t.setup}</h2>
        <Form class="form card" action="/settings/setup">
          <p class="muted">{t.setupLead}</p>
          <input type="hidden" name="next" value={back} />
          <SelectField
            name="gameVersion"
            label={t.gameVersion}
            value={setup.gameVersion}
            options={[any, ...taxonomy.gameVersions.map(({ value, label }) => ({ value, text: label }))]}
          />
          <Choices
            name="loader"
            legend={t.loaders}
            hint={t.loadersHint}
            chosen={setup.loaders}
            options={taxonomy.loaders.map(({ name }) => ({ value: name, text: taxonomy.loaderLabel(name) }))}
          />
          <Button>{common.save}</Button>
        </Form>
      </section>
      {viewer.kind === "anonymous" && (
        <p class="muted">
          <a href={signInPath("/settings")}>{t.guest}</a>
        </p>
      )}
    </>
  );
};
