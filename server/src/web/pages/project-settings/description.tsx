// A project's description: a text area with the script's editor, and a notice if another user has saved a newer text.
import { lengths } from "#lib/lengths.js";
import type { SafeHtml } from "#platform/markdown/render.js";
import type { FormProblems } from "#web/context/form.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { ConflictNotice, isStale, StampField, stampOf } from "#web/parts/conflict.js";
import { EditorField } from "#web/parts/editor-field.js";
import { Form } from "#web/parts/form.js";
import { Markdown } from "#web/parts/markdown.js";
import { ProblemSummary } from "#web/parts/problem-summary.js";
import type { SettingsView } from "#web/shared/settings-view.js";
import { texts } from "#words/texts.js";
import { PermissionMissing } from "./settings-page.js";

export const below = "/settings/description";

const saved = ({ project }: SettingsView) => ({ description: project.description });

interface Props {
  view: SettingsView;
  typed?: string;
  problems?: FormProblems;
  /** The rendered text, for members who may only read it. */
  shown?: SafeHtml | undefined;
}

export const Description = ({ view, typed, problems, shown }: Props) => {
  const t = useTexts(texts.projectSettings.description);
  const { project, permissions } = view;
  const labels = { description: t.label };
  if (shown !== undefined)
    return (
      <>
        <PermissionMissing permission="edit_description" />
        <Markdown html={shown} />
      </>
    );
  return (
    <>
      {isStale(problems) ? (
        <ConflictNotice saved={saved(view)} typed={{ description: typed }} labels={labels} />
      ) : (
        problems && <ProblemSummary problems={problems} labels={labels} />
      )}
      <Form
        class="form"
        action={`${projectPath(project.slug)}${below}`}
        hasFiles
        data-draft={`description-${project.id}`}
        data-draft-typed={typed === undefined ? undefined : "yes"}
      >
        <StampField stamp={stampOf(saved(view))} />
        <EditorField
          name="description"
          label={t.label}
          hint={t.hint}
          value={typed ?? project.description}
          rows={24}
          lengths={lengths.projectDescription}
          picturesOf={permissions.has("edit_details") ? project.slug : undefined}
          problems={problems}
        />
        <Button>{t.save}</Button>
      </Form>
    </>
  );
};
