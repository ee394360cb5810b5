// The dependencies of a version: any number of rows. Scripts suggest projects (scripts/site/search-box.ts) and their
// versions (scripts/uploads/dependencies.ts); without it, the button sends the form, which comes back with one more row.

import { dependencyTypes } from "#content/shapes/version.js";
import type { FormProblems } from "#web/context/form.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { texts } from "#words/texts.js";
import type { DependencyValue } from "./prefill.js";

interface Props {
  rows: readonly DependencyValue[];
  blankRows: number;
  /** Projects that do not exist: their fields are marked. */
  unknown?: ReadonlySet<string> | undefined;
  problems?: FormProblems | undefined;
}

const blank: DependencyValue = { project: "", version: "", type: "required" };

export const Dependencies = ({ rows, blankRows, unknown, problems }: Props) => {
  const t = useTexts(texts.publish.versionForm);
  const wrong = problems?.fields.dependencies;
  const shown = [...rows, ...Array.from({ length: blankRows }, () => blank)];
  return (
    <fieldset class="field" id="dependencies" aria-describedby={wrong ? "dependencies-wrong" : undefined}>
      <legend>{t.labels.dependencies}</legend>
      <span class="hint">{t.dependenciesHint}</span>
      {shown.map((row, at) => (
        <Row key={at} row={row} number={at + 1} isWrong={unknown?.has(row.project) ?? false} />
      ))}
      {wrong && (
        <span class="wrong" id="dependencies-wrong">
          {wrong}
        </span>
      )}
      <p>
        <Button kind="quiet" small name="addRow" value="1" formnovalidate>
          {t.addRow}
        </Button>
      </p>
      <datalist id="dependency-versions" />
    </fieldset>
  );
};

const Row = ({ row, number, isWrong }: { row: DependencyValue; number: number; isWrong: boolean }) => {
  const t = useTexts(texts.publish.versionForm);
  const { suggestions } = useTexts(texts.frame.shell);
  const shared = { maxlength: 64, autocomplete: "off", autocapitalize: "none", spellcheck: false };
  return (
    <fieldset class="dependency-row" aria-label={t.row(number)}>
      <span class="picker">
        <input
          name="dependencyProject"
          value={row.project}
          placeholder={t.depProject}
          aria-label={t.depProject}
          aria-invalid={isWrong ? true : undefined}
          aria-describedby={isWrong ? "dependencies-wrong" : undefined}
          data-suggests={suggestions}
          data-picks
          {...shared}
        />
      </span>
      <input
        name="dependencyVersion"
        list="dependency-versions"
        value={row.version}
        placeholder={t.depVersion}
        aria-label={t.depVersion}
        {...shared}
      />
      <select name="dependencyType" aria-label={t.depType}>
        {dependencyTypes.map((type) => (
          <option key={type} value={type} selected={type === row.type}>
            {t.depTypes[type]}
          </option>
        ))}
      </select>
    </fieldset>
  );
};
