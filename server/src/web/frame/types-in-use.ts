// The project types in the navigation, in the order of the taxonomy: those that have projects, or all types of the taxonomy on an empty site.

import { getTaxonomy } from "#content/taxonomy/read.js";
import { countProjects } from "#discovery/search/read.js";
import { perServer } from "#platform/changes/server-memory.js";
import type { Resources } from "#platform/http/resources.js";
import { pageEditionOf } from "./page-cache.js";

const cacheOf = perServer((resources: Resources) =>
  // A new type may appear a minute late, because counting at every page would cost too much.
  resources.memory.createCache<readonly string[]>({
    name: "projectTypes",
    bytes: 64 * 1024,
    edition: () => pageEditionOf(resources),
  }),
);

export const listTypesInUse = (resources: Resources): Promise<readonly string[]> =>
  cacheOf(resources).load(
    "",
    () => readTypes(resources),
    (types) => 2 * types.join().length,
  );

async function readTypes(resources: Resources): Promise<readonly string[]> {
  const taxonomy = await getTaxonomy(resources);
  const { type: counts } = await countProjects(resources);
  const inUse = taxonomy.projectTypes.filter((type) => (counts[type] ?? 0) > 0);
  return inUse.length > 0 ? inUse : taxonomy.projectTypes;
}
