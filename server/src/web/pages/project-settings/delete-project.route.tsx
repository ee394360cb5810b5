// The routes of the page in delete-project.tsx.
import { isFresh } from "#accounts/users/policy.js";
import { changeProject } from "#content/projects/change.js";
import { removeProject } from "#content/projects/remove.js";
import { invalid } from "#platform/errors.js";
import { attempt, formFields } from "#web/context/form.js";
import { seeOther } from "#web/context/paths.js";
import { texts, textsIn } from "#words/texts.js";
import { below, DeleteProject } from "./delete-project.js";
import { settingsFormRoute, settingsPageRoute } from "./settings-page.js";

export const deleteProjectRoutes = [
  settingsPageRoute(
    { id: "getDeleteProjectPage", below, summary: "Ask for confirmation before a project is deleted" },
    async (view, { locale, viewer }, { clock }) => ({
      title: textsIn(texts.projectSettings.general, locale).deleteTitle,
      content: <DeleteProject view={view} isFresh={isFresh(viewer, clock.now())} />,
    }),
  ),

  settingsFormRoute(
    { id: "submitDeleteProject", once: true, below, summary: "Delete a project", body: formFields("confirm") },
    async (view, call, resources) => {
      const t = textsIn(texts.projectSettings.general, call.locale);
      const fresh = isFresh(call.viewer, resources.clock.now());
      const problems = fresh
        ? await attempt(async () => {
            if (call.body.confirm?.trim() !== view.project.slug)
              throw invalid({ path: "confirm", message: t.wrongWord });
            const { limits } = resources.config;
            await changeProject(resources, call, "delete_project", (tx, project) => removeProject(tx, project, limits));
          })
        : { status: 403, message: t.fresh, fields: {} };
      if (!problems) return seeOther(call.reply, "/dashboard/projects?done=deleted");
      const content = <DeleteProject view={view} isFresh={fresh} problems={problems} />;
      return { title: t.deleteTitle, status: problems.status, content };
    },
  ),
];
