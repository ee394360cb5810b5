// The user's projects as a list with checkboxes, and the form that changes the ticked ones.

import type { ProjectListItem } from "#content/shapes/project.js";
import type { VersionEntry } from "#content/versions/entries.js";
import { lengths } from "#lib/lengths.js";
import { type FormProblems, listOf } from "#web/context/form.js";
import { useFormat } from "#web/context/frame.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { Button, ButtonLink } from "#web/parts/button.js";
import { EmptyState } from "#web/parts/empty-state.js";
import { Form } from "#web/parts/form.js";
import { SelectField } from "#web/parts/input-fields.js";
import { Notice } from "#web/parts/notice.js";
import { Picture } from "#web/parts/picture.js";
import { ProblemSummary } from "#web/parts/problem-summary.js";
import { iconOf } from "#web/parts/project-card.js";
import { TextField } from "#web/parts/text-field.js";
import { Time } from "#web/parts/time.js";
import { texts } from "#words/texts.js";

export const linkNames = ["issueTracker", "sourceCode", "wikiPage", "discordServer"] as const;

export type BulkTyped = Partial<Record<(typeof linkNames)[number] | "visibility", string>> & {
  project?: string | string[];
  clear?: string | string[];
};

export interface OwnProject {
  project: ProjectListItem;
  canEdit: boolean;
  /** Moderators sent it back. */
  needsChanges: boolean;
  lastVersion: VersionEntry | undefined;
}

interface Props {
  projects: readonly OwnProject[];
  typed?: BulkTyped;
  problems?: FormProblems | undefined;
  isNoneChosen?: boolean;
  failed?: readonly { name: string; message: string }[];
}

export const OwnProjects = ({ projects, typed, problems, isNoneChosen = false, failed = [] }: Props) => {
  const t = useTexts(texts.dashboard.overview);
  const words = useTexts(texts.dashboard.ownProject);
  if (projects.length === 0)
    return (
      <EmptyState title={t.noProjects} action={{ href: "/new", text: t.newProject }}>
        <p>{t.noProjectsText}</p>
      </EmptyState>
    );
  const canBulk = projects.some(({ canEdit }) => canEdit);
  const chosen = new Set(listOf(typed?.project));
  return (
    <>
      <p>
        <ButtonLink href="/new">{t.newProject}</ButtonLink>
      </p>
      {problems && <ProblemSummary problems={problems} labels={{ ...words.links, visibility: t.visibility }} />}
      {isNoneChosen && <Notice kind="problem" title={words.bulkNone} />}
      {failed.length > 0 && (
        <Notice kind="problem" title={words.bulkFailed}>
          <ul>
            {failed.map(({ name, message }) => (
              <li key={name} dir="auto">
                {name}: {message}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <Form class="stack" action="/dashboard/projects">
        <ul class="rows">
          {projects.map((own) => (
            <ProjectRow key={own.project.id} own={own} isChosen={chosen.has(own.project.id)} />
          ))}
        </ul>
        {canBulk && <BulkFields typed={typed} problems={problems} isOpen={typed !== undefined} />}
      </Form>
    </>
  );
};

const ProjectRow = ({ own, isChosen }: { own: OwnProject; isChosen: boolean }) => {
  const { project, canEdit, needsChanges, lastVersion } = own;
  const t = useTexts(texts.dashboard.overview);
  const words = useTexts(texts.dashboard.ownProject);
  const common = useTexts(texts.parts.common);
  const format = useFormat();
  const { id, name, slug, status, visibility, downloads, dateUpdated } = project;
  return (
    <li class="card row">
      {canEdit && (
        <input type="checkbox" name="project" value={id} checked={isChosen} aria-label={`${words.choose}: ${name}`} />
      )}
      <Picture src={iconOf(project)} size={40} />
      <div class="grow stack">
        <h2>
          <a href={projectPath(slug)} dir="auto">
            {name}
          </a>{" "}
          <span class={status === "approved" ? "pill release" : "pill beta"}>
            {needsChanges ? t.needsChanges : t.statuses[status]}
          </span>
        </h2>
        <p class="muted small">
          {t.visibilities[visibility]} · {lastVersion ? words.lastVersion(lastVersion.versionNumber) : words.noVersion}{" "}
          · <span class="nowrap">{common.downloads(format.count(downloads))}</span> ·{" "}
          <span class="nowrap">
            {t.updated} <Time at={dateUpdated} />
          </span>
        </p>
      </div>
      <ButtonLink kind="quiet" small href={`${projectPath(slug)}/settings`} aria-label={`${t.settings}: ${name}`}>
        {t.settings}
      </ButtonLink>
    </li>
  );
};

const BulkFields = ({ typed, problems, isOpen }: Pick<Props, "typed" | "problems"> & { isOpen: boolean }) => {
  const t = useTexts(texts.dashboard.overview);
  const words = useTexts(texts.dashboard.ownProject);
  const cleared = listOf(typed?.clear);
  const visibilities = ["listed", "unlisted", "private", "archived"] as const;
  return (
    <details class="card" open={isOpen}>
      <summary>{words.bulk}</summary>
      <div class="form">
        <p class="muted">{words.bulkLead}</p>
        <SelectField
          name="visibility"
          label={t.visibility}
          value={typed?.visibility ?? ""}
          options={[
            { value: "", text: words.asItIs },
            ...visibilities.map((value) => ({ value, text: t.visibilities[value] })),
          ]}
          problems={problems}
        />
        {linkNames.map((name) => (
          <div key={name} class="stack">
            <TextField
              name={name}
              label={words.links[name]}
              value={typed?.[name]}
              lengths={lengths.link}
              problems={problems}
            />
            <label class="check small">
              <input type="checkbox" name="clear" value={name} checked={cleared.includes(name)} />{" "}
              {words.clearLink(words.links[name])}
            </label>
          </div>
        ))}
        <Button>{words.bulkSave}</Button>
      </div>
    </details>
  );
};
