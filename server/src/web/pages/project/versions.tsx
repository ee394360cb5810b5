// The list of a project's versions. Development builds are shown to those who ask for them.

import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { EmptyState } from "#web/parts/empty-state.js";
import { Pagination, pageLinks } from "#web/parts/pagination.js";
import { PastTheEnd } from "#web/parts/past-the-end.js";
import type { ProjectView } from "#web/shared/project-view.js";
import {
  type Choice,
  choiceNames,
  choiceQuery,
  filterVersions,
  readChoice,
  readPage,
} from "#web/shared/version-filter.js";
import { texts, textsIn } from "#words/texts.js";
import { projectPageRoute } from "./project-page.js";
import { VersionFilterForm } from "./version-filter-form.js";
import { VersionTable } from "./version-rows.js";

const perPage = 50;

export const versionsRoute = projectPageRoute(
  { id: "getVersionsPage", keptWith: choiceNames, below: "/versions", summary: "The versions of a project" },
  async (view, { query, locale }) => {
    const choice = readChoice(query);
    const page = readPage(query);
    const pages = Math.max(1, Math.ceil(filterVersions(view.versions, choice).length / perPage));
    const hrefOf = (number: number) => `${pathOf(view)}${choiceQuery(choice, { page: String(number) })}`;
    const shared = { title: textsIn(texts.project.page, locale).tabs.versions, side: null };
    if (page > pages) return { ...shared, status: 404, content: <PastTheEnd lastPage={hrefOf(pages)} /> };
    return {
      ...shared,
      ...pageLinks({ page, pages, hrefOf }),
      content: <Versions view={view} choice={choice} page={page} pages={pages} hrefOf={hrefOf} />,
    };
  },
);

const pathOf = ({ project }: ProjectView): string => `${projectPath(project.slug)}/versions`;

interface Props {
  view: ProjectView;
  choice: Choice;
  page: number;
  pages: number;
  hrefOf(page: number): string;
}

const Versions = ({ view, choice, page, pages, hrefOf }: Props) => {
  const t = useTexts(texts.project.version);
  const { tabs } = useTexts(texts.project.page);
  const { project, versions, taxonomy, permissions } = view;
  const path = pathOf(view);
  const found = filterVersions(versions, choice);
  const upload = permissions.has("upload_version")
    ? { action: { href: `${projectPath(project.slug)}/version/new`, text: t.upload } }
    : {};
  return (
    <>
      <h2 class="visually-hidden">{tabs.versions}</h2>
      {versions.length === 0 ? (
        <EmptyState title={t.none} {...upload} />
      ) : (
        <>
          <VersionFilterForm view={view} action={path} choice={choice} />
          <p class="small muted">
            {t.count(found.length)} <HiddenBuilds view={view} choice={choice} path={path} />
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

/** How many more there would be with development builds. */
export const HiddenBuilds = ({ view, choice, path }: { view: ProjectView; choice: Choice; path: string }) => {
  const t = useTexts(texts.project.version);
  if (choice.channel !== "") return null;
  const withDev = filterVersions(view.versions, { ...choice, channel: "dev" });
  const hidden = withDev.length - filterVersions(view.versions, choice).length;
  if (hidden === 0) return null;
  return (
    <>
      · {t.devHidden(hidden)} <a href={`${path}${choiceQuery({ ...choice, channel: "dev" })}`}>{t.showDev}</a>
    </>
  );
};
