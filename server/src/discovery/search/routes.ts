// The routes of the search.
import { listRandomProjectIds, listVisibleProjects } from "#content/projects/read.js";
import { disclosureTags } from "#content/shapes/disclosures.js";
import { getTaxonomy } from "#content/taxonomy/read.js";
import type { Category } from "#content/taxonomy/taxonomy.js";
import { channelFilters } from "#content/versions/channels.js";
import { type Route, route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { anonymous } from "#platform/http/viewer.js";
import * as contract from "./contract.js";
import { sides } from "./facets.js";
import { searchAnswer, searchProjects } from "./read.js";
import { licenseFilters, one, sortBys, toSearchQuery } from "./search-query.js";

export const searchRoutes: Route[] = [
  route(contract.searchProjects, async ({ query }, resources) => {
    const search = toSearchQuery(query, await getTaxonomy(resources));
    return searchAnswer(resources, search);
  }),

  route(contract.getHomePageCarousel, async (_call, resources) => {
    const trending = toSearchQuery({ sortby: "trending", limit: 10 }, await getTaxonomy(resources));
    const { projects } = await searchProjects(resources, trending);
    const ids = [...(await listRandomProjectIds(resources, 20)), ...projects.map(({ id }) => id)];
    const entries = await listVisibleProjects(resources, anonymous, [...new Set(ids)]);
    return entries.map((entry) => entry.listItem.value);
  }),

  route(contract.getSortFilters, async () => ({
    success: true as const,
    queryKey: "sortby" as const,
    default: "relevance" as const,
    list: [...sortBys],
  })),
  route(contract.getLoaderFilters, async ({ query }, resources) => {
    const { taxonomy, type } = await forType(resources, query.type);
    const list = taxonomy.loadersFor(type);
    return {
      success: true as const,
      queryKey: "l" as const,
      list: list.map(({ name, supportedProjectTypes }) => ({
        name,
        supportedProjectTypes: [...supportedProjectTypes],
      })),
    };
  }),
  route(contract.getGameVersionFilters, async (_call, resources) => {
    const { gameVersions } = await getTaxonomy(resources);
    return { success: true as const, queryKey: "v" as const, list: gameVersions.map((each) => ({ ...each })) };
  }),
  route(contract.getChannelFilters, async () => ({
    success: true as const,
    queryKey: "ch" as const,
    list: [...channelFilters],
  })),
  route(contract.getCategoryFilters, ({ query }, resources) => categories(resources, query.type, "category")),
  route(contract.getFeatureFilters, ({ query }, resources) => categories(resources, query.type, "feature")),
  route(contract.getResolutionFilters, ({ query }, resources) => categories(resources, query.type, "resolution")),
  route(contract.getPerformanceFilters, ({ query }, resources) =>
    categories(resources, query.type, "performance_impact"),
  ),
  route(contract.getEnvironmentFilters, async () => ({
    success: true as const,
    queryKey: "e" as const,
    list: [...sides],
  })),
  route(contract.getLicenseFilters, async () => ({
    success: true as const,
    queryKey: "li" as const,
    list: licenseFilters.slice(0, 1),
  })),
  route(contract.getDisclosureFilters, async () => ({
    success: true as const,
    queryKey: "d" as const,
    list: [...disclosureTags],
  })),
];

async function forType(resources: Resources, given: string | undefined) {
  const taxonomy = await getTaxonomy(resources);
  return { taxonomy, type: one("type", given, taxonomy.projectTypes) ?? defaultType(taxonomy.projectTypes) };
}

/** "mod" (earlier-service 4.16), or the first type if an operator's taxonomy has no "mod". */
const defaultType = (types: readonly string[]): string => (types.includes("mod") ? "mod" : types[0]!);

async function categories(resources: Resources, given: string | undefined, kind: Category["type"]) {
  const { taxonomy, type } = await forType(resources, given);
  const list = taxonomy.categoriesFor(type).filter((category) => category.type === kind);
  return { success: true as const, queryKey: "c" as const, list: list.map(({ name }) => name) };
}
