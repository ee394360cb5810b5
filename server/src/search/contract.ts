// Searching, and what can be searched by (earlier-service 4.16, 5.10).
import Type, { type TSchema } from "typebox";
import { open } from "../http/access.js";
import { endpoint } from "../http/endpoint.js";
import { Named } from "../http/schemas.js";
import { ProjectListItem } from "../projects/shapes.js";
import { GameVersion, Loader } from "../taxonomy/contract.js";
import { defaultLimit, licenseFilters, sortBys } from "./question.js";

const longestText = 64;
const longestValue = 65;
const mostValues = 32;
const furthest = Number.MAX_SAFE_INTEGER;

const value = Type.String({ maxLength: longestValue });
const several = (description: string) =>
  Type.Optional(Type.Union([value, Type.Array(value, { maxItems: mostValues })], { description }));

const counts = Type.Record(Type.String(), Type.Integer({ minimum: 0 }));
const Facets = Named(
  "SearchFacets",
  { type: counts, l: counts, v: counts, ch: counts, c: counts, e: counts, li: counts },
  {
    description:
      "How many projects there would be with a value chosen: instead of the present one for type, v, ch, e and li, in addition to the present ones for l and c. Values that would find nothing are left out.",
  },
);

const SearchResult = Named("SearchResult", {
  hits: Type.Array(ProjectListItem),
  query: Type.String({ description: "The text as it was asked for" }),
  limit: Type.Integer(),
  offset: Type.Integer(),
  estimatedTotalHits: Type.Integer({ description: "On all pages, exactly" }),
  processingTimeMs: Type.Integer(),
  facets: Type.Optional(Facets),
});

const shared = { method: "GET", access: open, rate: "search", tag: "Search" } as const;

export const searchProjects = endpoint({
  ...shared,
  id: "searchProjects",
  ready: true,
  path: "/api/search",
  summary: "Search projects",
  description:
    "Finds listed and archived projects by name, slug, author, summary and description. All words must be found, in any order; the beginning of a word is enough, but in descriptions. Where hardly anything is found, a slip of the finger is forgiven in words of 4 to 7 letters, two in longer ones. A ! before a value of l, v, ch or c leaves out every project that has it.",
  query: Type.Object({
    q: Type.Optional(
      Type.String({
        maxLength: longestText,
        "x-problem": `must be at most ${longestText} characters`,
        description: `Text to find, up to ${longestText} characters`,
      }),
    ),
    type: Type.Optional(Type.String({ maxLength: longestValue, description: "One project type; absent: all" })),
    l: several("Loader; of several, all on one version. One that is not known here finds nothing"),
    v: several(
      "Game version; of several, any, on a version that has the loaders too. One that is not known here finds nothing",
    ),
    ch: several(
      "Release channel, on that same version: beta is beta and everything more stable, beta-only that alone; of several, any",
    ),
    c: several("Category, feature, resolution or performance impact; of several, all"),
    e: several(
      "client: usable there, and not required on servers; server: the reverse; both: required on both. Absent: all",
    ),
    li: Type.Optional(
      Type.String({
        maxLength: longestValue,
        description: `${licenseFilters[0]}: with a link to its source; ${licenseFilters[1]}: without`,
      }),
    ),
    sortby: Type.Optional(
      Type.String({
        maxLength: longestValue,
        description: `${sortBys.join(", ")}; default relevance, which without a text is trending: downloads of the last 14 days, older ones counting less`,
      }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: defaultLimit })),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: furthest, description: "Wins over page" })),
    page: Type.Optional(Type.Integer({ minimum: 1, maximum: furthest })),
    facets: Type.Optional(
      Type.String({ maxLength: 8, description: "1: also count how many there would be with each further value" }),
    ),
  }),
  answer: SearchResult,
});

const type = Type.Optional(Type.String({ maxLength: longestValue, description: "Project type; default mod" }));

const listOf = <K extends string, T extends TSchema>(queryKey: K, item: T) =>
  Type.Object({ success: Type.Literal(true), queryKey: Type.Literal(queryKey), list: Type.Array(item) });

const filter = {
  ...shared,
  // It changes when the operator changes it; five minutes late is early enough.
  cacheControl: "public, max-age=300",
} as const;

export const getSortFilters = endpoint({
  ...filter,
  id: "getSortFilters",
  path: "/api/search/filters/sort-by",
  summary: "List what results can be sorted by",
  answer: Type.Object({
    success: Type.Literal(true),
    queryKey: Type.Literal("sortby"),
    default: Type.Literal("relevance"),
    list: Type.Array(Type.String()),
  }),
});

export const getLoaderFilters = endpoint({
  ...filter,
  id: "getLoaderFilters",
  path: "/api/search/filters/loaders",
  summary: "List the loaders of a project type",
  query: Type.Object({ type }),
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

/** One for each kind of category; all are asked for with "c". */
const categoryFilter = <I extends string>(id: I, name: string, what: string) =>
  endpoint({
    ...filter,
    id,
    path: `/api/search/filters/${name}`,
    summary: `List the ${what} of a project type`,
    query: Type.Object({ type }),
    answer: listOf("c", Type.String()),
  });

export const getCategoryFilters = categoryFilter("getCategoryFilters", "categories", "categories");
export const getFeatureFilters = categoryFilter("getFeatureFilters", "features", "features");
export const getResolutionFilters = categoryFilter("getResolutionFilters", "resolutions", "resolutions");
export const getPerformanceFilters = categoryFilter(
  "getPerformanceFilters",
  "performance-impact",
  "performance impacts",
);

export const getEnvironmentFilters = endpoint({
  ...filter,
  id: "getEnvironmentFilters",
  path: "/api/search/filters/environments",
  summary: "List the sides that can be searched for",
  answer: listOf("e", Type.String()),
});

export const getLicenseFilters = endpoint({
  ...filter,
  id: "getLicenseFilters",
  path: "/api/search/filters/license",
  summary: "List the filters by licence",
  answer: listOf("li", Type.String()),
});
