// The general settings of a project: name, type, visibility, icon, and deletion.
import Type, { type Static } from "typebox";
import { changeProject } from "#content/projects/change.js";
import { setIcon } from "#content/projects/edit.js";
import { environments, type Project, visibilities } from "#content/shapes/project.js";
import { lengths } from "#lib/lengths.js";
import type { Resources } from "#platform/http/resources.js";
import { type FormProblems, formFields, formLists, listOf } from "#web/context/form.js";
import { projectPath } from "#web/context/project-path.js";
import { useTypes } from "#web/context/project-types.js";
import { useTexts } from "#web/context/texts.js";
import { Button, ButtonLink } from "#web/parts/button.js";
import { Choices } from "#web/parts/choices.js";
import { ConflictNotice, isStale, StampField, stampOf } from "#web/parts/conflict.js";
import { Form } from "#web/parts/form.js";
import { FileField, SelectField, TextAreaField } from "#web/parts/input-fields.js";
import { Picture } from "#web/parts/picture.js";
import { ProblemSummary } from "#web/parts/problem-summary.js";
import { iconOf } from "#web/parts/project-card.js";
import { TextField } from "#web/parts/text-field.js";
import type { SettingsView } from "#web/shared/settings-view.js";
import { texts } from "#words/texts.js";
import { PermissionMissing, type SettingsCall } from "./settings-page.js";

export const body = Type.Object({
  ...formFields("name", "slug", "summary", "clientSide", "serverSide", "visibility", "stamp", "next").properties,
  ...formLists("type").properties,
});

type Typed = Static<typeof body>;

type Saved = Pick<Project, "name" | "slug" | "summary" | "type" | "clientSide" | "serverSide" | "visibility">;

export const saved = ({ name, slug, summary, type, clientSide, serverSide, visibility }: Saved) => ({
  ...{ name, slug, summary, type: type.join(", "), clientSide, serverSide, visibility },
});

export const below = "/settings";

export const removeIcon = (call: SettingsCall, resources: Resources): Promise<void> =>
  changeProject(resources, call, "edit_details", (tx, project) => setIcon(tx, project, null));

interface Props {
  view: SettingsView;
  typed?: Typed;
  problems?: FormProblems;
  iconProblems?: FormProblems;
}

export const General = ({ view, typed, problems, iconProblems }: Props) => {
  const t = useTexts(texts.projectSettings.general);
  const { typeName } = useTypes();
  const { project, taxonomy, permissions } = view;
  const path = `${projectPath(project.slug)}${below}`;
  const now = saved(project);
  const value = (name: keyof typeof now): string => (typed?.[name as "name"] ?? now[name]) as string;
  const types = typed ? listOf(typed.type) : project.type;
  const canEdit = permissions.has("edit_details");
  const sides = taxonomy.environmentFor(project.type, { clientSide: "unknown", serverSide: "unknown" });
  const side = (name: "clientSide" | "serverSide") => (
    <SelectField
      name={name}
      label={t.labels[name]}
      hint={sides[name] === "unknown" ? undefined : t.sideFixed}
      value={value(name)}
      options={environments.map((one) => ({ value: one, text: t.environments[one] }))}
      problems={problems}
    />
  );
  return (
    <>
      {!canEdit && <PermissionMissing permission="edit_details" />}
      {isStale(problems) ? (
        <ConflictNotice saved={now} typed={{ ...typed, type: types.join(", ") }} labels={t.labels} />
      ) : (
        problems && <ProblemSummary problems={problems} labels={t.labels} />
      )}
      <Form class="form card" action={path}>
        <StampField stamp={stampOf(now)} />
        <fieldset class="form" disabled={!canEdit}>
          <TextField
            name="name"
            label={t.labels.name}
            value={value("name")}
            required
            lengths={lengths.projectName}
            problems={problems}
          />
          <TextField
            name="slug"
            label={t.labels.slug}
            hint={t.slugHint}
            value={value("slug")}
            required
            lengths={lengths.slug}
            problems={problems}
          />
          <TextAreaField
            name="summary"
            label={t.labels.summary}
            hint={t.summaryHint}
            rows={2}
            required
            lengths={lengths.projectSummary}
            value={value("summary")}
            problems={problems}
          />
          <Choices
            name="type"
            legend={t.labels.type}
            hint={t.typeHint}
            options={taxonomy.projectTypes.map((type) => ({ value: type, text: typeName(type) }))}
            chosen={types}
            problems={problems}
          />
          <div class="side-by-side">
            {side("clientSide")}
            {side("serverSide")}
          </div>
          <SelectField
            name="visibility"
            label={t.labels.visibility}
            value={value("visibility")}
            options={visibilities.map((one) => ({ value: one, text: t.visibilities[one] }))}
            problems={problems}
          />
        </fieldset>
        {canEdit && <Button>{t.save}</Button>}
      </Form>
      <IconForm view={view} problems={iconProblems} />
      <DangerZone view={view} />
    </>
  );
};

const IconForm = ({ view: { project, permissions }, problems }: { view: SettingsView; problems?: FormProblems }) => {
  const t = useTexts(texts.projectSettings.general);
  if (!permissions.has("edit_details")) return null;
  return (
    <Form class="form card" action={`${projectPath(project.slug)}${below}/icon`} hasFiles>
      <h2>{t.labels.icon}</h2>
      <div class="row">
        <Picture src={iconOf(project)} size={96} />
        <FileField
          name="icon"
          label={t.chooseIcon}
          hint={t.iconHint}
          accept="image/png,image/jpeg,image/gif,image/webp"
          problems={problems}
        />
      </div>
      <div class="actions">
        <Button>{t.saveIcon}</Button>
        {project.icon !== null && (
          <Button kind="quiet" name="remove" value="yes">
            {t.removeIcon}
          </Button>
        )}
      </div>
    </Form>
  );
};

const DangerZone = ({ view: { project, permissions } }: { view: SettingsView }) => {
  const t = useTexts(texts.projectSettings.general);
  if (!permissions.has("delete_project")) return null;
  return (
    <section class="card stack danger-zone">
      <h2>{t.danger}</h2>
      <p>{t.dangerText}</p>
      <p>
        <ButtonLink kind="danger" href={`${projectPath(project.slug)}${below}/delete`}>
          {t.delete}
        </ButtonLink>
      </p>
    </section>
  );
};
