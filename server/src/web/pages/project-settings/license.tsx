// A project's licence: one of the list, or another by name and URL.
import type { Static } from "typebox";
import { lengths } from "#lib/lengths.js";
import { type FormProblems, formFields } from "#web/context/form.js";
import { useTexts } from "#web/context/texts.js";
import { LicenseSelect } from "#web/parts/license-select.js";
import { TextField } from "#web/parts/text-field.js";
import type { SettingsView } from "#web/shared/settings-view.js";
import { texts } from "#words/texts.js";
import { SettingsForm } from "./settings-form.js";

export const below = "/settings/license";

export const body = formFields("id", "name", "url", "next");

type Typed = Static<typeof body>;

interface Props {
  view: SettingsView;
  typed?: Typed;
  problems?: FormProblems;
}

export const License = ({ view, typed, problems }: Props) => {
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
