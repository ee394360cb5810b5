// The end of a project: what goes with it, and its address to type.

import { isFresh } from "#accounts/users/policy.js";
import { changeProject } from "#content/projects/change.js";
import { removeProject } from "#content/projects/remove.js";
import { invalid } from "#platform/errors.js";
import { attempt, type FormProblems, formFields } from "#web/context/form.js";
import { useFormat } from "#web/context/frame.js";
import { seeOther } from "#web/context/paths.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { ConfirmForm } from "#web/parts/confirm-form.js";
import { FreshNeeded } from "#web/parts/fresh-needed.js";
import type { SettingsView } from "#web/shared/settings-view.js";
import { texts, textsIn } from "#words/texts.js";
import { PermissionMissing, settingsFormRoute, settingsPageRoute } from "./settings-page.js";

const below = "/settings/delete";

export const deleteProjectRoutes = [
  settingsPageRoute(
    { id: "getDeleteProjectPage", below, summary: "The question whether to delete a project" },
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

interface Props {
  view: SettingsView;
  isFresh: boolean;
  problems?: FormProblems;
}

const DeleteProject = ({ view: { project, versions, permissions }, isFresh: fresh, problems }: Props) => {
  const t = useTexts(texts.projectSettings.general);
  const format = useFormat();
  const path = projectPath(project.slug);
  if (!permissions.has("delete_project")) return <PermissionMissing permission="delete_project" />;
  if (!fresh) return <FreshNeeded next={`${path}${below}`} />;
  return (
    <ConfirmForm
      action={`${path}${below}`}
      button={t.deleteButton}
      back={`${path}/settings`}
      word={project.slug}
      problems={problems}
    >
      <p>{t.deleteLead}</p>
      <ul class="bullet-list">
        <li>{t.versions(versions.length)}</li>
        <li>{t.pictures(project.gallery.length)}</li>
        <li>{t.downloads(format.number(project.downloads))}</li>
        <li>{t.thread}</li>
      </ul>
      <p>{t.dependents}</p>
    </ConfirmForm>
  );
};
