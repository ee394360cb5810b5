// The kinds of projects that the navigation offers: those of the taxonomy that there is something of. On an empty shelf
// all of them, for whoever comes to fill it.

import { getTaxonomy } from "#content/taxonomy/read.js";
import { searchProjects } from "#discovery/search/read.js";
import type { ChangeLog } from "#platform/changes/change-log.js";
import type { Resources } from "#platform/http/resources.js";
import { projectTypes } from "#web/context/project-types.js";

/** A new kind is not worth counting everything at each page. */
const keptMs = 60_000;

interface Known {
  types: readonly string[];
  until: number;
}

/** By feed: each server in a process (tests run several) keeps its own. */
const knownBy = new WeakMap<ChangeLog, Known>();

export async function listTypesInUse(resources: Resources): Promise<readonly string[]> {
  const now = resources.clock.now();
  const known = knownBy.get(resources.changeLog);
  if (known && now < known.until) return known.types;
  const types = await readTypes(resources);
  knownBy.set(resources.changeLog, { types, until: now + keptMs });
  return types;
}

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
