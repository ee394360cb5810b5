import { describe, expect, test } from "vitest";
import { parseTaxonomy } from "#content/taxonomy/document.js";
import { compileTaxonomy, readDefaultTaxonomyText } from "#content/taxonomy/taxonomy.js";
import { listActive, withoutFilters } from "./active-filters.js";
import { type Query, readFilters, toProjectQuery, toQuery } from "./filters.js";

const parsed = parseTaxonomy(readDefaultTaxonomyText(), "default.yaml");
if (!parsed.ok) throw new Error(parsed.report);
const taxonomy = compileTaxonomy(parsed.document);

/** Parses the text as the server does. */
function queryOf(text: string): Query {
  const query: Query = {};
  for (const name of new Set(new URLSearchParams(text).keys())) {
    const values = new URLSearchParams(text).getAll(name);
    query[name] = values.length === 1 ? values[0]! : values;
  }
  return query;
}

const read = (text: string, type?: string) => readFilters(queryOf(text), taxonomy, type);
const short = (text: string): string => toQuery(read(text).filters, { withType: true });

describe("the filters of a list", () => {
  test.each([
    ["l.quilt=only&l.puzzle_loader=not&l.void=", "?l=quilt&l=!puzzle_loader"],
    ["v.0.4.8=only&v.0.4.7=not", "?v=0.4.8&v=!0.4.7"],
    ["c.512x%2B=only", "?c=512x%2B"],
    ["c=512x+", "?c=512x%2B"],
    ["q=&sort=relevance&n=20&ch=&li=", ""],
    ["view=list", "?view=list"],
    ["ch=beta&l=quilt", "?l=quilt&ch=beta"],
    ["ch=beta-only", "?ch=beta-only"],
    ["q=+grass++", "?q=grass"],
    ["sortby=recently_updated&limit=50", "?sort=updated&n=50"],
    ["sort=follows&view=compact&page=3", "?sort=follows&view=compact&page=3"],
    ["sort=trending", ""],
    ["q=a&sort=trending", "?q=a&sort=trending"],
    ["e=server&e=client&li=!oss", "?e=both&li=!oss"],
    ["e=server-only&e=", "?e=server-only"],
    ["fit=quilt&fit=0.4.8&fit=simply_shaders&fit=quilt", "?fit=0.4.8&fit=quilt&fit=simply_shaders"],
    ["type=mod", "?type=mod"],
  ])("%s is shortened to %s", (given, wanted) => {
    expect(short(given)).toBe(wanted);
    expect(short(wanted.slice(1)), "the short form is its own short form").toBe(wanted);
  });

  test("are long if a form without script has sent them, or in the notation of other sites", () => {
    for (const text of ["l.quilt=only", "q=", "sortby=downloads", "limit=20"])
      expect(read(text).isLong, text).toBe(true);
    for (const text of ["", "l=quilt&l=!void", "q=a", "sort=downloads&n=50"])
      expect(read(text).isLong, text).toBe(false);
  });

  test("ignore unknown values, and report them", () => {
    const { filters, unknown } = read(
      "l=quilt&c=nothing&e=moon&li=x&ch=gamma&sort=luck&n=7&view=wall&type=hat&page=-1",
    );
    expect(filters.l).toEqual({ wanted: ["quilt"], unwanted: [] });
    expect(filters).toMatchObject({ sort: "relevance", perPage: 20, channel: undefined, page: 1, type: undefined });
    expect(unknown).toEqual(expect.arrayContaining(["ch=gamma", "c=nothing", "e=moon", "li=x", "sort=luck"]));
  });

  test("keep a loader or game version that is unknown here: it finds nothing", () => {
    const { filters, unknown } = read(`l=forge&v=!99&v=${"x".repeat(65)}`);
    expect([filters.l, filters.v]).toEqual([
      { wanted: ["forge"], unwanted: [] },
      { wanted: [], unwanted: ["99"] },
    ]);
    expect(unknown).toEqual([`v=${"x".repeat(64)}`]);
  });

  test("accept no names from the prototypes of objects", () => {
    expect(read("sort=constructor&view=__proto__&type=toString&l.__proto__=only").filters).toMatchObject({
      sort: "relevance",
      view: undefined,
    });
  });

  test("accept a value once, and not both wanted and unwanted", () => {
    expect(read("l=quilt&l=quilt&l=!quilt").filters.l).toEqual({ wanted: ["quilt"], unwanted: [] });
  });

  test("cut a text that is too long for the search, and say so", () => {
    const { filters, unknown } = read(`q=${"x".repeat(80)}`);
    expect(filters.q).toHaveLength(64);
    expect(unknown).toEqual(["q"]);
    expect(read(`q=${"x".repeat(63)}%F0%9F%98%80`).filters.q.isWellFormed()).toBe(true);
  });

  test("take the project type from the path, whatever the query says", () => {
    expect(read("type=shader", "mod").filters.type).toBe("mod");
  });

  test("for a set-up name the types that have its loaders, and report unknown values", () => {
    const { filters, unknown } = read("fit=0.4.8&fit=simply_shaders&fit=forge");
    expect(toProjectQuery(filters, taxonomy, { countFacets: false }).site?.setup).toEqual({
      gameVersion: "0.4.8",
      loaders: ["simply_shaders"],
      types: ["shader"],
    });
    expect(unknown).toEqual(["fit=forge"]);
    expect(read("fit=forge").filters.fit).toBeUndefined();
  });

  test("become a query of the search", () => {
    const question = toProjectQuery(
      read("q=a&l=quilt&v=!0.4.8&ch=beta&page=3&n=50&sort=published", "mod").filters,
      taxonomy,
      {
        countFacets: true,
      },
    );
    expect(question).toMatchObject({
      text: "a",
      type: "mod",
      loaders: { wanted: ["quilt"], unwanted: [] },
      gameVersions: { wanted: [], unwanted: ["0.4.8"] },
      channels: { wanted: ["beta"], unwanted: [] },
      sortBy: "recently_published",
      limit: 50,
      offset: 100,
      countFacets: true,
    });
  });
});

describe("the active filters", () => {
  test("each have the list without them, which starts at its first page", () => {
    const { filters } = read("q=a&l=quilt&l=!void&ch=beta&e=client&li=oss&page=4&fit=0.4.8");
    expect(listActive(filters).map(({ key, without }) => [key, toQuery(without)])).toEqual([
      ["q", "?l=quilt&l=!void&fit=0.4.8&ch=beta&e=client&li=oss"],
      ["fit", "?q=a&l=quilt&l=!void&ch=beta&e=client&li=oss"],
      ["l.quilt", "?q=a&l=!void&fit=0.4.8&ch=beta&e=client&li=oss"],
      ["l.void", "?q=a&l=quilt&fit=0.4.8&ch=beta&e=client&li=oss"],
      ["ch", "?q=a&l=quilt&l=!void&fit=0.4.8&e=client&li=oss"],
      ["e", "?q=a&l=quilt&l=!void&fit=0.4.8&ch=beta&li=oss"],
      ["li", "?q=a&l=quilt&l=!void&fit=0.4.8&ch=beta&e=client"],
    ]);
    expect(toQuery(withoutFilters(filters))).toBe("?q=a");
  });
});
