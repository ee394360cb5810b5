// The settings a project begins with: what it is called, what it is, who sees it, its icon, and its end.

import Type, { type Static } from "typebox";
import { changeProject } from "#content/projects/change.js";
import { saveDetails, saveIcon, setIcon } from "#content/projects/edit.js";
import { updateProject } from "#content/projects/edit-contract.js";
import { environments, type Project, visibilities } from "#content/shapes/project.js";
import { fromJson } from "#lib/json.js";
import { lengths } from "#lib/lengths.js";
import type { Row } from "#platform/db/tables.js";
import { invalid } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import { parse } from "#platform/http/validation.js";
import { attempt, type FormProblems, formFields, formLists, listOf } from "#web/context/form.js";
import { useFrame } from "#web/context/frame.js";
import { projectPath } from "#web/context/project-path.js";
import { typeName } from "#web/context/project-types.js";
import { useTexts } from "#web/context/texts.js";
import { Button, ButtonLink } from "#web/parts/button.js";
import { Choices } from "#web/parts/choices.js";
import { ConflictNotice, checkStamp, isStale, StampField, staleField, stampOf } from "#web/parts/conflict.js";
import { Form } from "#web/parts/form.js";
import { FileField, SelectField, TextAreaField } from "#web/parts/input-fields.js";
import { Picture } from "#web/parts/picture.js";
import { ProblemSummary } from "#web/parts/problem-summary.js";
import { iconOf } from "#web/parts/project-card.js";
import { TextField } from "#web/parts/text-field.js";
import { getSettingsView, type SettingsView } from "#web/shared/settings-view.js";
import { texts, textsIn } from "#words/texts.js";
import { backTo, PermissionMissing, type SettingsCall, settingsFormRoute, settingsPageRoute } from "./settings-page.js";

const body = Type.Object({
  ...formFields("name", "slug", "summary", "clientSide", "serverSide", "visibility", "stamp", "next").properties,
  ...formLists("type").properties,
});
type Typed = Static<typeof body>;
type Details = Required<Static<typeof updateProject.body>> & { type: string[] };

type Saved = Pick<Project, "name" | "slug" | "summary" | "type" | "clientSide" | "serverSide" | "visibility">;
const saved = ({ name, slug, summary, type, clientSide, serverSide, visibility }: Saved) => ({
  ...{ name, slug, summary, type: type.join(", "), clientSide, serverSide, visibility },
});

const savedIn = (row: Row<"projects">) =>
  saved({
    ...{ name: row.name, slug: row.slug, summary: row.summary, type: fromJson(row.types) },
    ...{ clientSide: row.client_side, serverSide: row.server_side, visibility: row.visibility },
  });

const below = "/settings";

export const generalRoutes = [
  settingsPageRoute(
    { id: "getProjectSettingsPage", below, summary: "The settings of a project" },
    async (view, { locale }) => ({
      title: textsIn(texts.projectSettings.frame, locale).general,
      content: <General view={view} />,
    }),
  ),

  settingsFormRoute(
    { id: "submitProjectSettings", below, summary: "Save a project's details", body },
    async (view, call, resources) => {
      const typed = call.body;
      let slug = view.project.slug;
      const problems = await attempt(
        async () => {
          const { stamp, next: _next, ...fields } = typed;
          // The whole form comes with a stamp, and no type ticked in it is a mistake; the checklist asks for the sides alone.
          const given = { ...fields, ...((stamp || typed.type) && { type: listOf(typed.type) }) };
          const { type, icon: _icon, ...details } = parse<Details>("body", updateProject.body, given, "body");
          slug = await saveDetails(resources, call, { ...details, types: type }, undefined, (project) =>
            checkStamp(stamp, savedIn(project)),
          );
        },
        { slugTaken: "slug", nameReserved: "slug", nameRetired: "slug", ...staleField },
      );
      if (!problems) return backTo(call.reply, typed.next, `${projectPath(slug)}${below}`);
      const present = isStale(problems) ? await getSettingsView(resources, call.viewer, view.project.id) : view;
      return {
        title: textsIn(texts.projectSettings.frame, call.locale).general,
        status: problems.status,
        content: <General view={present} typed={typed} problems={problems} />,
      };
    },
  ),

  settingsFormRoute(
    {
      id: "submitProjectIcon",
      below: `${below}/icon`,
      summary: "Save or remove a project's icon",
      body: formFields("remove"),
      files: {
        // Twice what is allowed, so that a picture that is a little too large gets an answer on the page.
        icon: { maxBytes: ({ config }) => config.limits.iconBytes * 2, description: "PNG, JPEG, GIF or WebP" },
      },
    },
    async (view, call, resources) => {
      const { icon } = call.files;
      const t = textsIn(texts.projectSettings.general, call.locale);
      const problems = call.body.remove
        ? await attempt(() => removeIcon(call, resources))
        : await attempt(
            async () => {
              if (!icon) throw noPicture(t.noPicture);
              await saveIcon(resources, call, icon.bytes);
            },
            { imageUnusable: "icon", quotaReached: "icon" },
          );
      if (!problems) return backTo(call.reply, undefined, `${projectPath(view.project.slug)}${below}`);
      const title = textsIn(texts.projectSettings.frame, call.locale).general;
      return { title, status: problems.status, content: <General view={view} iconProblems={problems} /> };
    },
  ),
];

const noPicture = (message: string) => invalid({ path: "icon", message });

const removeIcon = (call: SettingsCall, resources: Resources): Promise<void> =>
  changeProject(resources, call, "edit_details", (tx, project) => setIcon(tx, project, null));

interface Props {
  view: SettingsView;
  typed?: Typed;
  problems?: FormProblems;
  iconProblems?: FormProblems;
}

const General = ({ view, typed, problems, iconProblems }: Props) => {
  const t = useTexts(texts.projectSettings.general);
  const { locale } = useFrame();
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
            options={taxonomy.projectTypes.map((type) => ({ value: type, text: typeName(type, locale) }))}
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
