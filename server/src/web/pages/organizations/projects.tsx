// The views of the projects page in an organization's settings, and of the page that moves a project in.

import type { Member } from "#content/members/shapes.js";
import type { OwnedProject } from "#content/projects/read.js";
import type { Project, ProjectListItem } from "#content/shapes/project.js";
import type { FormProblems } from "#web/context/form.js";
import { useFormat } from "#web/context/frame.js";
import { useTexts } from "#web/context/texts.js";
import { BeforeAfter } from "#web/parts/before-after.js";
import { Button, ButtonLink } from "#web/parts/button.js";
import { ConfirmForm } from "#web/parts/confirm-form.js";
import { EmptyState } from "#web/parts/empty-state.js";
import { Form } from "#web/parts/form.js";
import { SelectField } from "#web/parts/input-fields.js";
import { ProjectRoll } from "#web/parts/project-roll.js";
import { texts } from "#words/texts.js";
import { type Managed, Missing, OrgFrame } from "./settings-frame.js";

interface Props {
  managed: Managed;
  projects: readonly ProjectListItem[];
  /** The visitor's own projects that could move in. */
  own: readonly OwnedProject[];
}

export const OrgProjects = ({ managed, projects, own }: Props) => {
  const t = useTexts(texts.organizations.settings);
  const { path, rights } = managed;
  return (
    <OrgFrame managed={managed} section="projects">
      <p class="muted">{t.projectsLead}</p>
      {projects.length === 0 ? (
        <EmptyState title={t.noProjects} />
      ) : (
        <ProjectRoll
          projects={projects}
          act={({ slug, name }) =>
            rights.permissions.has("remove_project") && (
              <ButtonLink kind="quiet" small href={`${path}/projects/${slug}/remove`} aria-label={`${t.take}: ${name}`}>
                {t.take}
              </ButtonLink>
            )
          }
        />
      )}
      <section class="stack">
        <h2>{t.addProject}</h2>
        {rights.permissions.has("add_project") ? (
          <Choice path={path} own={own} />
        ) : (
          <Missing managed={managed} permission="add_project" />
        )}
      </section>
    </OrgFrame>
  );
};

const Choice = ({ path, own }: { path: string; own: readonly OwnedProject[] }) => {
  const t = useTexts(texts.organizations.settings);
  if (own.length === 0)
    return (
      <p>
        {t.noOwn} <a href="/new">{t.publish}</a>
      </p>
    );
  return (
    <Form class="form card" method="get" action={`${path}/projects/add`}>
      <SelectField
        name="project"
        label={t.choose}
        options={own.map(({ slug, name }) => ({ value: slug, text: `${name} (${slug})` }))}
      />
      <Button>{t.next}</Button>
    </Form>
  );
};

interface MoveProps {
  managed: Managed;
  project: Project;
  /** The project's own team, which is dissolved. */
  team: readonly Member[];
  problems?: FormProblems | undefined;
}

export const MoveForm = ({ managed: { org, path }, project, team, problems }: MoveProps) => {
  const t = useTexts(texts.organizations.settings);
  const names = [...new Set([...team, ...org.members].map(({ userName }) => userName))];
  const find = (members: readonly Member[], name: string) => members.find(({ userName }) => userName === name);
  return (
    <div class="stack narrow">
      <h1 dir="auto">{t.moveTitle(project.name, org.name)}</h1>
      <p class="lead">{t.moveLead}</p>
      <BeforeAfter
        head={{ who: t.who, before: t.before, after: t.after }}
        rows={names.map((name) => ({
          name,
          before: <May member={find(team, name)} />,
          after: <May member={find(org.members, name)} />,
        }))}
      />
      <ConfirmForm
        action={`${path}/projects/add`}
        button={t.move}
        back={`${path}/projects`}
        word={project.slug}
        problems={problems}
      >
        <input type="hidden" name="project" value={project.slug} />
      </ConfirmForm>
    </div>
  );
};

const May = ({ member }: { member: Member | undefined }) => {
  const t = useTexts(texts.organizations.settings);
  const { project } = useTexts(texts.organizations.permissions);
  const format = useFormat();
  if (!member) return <>{t.nothing}</>;
  if (member.isOwner) return <>{t.everything}</>;
  if (!member.accepted) return <>{t.invitedOnly}</>;
  if (member.permissions.length === 0) return <>{t.nothing}</>;
  return <>{format.list(member.permissions.map((name) => project[name]))}</>;
};
