// A project's licence: one of the list, or another by name and URL.
import type { Static } from "typebox";
import { lengths } from "#lib/lengths.js";
import { type FormProblems, formFields } from "#web/context/form.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { LicenseSelect } from "#web/parts/license-select.js";
import { TextField } from "#web/parts/text-field.js";
import { findNamedLicense } from "#web/shared/named-license.js";
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
  const named = findNamedLicense(taxonomy, view.namedLicense);
  const isOffered = named !== "" && named !== project.licenseId && view.permissions.has("edit_details");
  return (
    <>
      {isOffered && (
        <Form class="notice" action={`${projectPath(project.slug)}${below}`}>
          <strong>{t.found(view.namedLicense ?? "")}</strong>
          <input type="hidden" name="id" value={named} />
          <p class="actions">
            <Button kind="quiet" small>
              {t.use(taxonomy.findLicense(named)?.name ?? named)}
            </Button>
          </p>
        </Form>
      )}
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
    </>
  );
};
