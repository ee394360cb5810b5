// The routes of the page in dependents.tsx.
import { listDependentIds } from "#content/dependencies/read.js";
import { projectEntries } from "#content/projects/entries.js";
import { dependencyTypes } from "#content/shapes/version.js";
import { projectPath } from "#web/context/project-path.js";
import { pageLinks } from "#web/parts/pagination.js";
import { PastTheEnd } from "#web/parts/past-the-end.js";
import { readPage, textOf } from "#web/shared/version-filter.js";
import { texts, textsIn } from "#words/texts.js";
import { Dependents } from "./dependents.js";
import { plainProjectPageRoute } from "./project-page.js";

const perPage = 20;

export const dependentsRoute = plainProjectPageRoute(
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
      cards: ids,
      ...pageLinks({ page, pages, hrefOf }),
      content: <Dependents {...{ path, type, total, projects, page, pages, hrefOf }} />,
    };
  },
);
