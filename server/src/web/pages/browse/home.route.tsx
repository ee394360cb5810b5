// The routes of the page in home.tsx.
import { hasAdmin } from "#accounts/users/read.js";
import { getTaxonomy } from "#content/taxonomy/read.js";
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import { searchProjects, toListItem } from "#discovery/search/read.js";
import { readable } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { localeOf, setupOf } from "#web/context/preferences.js";
import { pageRoute } from "#web/frame/page.js";
import { findFits } from "#web/shared/fits.js";
import { texts, textsIn } from "#words/texts.js";
import { type Filters, readFilters, toProjectQuery } from "./filters.js";
import { Home, type HomeList, type Listed, listed } from "./home.js";

const perList = 8;

export const homeRoutes: Route[] = [
  pageRoute(
    { id: "getHomePage", path: "/", access: readable("user_read"), summary: "The start page", cacheParameters: [] },
    async ({ request }, resources) => {
      const taxonomy = await getTaxonomy(resources);
      const lists = await Promise.all(listed.map((sort) => readList(resources, taxonomy, sort)));
      const all = [...new Map(lists.flatMap(({ projects }) => projects).map((each) => [each.id, each])).values()];
      const t = textsIn(texts.browse.home, localeOf(request));
      const { url } = resources.config.http;
      const { name, description } = resources.config.look;
      return {
        title: name,
        description: description || t.description,
        ...(description === "" && { isTranslated: true }),
        jsonLd: [
          {
            "@type": "WebSite",
            name,
            url: `${url}/`,
            potentialAction: {
              "@type": "SearchAction",
              target: { "@type": "EntryPoint", urlTemplate: `${url}/search?q={search_term_string}` },
              "query-input": "required name=search_term_string",
            },
          },
        ],
        feeds: [
          { href: "/feeds/projects.atom", type: "application/atom+xml", title: t.published },
          { href: "/feeds/releases.atom", type: "application/atom+xml", title: t.updated },
        ],
        content: (
          <Home
            lists={lists}
            taxonomy={taxonomy}
            fits={await findFits(resources, setupOf(request), all)}
            isSetUp={await hasAdmin(resources.db)}
          />
        ),
      };
    },
  ),
];

async function readList(resources: Resources, taxonomy: Taxonomy, sort: Listed): Promise<HomeList> {
  const filters: Filters = { ...readFilters({}, taxonomy).filters, sort, perPage: perList };
  const { projects } = await searchProjects(resources, toProjectQuery(filters, taxonomy, { countFacets: false }));
  return { sort, projects: projects.map(toListItem) };
}
