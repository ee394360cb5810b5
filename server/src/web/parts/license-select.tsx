// The choice of a licence.
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import type { FormProblems } from "#web/context/form.js";
import { useTexts } from "#web/context/texts.js";
import { texts } from "#words/texts.js";

interface SelectProps {
  taxonomy: Taxonomy;
  value: string;
  /** Only those that are often chosen, and none for the moment. */
  isAlone?: boolean;
  problems?: FormProblems | undefined;
}

/** Its list is long: browsers find an entry by its first letters. */
export const LicenseSelect = ({ taxonomy, value, isAlone = false, problems }: SelectProps) => {
  const t = useTexts(texts.projectSettings.license);
  const wrong = problems?.fields.id;
  const options = (licenses: Taxonomy["licenses"]) =>
    licenses.map(({ licenseId, name }) => (
      <option key={licenseId} value={licenseId} selected={licenseId === value}>
        {`${name} (${licenseId})`}
      </option>
    ));
  const common = new Set(taxonomy.featuredLicenses.map(({ licenseId }) => licenseId));
  return (
    <div class="field">
      <label for="id">{t.id}</label>
      <select
        id="id"
        name="id"
        required={isAlone}
        aria-invalid={wrong ? true : undefined}
        aria-describedby={wrong ? "id-wrong" : undefined}
      >
        <option value="">{isAlone ? t.none : t.other}</option>
        {isAlone ? (
          options(taxonomy.featuredLicenses)
        ) : (
          <>
            <optgroup label={t.common}>{options(taxonomy.featuredLicenses)}</optgroup>
            <optgroup label={t.all}>
              {options(taxonomy.licenses.filter(({ licenseId }) => !common.has(licenseId)))}
            </optgroup>
          </>
        )}
      </select>
      {wrong && (
        <span class="wrong" id="id-wrong">
          {wrong}
        </span>
      )}
    </div>
  );
};
