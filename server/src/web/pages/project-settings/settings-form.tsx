// The form of a settings page: introduction, missing permission, problems, fields and one button.
import type { Children } from "#lib/jsx-runtime.js";
import type { FormProblems } from "#web/context/form.js";
import { projectPath } from "#web/context/project-path.js";
import { Button } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { ProblemSummary } from "#web/parts/problem-summary.js";
import type { SettingsView } from "#web/shared/settings-view.js";
import { PermissionMissing } from "./settings-page.js";

interface Props {
  view: SettingsView;
  /** The path after the project. */
  below: string;
  lead: string;
  save: string;
  /** The labels of the fields, in the order of the form. */
  labels: Record<string, string>;
  problems?: FormProblems | undefined;
  children: Children;
}

export const SettingsForm = ({
  view: { project, permissions },
  below,
  lead,
  save,
  labels,
  problems,
  children,
}: Props) => {
  const canEdit = permissions.has("edit_details");
  return (
    <>
      <p class="lead">{lead}</p>
      {!canEdit && <PermissionMissing permission="edit_details" />}
      {problems && <ProblemSummary problems={problems} labels={labels} />}
      <Form class="form card" action={`${projectPath(project.slug)}${below}`}>
        <fieldset class="form" disabled={!canEdit}>
          {children}
        </fieldset>
        {canEdit && <Button>{save}</Button>}
      </Form>
    </>
  );
};
