// The kinds of projects that the navigation offers: those of the taxonomy that there is something of. On an empty shelf
// all of them, for whoever comes to fill it.

import { getTaxonomy } from "#content/taxonomy/read.js";
import { searchProjects } from "#discovery/search/read.js";
import { perServer } from "#platform/changes/server-memory.js";
import type { Resources } from "#platform/http/resources.js";
import { projectTypes } from "#web/context/project-types.js";

const keepOf = perServer(({ memory }: Resources) =>
  // A new kind is not worth counting everything at each page.
  memory.keep<readonly string[]>({ name: "projectTypes", bytes: 64 * 1024, ageMs: 60_000 }),
);

export const listTypesInUse = (resources: Resources): Promise<readonly string[]> =>
  keepOf(resources).load(
    "",
    () => readTypes(resources),
    (types) => 2 * types.join().length,
  );

async function readTypes(resources: Resources): Promise<readonly string[]> {
  const taxonomy = await getTaxonomy(resources);
  const none = { wanted: [], unwanted: [] };
  const { facets } = await searchProjects(resources, {
    text: "",
    ...{ loaders: none, gameVersions: none, channels: none, categories: none, sides: [] },
    ...{ sortBy: "downloads", limit: 1, offset: 0, countFacets: true },
  });
  const inOrder = [...new Set([...projectTypes, ...taxonomy.projectTypes])].filter(taxonomy.isProjectType);
  const inUse = inOrder.filter((type) => (facets?.type[type] ?? 0) > 0);
  return inUse.length > 0 ? inUse : inOrder;
}
