// The routes of the page in license.tsx.
import { setLicense } from "#content/projects/attributes.js";
import { changeProject } from "#content/projects/change.js";
import { updateProjectLicense } from "#content/projects/edit-contract.js";
import { parse } from "#platform/http/validation.js";
import { attempt } from "#web/context/form.js";
import { projectPath } from "#web/context/project-path.js";
import { texts, textsIn } from "#words/texts.js";
import { below, body, License } from "./license.js";
import { backTo, settingsFormRoute, settingsPageRoute } from "./settings-page.js";

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
