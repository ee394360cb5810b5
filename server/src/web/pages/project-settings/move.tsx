// A project goes into an organization, or out of it. Before it does, a table shows who may do what now and afterwards.
import Type from "typebox";
import type { Member } from "#content/members/shapes.js";
import { addProject, removeProject } from "#content/organizations/move-project.js";
import type { Organization } from "#content/organizations/shapes.js";
import { write } from "#platform/changes/write.js";
import { fail, invalid } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import { attempt, type FormProblems, formFields } from "#web/context/form.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { BeforeAfter } from "#web/parts/before-after.js";
import { Button } from "#web/parts/button.js";
import { ConfirmForm } from "#web/parts/confirm-form.js";
import { EmptyState } from "#web/parts/empty-state.js";
import { Form } from "#web/parts/form.js";
import { SelectField } from "#web/parts/input-fields.js";
import { listTargets } from "#web/shared/move-targets.js";
import type { SettingsView } from "#web/shared/settings-view.js";
import { texts, textsIn } from "#words/texts.js";
import { backTo, type SettingsCall, settingsFormRoute, settingsPageRoute } from "./settings-page.js";

const below = "/settings/move";

const pathOf = ({ project }: SettingsView): string => `${projectPath(project.slug)}${below}`;

export const moveRoutes = [
  settingsPageRoute(
    {
      id: "getMoveProjectPage",
      below,
      summary: "The question whether to move a project to an organization",
      query: Type.Object({ org: Type.Optional(Type.String({ maxLength: 64 })) }),
    },
    async (view, call, resources) => shown(view, call, resources, call.query.org),
  ),

  settingsFormRoute(
    {
      id: "submitMoveProject",
      once: true,
      below,
      summary: "Move a project to an organization",
      body: formFields("org", "confirm"),
    },
    async (view, call, resources) => {
      const { org = "", confirm = "" } = call.body;
      const t = textsIn(texts.projectSettings.move, call.locale);
      const { project } = view;
      const problems = await attempt(
        async () => {
          if (confirm.trim() !== project.slug) throw invalid({ path: "confirm", message: t.wrongWord });
          await write(resources, call.actor, (tx) =>
            project.orgId === null
              ? addProject(tx, call.viewer, org, project.id)
              : removeProject(tx, call.viewer, project.orgId, project.id),
          );
        },
        { wrongState: "confirm" },
      );
      if (problems) return shown(view, call, resources, org, problems);
      return backTo(call.reply, undefined, `${projectPath(project.slug)}/settings/members`);
    },
  ),
];

async function shown(
  view: SettingsView,
  { viewer, locale }: SettingsCall,
  resources: Resources,
  chosen: string | undefined,
  problems?: FormProblems,
) {
  if (!view.isOwner) throw fail.ownerOnly();
  const t = textsIn(texts.projectSettings.move, locale);
  const status = problems?.status;
  if (view.project.organisation)
    return { title: t.outTitle, status, content: <TakeOut view={view} problems={problems} /> };
  const orgs = await listTargets(resources, viewer);
  const target = orgs.find(({ slug }) => slug === chosen);
  return { title: t.title, status, content: <Move view={view} orgs={orgs} target={target} problems={problems} /> };
}

interface Props {
  view: SettingsView;
  orgs: readonly Organization[];
  target: Organization | undefined;
  problems: FormProblems | undefined;
}

const Move = ({ view, orgs, target, problems }: Props) => {
  const t = useTexts(texts.projectSettings.move);
  const { project } = view;
  if (orgs.length === 0)
    return (
      <EmptyState title={t.none} action={{ href: "/dashboard/organizations", text: t.found }}>
        <p>{t.noneText}</p>
      </EmptyState>
    );
  return (
    <>
      <p class="lead">{t.lead}</p>
      <Form method="get" class="form card" action={pathOf(view)}>
        <SelectField
          name="org"
          label={t.choose}
          value={target?.slug}
          options={orgs.map(({ slug, name }) => ({ value: slug, text: name }))}
        />
        <Button kind="quiet">{t.show}</Button>
      </Form>
      {target && (
        <>
          <ChangeTable before={project.members} after={target.members} />
          <ConfirmForm
            action={pathOf(view)}
            button={t.button}
            back={`${projectPath(project.slug)}/settings/members`}
            word={project.slug}
            problems={problems}
          >
            <input type="hidden" name="org" value={target.slug} />
          </ConfirmForm>
        </>
      )}
    </>
  );
};

const TakeOut = ({ view, problems }: Pick<Props, "view" | "problems">) => {
  const t = useTexts(texts.projectSettings.move);
  const { project } = view;
  const members = project.organisation?.members ?? [];
  const owner = members.find(({ isOwner }) => isOwner);
  return (
    <>
      <ChangeTable before={[...project.members, ...members]} after={owner ? [owner] : []} />
      <ConfirmForm
        action={pathOf(view)}
        button={t.outButton}
        back={`${projectPath(project.slug)}/settings/members`}
        word={project.slug}
        problems={problems}
      >
        <p>{t.outText(owner?.userName ?? "")}</p>
      </ConfirmForm>
    </>
  );
};

/** Those who are in either, once each; pending ones have no rights. */
const ChangeTable = ({ before, after }: { before: readonly Member[]; after: readonly Member[] }) => {
  const t = useTexts(texts.projectSettings.move);
  const { permissions } = useTexts(texts.projectSettings.frame);
  const accepted = [before, after].map((members) => members.filter((member) => member.accepted));
  const names = [...new Set(accepted.flat().map(({ userName }) => userName))];
  const cell = (members: readonly Member[], name: string): string => {
    const member = members.find(({ userName }) => userName === name);
    if (!member) return t.noMember;
    if (member.isOwner) return t.everything;
    return member.permissions.map((permission) => permissions[permission]).join(", ") || t.nothing;
  };
  return (
    <section class="stack">
      <h2>{t.changes}</h2>
      <BeforeAfter
        head={{ who: t.member, before: t.before, after: t.after }}
        rows={names.map((name) => ({ name, before: cell(accepted[0]!, name), after: cell(accepted[1]!, name) }))}
      />
    </section>
  );
};
