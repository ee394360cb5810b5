// Routes of dependencies and dependents.
import { projectEntries } from "#content/projects/entries.js";
import { getVisibleProject } from "#content/projects/read.js";
import { showVersionsTo } from "#content/versions/read.js";
import { type Route, route } from "#platform/http/endpoint.js";
import * as contract from "./contract.js";
import { listDependencies, listDependentIds } from "./read.js";

export const dependencyRoutes: Route[] = [
  route(contract.getDependencies, async ({ params, viewer }, resources) => {
    const { id } = await getVisibleProject(resources, viewer, params.ref);
    const { projects, versions } = await listDependencies(resources, viewer, id);
    const shown = await showVersionsTo(resources.db, viewer, versions);
    return {
      projects: projects.map((entry) => entry.listItem.value),
      versions: versions.map((version) => ({ ...shown(version).bulk.value, authorId: version.authorId })),
    };
  }),

  route(contract.getDependents, async ({ params, query, viewer }, resources) => {
    const { id } = await getVisibleProject(resources, viewer, params.ref);
    const { type, limit = 20, page = 1 } = query;
    const { ids, total } = await listDependentIds(resources.db, viewer, id, { type, limit, page });
    const entries = await projectEntries(resources).load(ids);
    return { projects: ids.flatMap((each) => entries.get(each)?.listItem.value ?? []), total, limit, page };
  }),
];
