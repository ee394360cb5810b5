// The routes of the page in description.tsx.
import type { Static } from "typebox";
import { setDescription } from "#content/projects/attributes.js";
import { changeProject } from "#content/projects/change.js";
import { updateProjectDescription } from "#content/projects/edit-contract.js";
import { parse } from "#platform/http/validation.js";
import { renderMarkdown } from "#platform/markdown/render.js";
import { attempt, formFields, withPlainLines } from "#web/context/form.js";
import { projectPath } from "#web/context/project-path.js";
import { checkStamp, isStale, staleField } from "#web/parts/conflict.js";
import { getSettingsView } from "#web/shared/settings-view.js";
import { texts, textsIn } from "#words/texts.js";
import { below, Description } from "./description.js";
import { backTo, settingsFormRoute, settingsPageRoute } from "./settings-page.js";

const body = formFields("description", "stamp", "next");

export const descriptionRoutes = [
  settingsPageRoute(
    { id: "getDescriptionSettingsPage", below, summary: "The form for a project's description" },
    async (view, { locale }, { config }) => ({
      title: textsIn(texts.projectSettings.frame, locale).description,
      scripts: ["editor"],
      content: (
        <Description
          view={view}
          shown={
            view.permissions.has("edit_description")
              ? undefined
              : await renderMarkdown(view.project.description, config.http)
          }
        />
      ),
    }),
  ),

  settingsFormRoute(
    // As multipart: URL encoding needs nine bytes for a character of three bytes.
    { id: "submitDescription", below, summary: "Save a project's description", body, files: {} },
    async (view, call, resources) => {
      const description = withPlainLines(call.body.description);
      const title = textsIn(texts.projectSettings.frame, call.locale).description;
      const { stamp, next } = call.body;
      const problems = await attempt(async () => {
        const input = parse<Input>("body", updateProjectDescription.body, { description }, "body");
        await changeProject(resources, call, "edit_description", async (tx, project) => {
          checkStamp(stamp, { description: project.description });
          await setDescription(tx, project.id, input.description ?? "");
        });
      }, staleField);
      if (!problems) return backTo(call.reply, next, `${projectPath(view.project.slug)}${below}`);
      const present = isStale(problems) ? await getSettingsView(resources, call.viewer, view.project.id) : view;
      return {
        title,
        status: problems.status,
        scripts: ["editor"] as const,
        content: <Description view={present} typed={description} problems={problems} />,
      };
    },
  ),
];

type Input = Static<typeof updateProjectDescription.body>;
