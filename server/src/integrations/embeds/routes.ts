// The route of oEmbed.

import { getVisibleProject } from "#content/projects/read.js";
import { getTaxonomy } from "#content/taxonomy/read.js";
import { fail } from "#platform/errors.js";
import { type Route, route } from "#platform/http/endpoint.js";
import * as contract from "./contract.js";
import { findProjectRef, toEmbed } from "./embed.js";

export const embedRoutes: Route[] = [
  route(contract.getEmbed, async ({ query, viewer }, resources) => {
    const { http, look } = resources.config;
    const ref = findProjectRef(http.url, query.url, (await getTaxonomy(resources)).projectTypes);
    if (ref === undefined || ref.length > 64) throw fail.projectNotFound();
    const entry = await getVisibleProject(resources, viewer, ref);
    return toEmbed({ siteUrl: http.url, siteName: look.name }, entry.listItem.value, query);
  }),
];
