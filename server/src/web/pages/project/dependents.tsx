// Who builds on a project: those whose versions name it.

import { listDependentIds } from "#content/dependencies/read.js";
import { projectEntries } from "#content/projects/entries.js";
import type { ProjectListItem } from "#content/shapes/project.js";
import { dependencyTypes } from "#content/shapes/version.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { Choose } from "#web/parts/choose.js";
import { EmptyState } from "#web/parts/empty-state.js";
import { Form } from "#web/parts/form.js";
import { Pagination, pageLinks } from "#web/parts/pagination.js";
import { PastTheEnd } from "#web/parts/past-the-end.js";
import { ProjectCards } from "#web/parts/project-card.js";
import { readPage, textOf } from "#web/shared/version-filter.js";
import { texts, textsIn } from "#words/texts.js";
import { projectPageRoute } from "./project-page.js";

const perPage = 20;

export const dependentsRoute = projectPageRoute(
  { id: "getDependentsPage", below: "/dependents", summary: "The projects that depend on a project", rate: "bulk" },
  async (view, { query, viewer, locale }, resources) => {
    const type = dependencyTypes.find((name) => name === textOf(query, "type"));
    const page = readPage(query);
    const { ids, total } = await listDependentIds(resources.db, viewer, view.entry.id, { type, limit: perPage, page });
    const entries = await projectEntries(resources).load(ids);
    const projects = ids.flatMap((id) => entries.get(id)?.listItem.value ?? []);
    const pages = Math.max(1, Math.ceil(total / perPage));
    const path = `${projectPath(view.project.slug)}/dependents`;
    const hrefOf = (number: number) =>
      `${path}?${new URLSearchParams({ ...(type && { type }), page: String(number) })}`;
    const shared = { title: textsIn(texts.project.page, locale).tabs.dependents, side: null };
    if (page > pages) return { ...shared, status: 404, content: <PastTheEnd lastPage={hrefOf(pages)} /> };
    return {
      ...shared,
      ...pageLinks({ page, pages, hrefOf }),
      content: <Dependents {...{ path, type, total, projects, page, pages, hrefOf }} />,
    };
  },
);

interface Props {
  path: string;
  type: (typeof dependencyTypes)[number] | undefined;
  total: number;
  projects: readonly ProjectListItem[];
  page: number;
  pages: number;
  hrefOf(page: number): string;
}

const Dependents = ({ path, type, total, projects, page, pages, hrefOf }: Props) => {
  const t = useTexts(texts.project.dependents);
  const { tabs } = useTexts(texts.project.page);
  const { show } = useTexts(texts.project.version);
  if (total === 0 && type === undefined)
    return (
      <EmptyState title={t.none}>
        <p>{t.noneSoFar}</p>
      </EmptyState>
    );
  return (
    <>
      <h2 class="visually-hidden">{tabs.dependents}</h2>
      <Form method="get" class="filter-row" action={path}>
        <Choose
          name="type"
          label={t.kind}
          chosen={type ?? ""}
          options={(["", ...dependencyTypes] as const).map((kind) => [kind, t.kinds[kind]] as const)}
        />
        <Button kind="quiet">{show}</Button>
      </Form>
      <p class="small muted">{t.count(total)}</p>
      {total === 0 ? (
        <EmptyState title={t.none} action={{ href: path, text: t.clear }} />
      ) : (
        <ProjectCards projects={projects} />
      )}
      <Pagination page={page} pages={pages} hrefOf={hrefOf} />
    </>
  );
};
