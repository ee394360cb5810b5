// Endpoints of the search and of its filters (earlier-service 4.16, 5.10).

import Type, { type TSchema } from "typebox";
import { disclosureMeanings } from "#content/shapes/disclosures.js";
import { ProjectListItem } from "#content/shapes/project.js";
import { GameVersion, Loader } from "#content/taxonomy/contract.js";
import { open } from "#platform/http/access.js";
import { endpoint } from "#platform/http/endpoint.js";
import { Choice, Named, Shown } from "#platform/http/schemas.js";
import { say } from "#words/said.js";
import { defaultLimit, type licenseFilters, type SortBy } from "./search-query.js";

const longestText = 64;
const longestValue = 65;
const mostValues = 32;
const furthest = Number.MAX_SAFE_INTEGER;

const value = Type.String({ maxLength: longestValue });
const several = (description: string) =>
  Type.Optional(Type.Union([value, Type.Array(value, { maxItems: mostValues })], { description }));

const counts = (what: string) =>
  Type.Record(Type.String(), Type.Integer({ minimum: 0 }), {
    description: `${what}, with the number of projects for each`,
  });
const Facets = Named(
  "SearchFacets",
  {
    type: counts("Project types"),
    l: counts("Loaders"),
    v: counts("Game versions"),
    ch: counts("Release channels"),
    c: counts("Categories"),
    e: counts("Sides"),
    li: counts("License filters"),
    d: counts("Disclosures"),
  },
  {
    description:
      "The number of projects with a value chosen: instead of the current one for type, v, ch, e and li, in addition to the current ones for l, c and d. Values without a result are left out.",
  },
);

const SearchResult = Named(
  "SearchResult",
  {
    hits: Type.Array(ProjectListItem, { description: "Projects on this page" }),
    query: Type.String({ description: "The text of the request" }),
    limit: Type.Integer({ description: "Maximum number of hits per page" }),
    offset: Type.Integer({ description: "Number of hits before this page" }),
    estimatedTotalHits: Type.Integer({ description: "Exact number of hits on all pages" }),
    processingTimeMs: Type.Integer({ description: "Milliseconds that the search took" }),
    facets: Type.Optional(Facets),
  },
  { description: "A page of search results" },
);

const shared = { method: "GET", access: open, rate: "search", tag: "Search" } as const;

export const searchProjects = endpoint({
  ...shared,
  id: "searchProjects",
  ready: true,
  path: "/api/search",
  summary: "Search projects",
  description:
    "Finds listed and archived projects by name, slug, author, summary and description. All words must be found, in any order; except in descriptions, the beginning of a word is enough. The name of a loader or category finds the projects that have it. If there are few results, other forms of English words count, and one typing error is tolerated in words of 4 to 7 letters, two in longer ones. A ! before a value of l, v, ch, c or d excludes every project that has it.",
  query: Type.Object({
    q: Type.Optional(
      Type.String({
        maxLength: longestText,
        "x-problem": say.problems.fewCharacters(longestText),
        description: `Text to find, up to ${longestText} characters`,
      }),
    ),
    type: Type.Optional(Type.String({ maxLength: longestValue, description: "Project type; all types unless given" })),
    l: several("Loader; if several are given, one version must have all of them. An unknown loader finds nothing"),
    v: several(
      "Game version; if several are given, one of them is enough, on a version that also has the loaders. An unknown game version finds nothing",
    ),
    ch: several(
      "Release channel of the same version: beta includes every more stable channel, beta-only does not; if several are given, one of them is enough",
    ),
    c: several(
      "Category, feature, resolution or performance impact; if several are given, a project must have all of them",
    ),
    d: several(
      "Statement of the author about AI, telemetry or paid features (see getDisclosureFilters); if several are given, all of them must be stated",
    ),
    e: Type.Optional(
      Shown(
        Type.Union([value, Type.Array(value, { maxItems: mostValues })]),
        Type.Array(
          Choice({
            client: "Usable on the player's machine, and not required on servers",
            server: "Usable on servers, and not required on the player's machine",
          }),
          {
            maxItems: mostValues,
            description: "Environment; if both are given: required on both. All projects unless given",
          },
        ),
      ),
    ),
    li: Type.Optional(
      Shown(
        value,
        Choice(
          { oss: "With a link to its source code", "!oss": "Without such a link" } satisfies Record<
            (typeof licenseFilters)[number],
            string
          >,
          { description: "Only open or only closed source; both unless given" },
        ),
      ),
    ),
    sortby: Type.Optional(
      Shown(
        value,
        Choice(
          {
            relevance: "How well the text matches; without a text the same as trending",
            downloads: "Most downloads first",
            trending: "Most downloads in the last 14 days first, older ones counting less",
            follow_count: "Most followers first",
            recently_updated: "Last updated first",
            recently_published: "Last published first",
          } satisfies Record<SortBy, string>,
          { description: "Order of the hits", default: "relevance" },
        ),
      ),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, default: defaultLimit, description: "Maximum number of hits per page" }),
    ),
    offset: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: furthest,
        description: "Number of hits to skip; takes precedence over page",
      }),
    ),
    page: Type.Optional(Type.Integer({ minimum: 1, maximum: furthest, description: "Page number, starting with 1" })),
    facets: Type.Optional(
      Shown(
        Type.String({ maxLength: 8 }),
        Choice(
          { "0": "No counts", "1": "Count the results of each further value" },
          { description: "Whether the answer has facets", default: "0" },
        ),
      ),
    ),
  }),
  answer: SearchResult,
});

