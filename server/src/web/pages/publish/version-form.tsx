// The form for a new or existing version, with all its fields on one page.

import { channels } from "#content/shapes/version.js";
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import { lengths } from "#lib/lengths.js";
import type { FormProblems } from "#web/context/form.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { ChoiceBoxes, Choices } from "#web/parts/choices.js";
import { EditorField } from "#web/parts/editor-field.js";
import { CheckboxField, SelectField } from "#web/parts/input-fields.js";
import { TextField } from "#web/parts/text-field.js";
import { texts } from "#words/texts.js";
import { Dependencies } from "./dependency-rows.js";
import { familyOf } from "./game-version-range.js";
import type { VersionValues } from "./prefill.js";

interface Props {
  values: VersionValues;
  taxonomy: Taxonomy;
  types: readonly string[];
  /** Empty fields of a new version are read from its file; those of an existing one stay as they are. */
  isNew?: boolean;
  /** The project whose gallery stores pasted pictures. */
  picturesOf?: string | undefined;
  /** Named dependencies that do not exist. */
  unknown?: ReadonlySet<string> | undefined;
  problems?: FormProblems | undefined;
}

export const VersionFields = ({ values, taxonomy, types, isNew = false, picturesOf, unknown, problems }: Props) => {
  const t = useTexts(texts.publish.versionForm);
  const { channels: names } = useTexts(texts.parts.common);
  const loaders = taxonomy.loaders.filter(({ name }) => taxonomy.loadersAllowed(types, [name]).ok);
  return (
    <>
      <div class="side-by-side">
        <TextField
          name="versionNumber"
          label={t.labels.versionNumber}
          hint={isNew ? t.numberHint : undefined}
          value={values.versionNumber}
          lengths={lengths.versionNumber}
          problems={problems}
        />
        <TextField
          name="title"
          label={t.labels.title}
          hint={isNew ? t.titleHint : undefined}
          value={values.title}
          lengths={lengths.versionTitle}
          problems={problems}
        />
      </div>
      <div class="side-by-side">
        <SelectField
          name="releaseChannel"
          label={t.labels.releaseChannel}
          value={values.releaseChannel}
          options={channels.map((channel) => ({ value: channel, text: names[channel] }))}
          problems={problems}
        />
        <CheckboxField name="featured" label={t.labels.featured} hint={t.featuredHint} checked={values.featured} />
      </div>
      {loaders.length > 0 && (
        <Choices
          name="loaders"
          legend={t.labels.loaders}
          options={loaders.map(({ name }) => ({ value: name, text: taxonomy.loaderLabel(name) }))}
          chosen={values.loaders}
          problems={problems}
        />
      )}
      <GameVersions taxonomy={taxonomy} chosen={values.gameVersions} problems={problems} />
      <Dependencies rows={values.dependencies} blankRows={values.blankRows} unknown={unknown} problems={problems} />
      <EditorField
        name="changelog"
        label={t.labels.changelog}
        hint={t.changelogHint}
        value={values.changelog}
        rows={10}
        lengths={lengths.changelog}
        picturesOf={picturesOf}
        problems={problems}
      />
    </>
  );
};

/** Empty on every page that the server sends: the versions themselves are ticked. */
const Range = ({ taxonomy: { gameVersions } }: Pick<Props, "taxonomy">) => {
  const { range: t } = useTexts(texts.publish.versionForm);
  const options = gameVersions.map(({ value, label }) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
  if (gameVersions.length < 2) return null;
  return (
    <fieldset class="version-range" aria-label={t.label} data-range>
      <label class="choose">
        <span>{t.from}</span>
        <select name="gameVersionFrom">
          <option value="">{t.none}</option>
          {options}
        </select>
      </label>
      <label class="choose">
        <span>{t.to}</span>
        <select name="gameVersionTo">
          <option value="">{t.newest}</option>
          {options}
        </select>
      </label>
      <Button kind="quiet" small name="addRange" value="1" formnovalidate>
        {t.tick}
      </Button>
    </fieldset>
  );
};

/** Grouped by series; the newest and those with a ticked version are expanded. */
const GameVersions = ({
  taxonomy,
  chosen,
  problems,
}: Pick<Props, "taxonomy" | "problems"> & { chosen: readonly string[] }) => {
  const t = useTexts(texts.publish.versionForm);
  const series = [...Map.groupBy(taxonomy.gameVersions, ({ value }) => familyOf(value))];
  const wrong = problems?.fields.gameVersions;
  return (
    <fieldset class="field choice-field" id="gameVersions" aria-describedby={wrong ? "gameVersions-wrong" : undefined}>
      <legend>{t.labels.gameVersions}</legend>
      <span class="hint">{t.gameVersionsHint}</span>
      <Range taxonomy={taxonomy} />
      {series.map(([name, versions], at) => {
        const ticked = versions.filter(({ value }) => chosen.includes(value)).length;
        return (
          <details key={name} class="series" open={ticked > 0 || (at === 0 && chosen.length === 0)}>
            <summary>{ticked > 0 ? t.more(name, ticked) : name}</summary>
            {/* Never ticked by the server: without script, it would tick a version again that the author unticked. */}
            {versions.length > 1 && (
              <label class="check" data-family>
                <input type="checkbox" name="gameVersionFamilies" value={name} /> <span>{t.wholeFamily(name)}</span>
              </label>
            )}
            <ChoiceBoxes
              name="gameVersions"
              options={versions.map(({ value, label }) => ({ value, text: label }))}
              chosen={chosen}
            />
          </details>
        );
      })}
      {wrong && (
        <span class="wrong" id="gameVersions-wrong">
          {wrong}
        </span>
      )}
    </fieldset>
  );
};
