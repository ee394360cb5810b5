// The field for a license.
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import type { FormProblems } from "#web/context/form.js";
import { useTexts } from "#web/context/texts.js";
import { texts } from "#words/texts.js";

interface SelectProps {
  taxonomy: Taxonomy;
  name?: string;
  value: string;
  /** Offers only the usual licenses: there are no other fields. */
  isShort?: boolean;
  isRequired?: boolean;
  hint?: string | undefined;
  problems?: FormProblems | undefined;
}

/** The whole list is long, so the usual licenses come first; browsers find an entry by its first letters. */
export const LicenseSelect = (props: SelectProps) => {
  const { taxonomy, name = "id", value, isShort = false, isRequired = false, hint, problems } = props;
  const t = useTexts(texts.projectSettings.license);
  const wrong = problems?.fields[name];
  const options = (licenses: Taxonomy["licenses"]) =>
    licenses.map(({ licenseId, name: label }) => (
      <option key={licenseId} value={licenseId} selected={licenseId === value}>
        {`${label} (${licenseId})`}
      </option>
    ));
  const usual = new Set([...taxonomy.ownLicenses, ...taxonomy.featuredLicenses]);
  const others = taxonomy.licenses.filter((license) => !usual.has(license));
  const described = [hint && `${name}-hint`, wrong && `${name}-wrong`].filter(Boolean).join(" ");
  return (
    <div class="field">
      <label for={name}>{t.id}</label>
      {hint && (
        <span class="hint" id={`${name}-hint`}>
          {hint}
        </span>
      )}
      <select
        id={name}
        name={name}
        required={isRequired}
        aria-invalid={wrong ? true : undefined}
        aria-describedby={described || undefined}
      >
        <option value="">{isRequired ? t.none : isShort ? t.later : t.other}</option>
        {isShort ? (
          options([...others.filter(({ licenseId }) => licenseId === value), ...usual])
        ) : (
          <>
            <optgroup label={t.common}>{options([...usual])}</optgroup>
            <optgroup label={t.all}>{options(others)}</optgroup>
          </>
        )}
      </select>
      {wrong && (
        <span class="wrong" id={`${name}-wrong`}>
          {wrong}
        </span>
      )}
    </div>
  );
};
