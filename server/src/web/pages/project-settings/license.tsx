// A project's licence: one of the list, or another by name and address.
import type { Static } from "typebox";
import { setLicense } from "#content/projects/attributes.js";
import { changeProject } from "#content/projects/change.js";
import { updateProjectLicense } from "#content/projects/edit-contract.js";
import { lengths } from "#lib/lengths.js";
import { parse } from "#platform/http/validation.js";
import { attempt, type FormProblems, formFields } from "#web/context/form.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { LicenseSelect } from "#web/parts/license-select.js";
import { TextField } from "#web/parts/text-field.js";
import type { SettingsView } from "#web/shared/settings-view.js";
import { texts, textsIn } from "#words/texts.js";
import { SettingsForm } from "./settings-form.js";
import { backTo, settingsFormRoute, settingsPageRoute } from "./settings-page.js";

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
