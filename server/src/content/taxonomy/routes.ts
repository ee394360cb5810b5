// Routes of the taxonomy (tags).

import { assignableScopes, restrictedScopes } from "#lib/scopes.js";
import { fail } from "#platform/errors.js";
import { type Route, route } from "#platform/http/endpoint.js";
import * as contract from "./contract.js";
import { getTaxonomy } from "./read.js";

/** The schema check of answers removes properties in place, so cached objects are copied first. */
const copy = <T extends object>(items: readonly T[]): T[] => items.map((item) => ({ ...item }));

export const taxonomyRoutes: Route[] = [
  route(contract.getCategories, async ({ query }, resources) => {
    const categories = (await getTaxonomy(resources)).categoriesFor(query.type);
    if (query.namesOnly === "true") return categories.map(({ name }) => name);
    return categories.map((category) => ({ ...category, projectTypes: [...category.projectTypes] }));
  }),
  route(contract.getGameVersions, async (_call, resources) => copy((await getTaxonomy(resources)).gameVersions)),
  route(contract.getLoaders, async ({ query }, resources) =>
    (await getTaxonomy(resources)).loadersFor(query.type).map((loader) => ({
      ...loader,
      supportedProjectTypes: [...loader.supportedProjectTypes],
    })),
  ),
  route(contract.getLicenses, async (_call, resources) => copy((await getTaxonomy(resources)).licenses)),
  route(contract.getFeaturedLicenses, async (_call, resources) =>
    copy((await getTaxonomy(resources)).featuredLicenses),
  ),
  route(contract.getLicense, async ({ params }, resources) => {
    const license = (await getTaxonomy(resources)).findLicense(params.id);
    if (!license) throw fail.licenseNotFound();
    return { ...license };
  }),
  route(contract.getProjectTypes, async (_call, resources) => [...(await getTaxonomy(resources)).projectTypes]),
  route(contract.getApiScopes, async () => [...assignableScopes, ...restrictedScopes]),
];