const typeOf = (example: string) =>
  Type.Optional(
    Type.String({ maxLength: longestValue, description: "Project type; default mod", examples: [example] }),
  );

const success = Type.Literal(true, { description: "Always true" });

const listOf = <K extends string, T extends TSchema>(queryKey: K, item: T) =>
  Type.Object({
    success,
    queryKey: Type.Literal(queryKey, { description: "The parameter of the search that takes these values" }),
    list: Type.Array(item, { description: "The values" }),
  });

const filter = {
  ...shared,
  // It changes with the operator's settings; a delay of five minutes is acceptable.
  cacheControl: "public, max-age=300",
} as const;

export const getSortFilters = endpoint({
  ...filter,
  id: "getSortFilters",
  path: "/api/search/filters/sort-by",
  summary: "List the sort orders",
  answer: Type.Object({
    success,
    queryKey: Type.Literal("sortby", { description: "The parameter of the search that takes these values" }),
    default: Type.Literal("relevance", { description: "The default value" }),
    list: Type.Array(Type.String(), { description: "The values" }),
  }),
});

export const getLoaderFilters = endpoint({
  ...filter,
  id: "getLoaderFilters",
  path: "/api/search/filters/loaders",
  summary: "List the loaders of a project type",
  query: Type.Object({ type: typeOf("mod") }),
  answer: listOf("l", Loader),
});

export const getGameVersionFilters = endpoint({
  ...filter,
  id: "getGameVersionFilters",
  path: "/api/search/filters/game-versions",
  summary: "List the game versions, newest first",
  answer: listOf("v", GameVersion),
});

export const getChannelFilters = endpoint({
  ...filter,
  id: "getChannelFilters",
  path: "/api/search/filters/channels",
  summary: "List the filters by release channel",
  answer: listOf("ch", Type.String()),
});

/** One filter for each kind of category; all of them use the parameter "c". */
const categoryFilter = <I extends string>(id: I, name: string, what: string, exampleType: string) =>
  endpoint({
    ...filter,
    id,
    path: `/api/search/filters/${name}`,
    summary: `List the ${what} of a project type`,
    query: Type.Object({ type: typeOf(exampleType) }),
    answer: listOf("c", Type.String()),
  });

export const getCategoryFilters = categoryFilter("getCategoryFilters", "categories", "categories", "mod");
export const getFeatureFilters = categoryFilter("getFeatureFilters", "features", "features", "shader");
export const getResolutionFilters = categoryFilter(
  "getResolutionFilters",
  "resolutions",
  "resolutions",
  "resource-pack",
);
export const getPerformanceFilters = categoryFilter(
  "getPerformanceFilters",
  "performance-impact",
  "performance impacts",
  "shader",
);

export const getEnvironmentFilters = endpoint({
  ...filter,
  id: "getEnvironmentFilters",
  path: "/api/search/filters/environments",
  summary: "List the filters by environment",
  answer: listOf("e", Type.String()),
});

export const getLicenseFilters = endpoint({
  ...filter,
  id: "getLicenseFilters",
  path: "/api/search/filters/license",
  summary: "List the filters by license",
  answer: listOf("li", Type.String()),
});

export const getDisclosureFilters = endpoint({
  ...filter,
  id: "getDisclosureFilters",
  path: "/api/search/filters/disclosures",
  summary: "List the filters by what authors state about their projects",
  description: "A project whose author has stated nothing about a subject has neither value, so !ai keeps it.",
  answer: listOf("d", Choice(disclosureMeanings)),
});

export const getHomePageCarousel = endpoint({
  ...shared,
  id: "getHomePageCarousel",
  path: "/api/projects/home-page-carousel",
  rate: "bulk",
  summary: "Get projects for a front page: 20 random ones, then 10 trending ones",
  description: "Each project is returned once.",
  cacheControl: "public, max-age=600",
  answer: Type.Array(ProjectListItem),
});
