// A project's description: a text area with everything a script can add, and what another has saved in the meantime.
import type { Static } from "typebox";
import { setDescription } from "#content/projects/attributes.js";
import { changeProject } from "#content/projects/change.js";
import { updateProjectDescription } from "#content/projects/edit-contract.js";
import { lengths } from "#lib/lengths.js";
import { parse } from "#platform/http/validation.js";
import { attempt, type FormProblems, formFields, withPlainLines } from "#web/context/form.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { renderMarkdown, type SafeHtml } from "#web/markdown/render.js";
import { Button } from "#web/parts/button.js";
import { ConflictNotice, checkStamp, isStale, StampField, staleField, stampOf } from "#web/parts/conflict.js";
import { EditorField } from "#web/parts/editor-field.js";
import { Form } from "#web/parts/form.js";
import { Markdown } from "#web/parts/markdown.js";
import { ProblemSummary } from "#web/parts/problem-summary.js";
import { getSettingsView, type SettingsView } from "#web/shared/settings-view.js";
import { texts, textsIn } from "#words/texts.js";
import { backTo, PermissionMissing, settingsFormRoute, settingsPageRoute } from "./settings-page.js";

const below = "/settings/description";

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
    // As multipart: in the other form, three bytes for each letter of many scripts would become nine.
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

const saved = ({ project }: SettingsView) => ({ description: project.description });

interface Props {
  view: SettingsView;
  typed?: string;
  problems?: FormProblems;
  /** For those who may only read it. */
  shown?: SafeHtml | undefined;
}

const Description = ({ view, typed, problems, shown }: Props) => {
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
