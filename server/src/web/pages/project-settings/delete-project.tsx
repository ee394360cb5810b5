// Deleting a project: the effects, and its slug to type.
import type { FormProblems } from "#web/context/form.js";
import { useFormat } from "#web/context/frame.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { ConfirmForm } from "#web/parts/confirm-form.js";
import { FreshNeeded } from "#web/parts/fresh-needed.js";
import type { SettingsView } from "#web/shared/settings-view.js";
import { texts } from "#words/texts.js";
import { PermissionMissing } from "./settings-page.js";

export const below = "/settings/delete";

interface Props {
  view: SettingsView;
  isFresh: boolean;
  problems?: FormProblems;
}

export const DeleteProject = ({ view: { project, versions, permissions }, isFresh: fresh, problems }: Props) => {
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
