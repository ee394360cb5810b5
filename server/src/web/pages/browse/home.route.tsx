// The routes of the page in home.tsx.
import { hasAdmin } from "#accounts/users/read.js";
import { listCollectionTiles } from "#community/collections/tiles.js";
import type { ProjectListItem } from "#content/shapes/project.js";
import { getTaxonomy } from "#content/taxonomy/read.js";
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import { searchProjects, toListItem } from "#discovery/search/read.js";
import { readStatistics } from "#discovery/statistics/read.js";
import { listFeaturedIds } from "#operations/administration/featured-collections.js";
import { readable } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { hasSetup, localeOf, setupOf } from "#web/context/preferences.js";
import { pageRoute } from "#web/frame/page.js";
import { findFits } from "#web/shared/fits.js";
import { texts, textsIn } from "#words/texts.js";
import { type Filters, readFilters, toProjectQuery } from "./filters.js";
import { Home, type HomeList, type Listed, listed, perRow, perTrending } from "./home.js";

const perList = 8;
const lengths: Record<Listed, number> = { trending: perTrending, updated: perList, published: perList };
const dayMs = 24 * 60 * 60 * 1000;

export const homeRoutes: Route[] = [
  pageRoute(
    { id: "getHomePage", path: "/", access: readable("user_read"), summary: "The start page", cacheParameters: [] },
    async ({ request }, resources) => {
      const taxonomy = await getTaxonomy(resources);
      const setup = setupOf(request);
      const whole = readFilters({}, taxonomy).filters;
      const [lists, fitting, statistics, collections] = await Promise.all([
        Promise.all(listed.map((sort) => readList(resources, taxonomy, { ...whole, perPage: lengths[sort] }, sort))),
        hasSetup(setup)
          ? readList(resources, taxonomy, { ...whole, fit: setup, perPage: perRow }, "trending")
          : undefined,
        readStatistics(resources.db),
        listCollectionTiles(resources.db, resources.config.http.cdnUrl, await listFeaturedIds(resources)),
      ]);
      const shown = [...lists, ...(fitting ? [fitting] : [])].flatMap(({ projects }) => projects);
      const all = [...new Map(shown.map((each) => [each.id, each])).values()];
      const featured = chooseFeatured(lists[0]!, resources.clock.now());
      const t = textsIn(texts.browse.home, localeOf(request));
      const { url } = resources.config.http;
      const { name, description } = resources.config.look;
      return {
        title: name,
        cards: all.map(({ id }) => id),
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
            fitting={fitting}
            featured={featured}
            statistics={statistics}
            collections={collections}
            taxonomy={taxonomy}
            fits={await findFits(resources, setup, all)}
            isSetUp={await hasAdmin(resources.db)}
          />
        ),
      };
    },
  ),
];

async function readList(resources: Resources, taxonomy: Taxonomy, filters: Filters, sort: Listed): Promise<HomeList> {
  const question = toProjectQuery({ ...filters, sort }, taxonomy, { countFacets: false });
  const { projects } = await searchProjects(resources, question);
  return { sort, projects: projects.map(toListItem) };
}

/** One of the popular projects that have a picture, another one every day. */
function chooseFeatured({ projects }: HomeList, now: number): ProjectListItem | undefined {
  const pictured = projects.filter(({ featured_gallery }) => featured_gallery !== null);
  return pictured[Math.floor(now / dayMs) % pictured.length];
}
