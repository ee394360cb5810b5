// Parses the facets of a search: a JSON array of groups that must all match, each an array of which one entry is enough.
// An entry is a facet, such as "categories:fabric", or an array of facets that must all match.
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import type { Comparison, Condition } from "#discovery/search/conditions.js";
import type { Figures } from "#discovery/search/entry.js";
import type { Environment } from "#platform/db/tables.js";
import { type Failure, invalid } from "#platform/errors.js";
import { say } from "#words/said.js";
import { readJson } from "./lists.js";
import { toTypeName } from "./mapping.js";

const most = { facets: 100, figures: 8, authors: 3 };
const longestFacet = 128;

const figures: Readonly<Record<string, keyof Figures>> = {
  downloads: "downloads",
  follows: "followers",
  created_timestamp: "datePublished",
  modified_timestamp: "dateUpdated",
  date_created: "datePublished",
  date_modified: "dateUpdated",
};
const environments: readonly string[] = ["required", "optional", "unsupported", "unknown"] satisfies Environment[];
const nothing: Condition = { any: [] };

interface Facet {
  field: string;
  comparison: Comparison;
  value: string;
}

/** The projects of an author must be looked up, and are put in afterwards. */
export interface ParsedFacets {
  condition: Condition | undefined;
  authors: readonly { name: string; ids: string[] }[];
}

export function parseFacets(text: string | undefined, taxonomy: Taxonomy): ParsedFacets {
  if (text === undefined || text.trim() === "") return { condition: undefined, authors: [] };
  const groups = readGroups(readJson(text));
  if (!groups) throw refuse('a JSON array such as [["categories:fabric"],["versions:1.20.1","versions:1.20.2"]]');
  const all = groups.flat(2);
  if (all.length > most.facets) throw invalid({ path: "facets", message: say.problems.tooManyItems(most.facets) });
  const limited = { figures: (field: string) => field in figures, authors: (field: string) => field === "author" };
  for (const [name, isCounted] of Object.entries(limited) as [keyof typeof limited, (field: string) => boolean][])
    if (all.filter(({ field }) => isCounted(field)).length > most[name])
      throw invalid({ path: "facets", message: say.problems.differentFilters(most[name]) });
  const authors: { name: string; ids: string[] }[] = [];
  const toOne = (facet: Facet) => toCondition(facet, taxonomy, authors);
  return { condition: { all: joinVersions(groups, taxonomy, toOne) }, authors };
}

/** A single facet may stand for a group, or for the array of an entry. */
function readGroups(given: unknown): Facet[][][] | undefined {
  if (!Array.isArray(given)) return undefined;
  const groups: Facet[][][] = [];
  for (const group of given) {
    const entries = typeof group === "string" ? [group] : group;
    if (!Array.isArray(entries)) return undefined;
    const read: Facet[][] = [];
    for (const entry of entries) {
      const facets: unknown = typeof entry === "string" ? [entry] : entry;
      if (!Array.isArray(facets) || !facets.every((facet) => typeof facet === "string")) return undefined;
      read.push(facets.map(readFacet));
    }
    if (read.length > 0) groups.push(read);
  }
  return groups;
}

function readFacet(given: string): Facet {
  const text = given.length > longestFacet ? "" : given.trim();
  const [start, field, sign] = /^([a-z_]{1,32}) ?(:|!=|>=|<=|=|>|<)/.exec(text) ?? [];
  if (start === undefined || field === undefined || sign === undefined)
    throw refuse('facets of the form "field:value", such as "project_type:mod"');
  return { field, comparison: sign === ":" ? "=" : (sign as Comparison), value: text.slice(start.length).trim() };
}

const refuse = (items: string): Failure => invalid({ path: "facets", message: say.problems.jsonArray(items) });

/**
 * A loader and a game version in different groups must be on one version of the project. Modrinth also finds projects that
 * have each of them on another version, of which none can be installed.
 */
