// The list of a project's versions. Development builds are shown on request.
import type { TeamVersion } from "#moderation/quarantine/team-versions.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { EmptyState } from "#web/parts/empty-state.js";
import { Pagination } from "#web/parts/pagination.js";
import type { PageVersion, PageView } from "#web/shared/project-view.js";
import { type Choice, choiceQuery, filterVersions } from "#web/shared/version-filter.js";
import { texts } from "#words/texts.js";
import { HeldVersion } from "./held-version.js";
import { VersionFilterForm } from "./version-filter-form.js";
import { VersionTable } from "./version-rows.js";

export const perPage = 50;

export const pathOf = ({ project }: PageView): string => `${projectPath(project.slug)}/versions`;

interface Props {
  view: PageView;
  /** Quarantined versions, for the team. */
  held: readonly TeamVersion[];
  choice: Choice;
  /** The versions that match the choice. */
  found: readonly PageVersion[];
  page: number;
  pages: number;
  hrefOf(page: number): string;
}

export const Versions = ({ view, held, choice, found, page, pages, hrefOf }: Props) => {
  const t = useTexts(texts.project.version);
  const { tabs } = useTexts(texts.project.page);
  const { project, versions, taxonomy, permissions } = view;
  const path = pathOf(view);
  const upload = permissions.has("upload_version")
    ? { action: { href: `${projectPath(project.slug)}/version/new`, text: t.upload } }
    : {};
  return (
    <>
      <h2 class="visually-hidden">{tabs.versions}</h2>
      {held.map((version) => (
        <HeldVersion key={version.id} projectSlug={project.slug} version={version} />
      ))}
      {versions.length === 0 ? (
        <EmptyState title={held.length > 0 ? t.held.none : t.none} {...upload} />
      ) : (
        <>
          <VersionFilterForm view={view} action={path} choice={choice} />
          <p class="small muted">
            {t.count(found.length)}
            <HiddenBuilds view={view} choice={choice} found={found.length} path={path} before=" · " />
          </p>
          {found.length === 0 ? (
            <EmptyState title={t.noMatch} action={{ href: path, text: t.clear }} />
          ) : (
            <VersionTable
              slug={project.slug}
              versions={found.slice((page - 1) * perPage, page * perPage)}
              taxonomy={taxonomy}
            />
          )}
          <Pagination page={page} pages={pages} hrefOf={hrefOf} />
        </>
      )}
    </>
  );
};

interface HiddenProps {
  view: PageView;
  choice: Choice;
  /** The number of versions that match the choice. */
  found: number;
  path: string;
  /** Separates it from the text in front of it. */
  before?: string;
}

/** The number of development builds that are left out. */
export const HiddenBuilds = ({ view, choice, found, path, before = "" }: HiddenProps) => {
  const t = useTexts(texts.project.version);
  if (choice.channel !== "") return null;
  const hidden = filterVersions(view.versions, { ...choice, channel: "dev" }).length - found;
  if (hidden === 0) return null;
  return (
    <>
      {before}
      {t.devHidden(hidden)} <a href={`${path}${choiceQuery({ ...choice, channel: "dev" })}`}>{t.showDev}</a>
    </>
  );
};
