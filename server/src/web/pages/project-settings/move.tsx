// Moving a project into or out of an organization. First a table shows the permissions before and after.
import type { Member } from "#content/members/shapes.js";
import type { Organization } from "#content/organizations/shapes.js";
import type { FormProblems } from "#web/context/form.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { BeforeAfter } from "#web/parts/before-after.js";
import { Button } from "#web/parts/button.js";
import { ConfirmForm } from "#web/parts/confirm-form.js";
import { EmptyState } from "#web/parts/empty-state.js";
import { Form } from "#web/parts/form.js";
import { SelectField } from "#web/parts/input-fields.js";
import type { SettingsView } from "#web/shared/settings-view.js";
import { texts } from "#words/texts.js";

export const below = "/settings/move";

const pathOf = ({ project }: SettingsView): string => `${projectPath(project.slug)}${below}`;

interface Props {
  view: SettingsView;
  orgs: readonly Organization[];
  target: Organization | undefined;
  problems: FormProblems | undefined;
}

export const Move = ({ view, orgs, target, problems }: Props) => {
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

export const RemoveFromOrganization = ({ view, problems }: Pick<Props, "view" | "problems">) => {
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

/** The members of both teams, once each; pending ones have no permissions. */
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