function joinVersions(
  groups: readonly Facet[][][],
  taxonomy: Taxonomy,
  toOne: (facet: Facet) => Condition,
): Condition[] {
  const isLoader = ({ field, value }: Facet) =>
    isCategory(field) && taxonomy.isLoader(value) && !taxonomy.isCategory(value);
  const consistsOf = (group: Facet[][], isMeant: (facet: Facet) => boolean) =>
    group.every(([facet, ...more]) => facet && more.length === 0 && facet.comparison === "=" && isMeant(facet));
  const isOfLoaders = (group: Facet[][]) => consistsOf(group, isLoader);
  const isOfGames = (group: Facet[][]) => consistsOf(group, ({ field }) => field === "versions");
  const valuesOf = (group: Facet[][]) => group.flat().map(({ value }) => value);
  const loaders = groups.filter(isOfLoaders).map(valuesOf);
  const games = groups.filter(isOfGames).map(valuesOf);
  const others = groups.filter((group) => !isOfLoaders(group) && !isOfGames(group));
  const fits = (loaders.length > 0 ? loaders : [[]]).flatMap((each) =>
    (games.length > 0 ? games : [[]]).map((gameVersions) => ({ loaders: each, gameVersions })),
  );
  if (fits.length > most.facets) throw invalid({ path: "facets", message: say.problems.tooManyItems(most.facets) });
  return [
    ...(loaders.length + games.length > 0 ? fits : []),
    ...others.map((group) => ({ any: group.map((facets) => ({ all: facets.map(toOne) })) })),
  ];
}

const isCategory = (field: string): boolean => field === "categories" || field === "loaders";

function toCondition(facet: Facet, taxonomy: Taxonomy, authors: { name: string; ids: string[] }[]): Condition {
  const { field, comparison, value } = facet;
  const figure = figures[field];
  if (figure !== undefined) return { figure, comparison, value: toFigure(field, value) };
  if (comparison !== "=" && comparison !== "!=")
    throw invalid({ path: "facets", message: say.problems.oneOf(`${field}:value, ${field}!=value`) });
  const found = toNamed(field, value, taxonomy, authors);
  return comparison === "=" ? found : { not: found };
}

/** Timestamps are in seconds, or dates. */
function toFigure(field: string, value: string): number {
  const isDate = field.startsWith("date_");
  const number = isDate ? Date.parse(value) : Number(value) * (field.endsWith("_timestamp") ? 1000 : 1);
  if (value === "" || !Number.isFinite(number))
    throw invalid({ path: "facets", message: isDate ? say.problems.timestamp : say.problems.number });
  return number;
}

function toNamed(
  field: string,
  value: string,
  taxonomy: Taxonomy,
  authors: { name: string; ids: string[] }[],
): Condition {
  switch (field) {
    case "project_type":
    case "project_types":
    case "all_project_types": {
      const type = taxonomy.projectTypes.find((name) => name === value || toTypeName(name) === value);
      return type === undefined ? nothing : { type };
    }
    case "categories":
    case "loaders":
      return { any: [{ category: value }, { loaders: [value], gameVersions: [] }] };
    case "versions":
      return { loaders: [], gameVersions: [value] };
    case "client_side":
    case "server_side":
      if (!environments.includes(value)) return nothing;
      return { side: field === "client_side" ? "client" : "server", is: value as Environment };
    case "open_source":
      return { openSource: value === "true" };
    case "license":
      return { license: taxonomy.findLicense(value)?.licenseId ?? value };
    case "project_id":
      return { ids: [value] };
    case "author": {
      const author = { name: value, ids: [] as string[] };
      authors.push(author);
      return author;
    }
    default:
      throw invalid({ path: "facets", message: say.problems.notKnown(JSON.stringify(field), fields.join(", ")) });
  }
}

const fields = [
  ...["project_type", "all_project_types", "categories", "versions", "client_side", "server_side", "open_source"],
  ...["license", "author", "project_id", ...Object.keys(figures)],
];
