// A project's licence: one of the list, or another by name and address.

import type { Static } from "typebox";
import { setLicense } from "#content/projects/attributes.js";
import { updateProjectLicense } from "#content/projects/edit-contract.js";
import { changeProject } from "#content/projects/locking.js";
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import { lengths } from "#lib/lengths.js";
import { parse } from "#platform/http/validation.js";
import { attempt, type FormProblems, formFields } from "#web/form.js";
import { projectPath } from "#web/parts/project-card.js";
import { TextField } from "#web/parts/text-field.js";
import { useTexts } from "#web/texts.js";
import { texts, textsIn } from "#words/texts.js";
import { SettingsForm } from "./settings-form.js";
import { backTo, settingsFormRoute, settingsPageRoute } from "./settings-page.js";
import type { SettingsView } from "./settings-view.js";

const below = "/settings/license";
const body = formFields("id", "name", "url", "next");
type Typed = Static<typeof body>;

export const licenseRoutes = [
  settingsPageRoute(
    { id: "getLicenseSettingsPage", below, summary: "The form for a project's licence" },
    async (view, { locale }) => ({
      title: textsIn(texts.projectSettings.frame, locale).license,
      content: <License view={view} />,
    }),
  ),

  settingsFormRoute(
    { id: "submitLicense", below, summary: "Save a project's licence", body },
    async (view, call, resources) => {
      const { id = "", name = "", url = "", next } = call.body;
      const problems = await attempt(async () => {
        const given = id.trim() === "" ? { name: name.trim(), url: url.trim() } : { id: id.trim() };
        const input = parse<typeof given>("body", updateProjectLicense.body, { ...given }, "body");
        await changeProject(resources, call, "edit_details", (tx, project) =>
          setLicense(tx, project, view.taxonomy, input),
        );
      });
      if (!problems) return backTo(call.reply, next, `${projectPath(view.project.slug)}${below}`);
      const content = <License view={view} typed={call.body} problems={problems} />;
      return { title: textsIn(texts.projectSettings.frame, call.locale).license, status: problems.status, content };
    },
  ),
];

interface Props {
  view: SettingsView;
  typed?: Typed;
  problems?: FormProblems;
}

const License = ({ view, typed, problems }: Props) => {
  const t = useTexts(texts.projectSettings.license);
  const { project, taxonomy } = view;
  const labels = { id: t.id, name: t.name, url: t.url };
  const isCustom = project.licenseId === "" && project.licenseName !== "";
  return (
    <SettingsForm {...{ view, below, labels, problems }} lead={t.lead} save={t.save}>
      <LicenseSelect taxonomy={taxonomy} value={typed?.id ?? project.licenseId} problems={problems} />
      <fieldset class="form">
        <legend>{t.custom}</legend>
        <p class="hint">{t.customHint}</p>
        <TextField
          name="name"
          label={t.name}
          value={typed?.name ?? (isCustom ? project.licenseName : "")}
          lengths={lengths.licenseName}
          problems={problems}
        />
        <TextField
          name="url"
          label={t.url}
          value={typed?.url ?? (isCustom ? project.licenseUrl : "")}
          lengths={lengths.link}
          problems={problems}
        />
      </fieldset>
    </SettingsForm>
  );
};

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
