// Filters, counts and orders compared with the simplest evaluation of the same query, over a random registry.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { aiKinds, type Disclosures, type DisclosureTag, disclosureTags } from "#content/shapes/disclosures.js";
import { environments } from "#content/shapes/project.js";
import { channels } from "#content/shapes/version.js";
import { getTaxonomy } from "#content/taxonomy/read.js";
import { write } from "#platform/changes/write.js";
import type { Channel, Environment } from "#platform/db/tables.js";
import { testApp } from "#test/server/harness.js";
import { makeProject, setProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";
import { searchProjects } from "./read.js";
import { type SearchParameters, toSearchQuery } from "./search-query.js";

const world = await testApp();
const { make, resources } = world;
const taxonomy = await getTaxonomy(resources);
const owner = await make.user();

const loaders = ["quilt", "puzzle_loader", "paradox"];
const gameVersions = ["0.4.6", "0.4.7", "0.4.8", "0.4.9"];
const categories = ["magic", "library", "512x+", "8x-"];
const disclosed: DisclosureTag[] = ["ai", "ai-art", "ai-text", "no-ai", "telemetry", "no-paid"];
const channelFilters = channels.flatMap((channel) => [channel, `${channel}-only`]);
const types = ["mod", "shader", "plugin"];

interface Made {
  id: string;
  types: string[];
  categories: string[];
  client: Environment;
  server: Environment;
  hasSource: boolean;
  disclosures: Partial<Disclosures>;
  versions: { channel: Channel; loaders: string[]; gameVersions: string[] }[];
  downloads: number;
  dateUpdated: number;
}

const projects = await furnish(60);

/** A pseudo-random sequence that is the same each time. */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

async function furnish(count: number): Promise<Made[]> {
  const roll = dice(7);
  const some = <T>(from: readonly T[], odds: number) => from.filter(() => roll(odds) === 0);
  const made: Made[] = [];
  for (let n = 0; n < count; n++) {
    const { id } = await makeProject(world, owner, {
      name: `Sample ${n}`,
      visibility: n % 9 === 0 ? "archived" : "listed",
    });
    const own: Made = {
      id,
      types: roll(4) === 0 ? ["mod", "plugin"] : [types[roll(3)]!],
      categories: some(categories, 2),
      client: environments[roll(4)]!,
      server: environments[roll(4)]!,
      hasSource: roll(2) === 0,
      disclosures: {
        ...(roll(2) === 0 && { ai: some(aiKinds, 2) }),
        ...(roll(2) === 0 && { telemetry: { present: roll(2) === 0, details: "", url: null } }),
        ...(roll(2) === 0 && { paidFeatures: { present: roll(2) === 0, details: "", url: null } }),
      },
      versions: [],
      ...{ downloads: roll(20), dateUpdated: 1_700_000_000_000 + roll(1e9) },
    };
    await setProject(world, id, {
      types: JSON.stringify(own.types),
      ...{ client_side: own.client, server_side: own.server, source_url: own.hasSource ? "https://example.com" : null },
      disclosures: JSON.stringify(own.disclosures),
      ...{ downloads: own.downloads, date_updated: own.dateUpdated },
    });
    for (let v = roll(4); v > 0; v--) {
      const version = {
        channel: channels[roll(4)]!,
        loaders: some(loaders, 2),
        gameVersions: [gameVersions[roll(4)]!, ...some(gameVersions, 4)],
      };
      version.gameVersions = [...new Set(version.gameVersions)];
      const { id: versionId } = await makeVersion(world, owner, id, version);
      const fate = roll(6);
      // Withdrawn and quarantined versions count as not published.
      if (fate > 1) own.versions.push(version);
      else await setVersion(id, versionId, fate === 0 ? "date_yanked" : "date_quarantined");
    }
    await write(resources, {}, async (tx) => {
      for (const category of own.categories)
        await tx.db.insertInto("project_categories").values({ project_id: id, category, featured: 0 }).execute();
      await tx.db.updateTable("projects").set({ date_updated: own.dateUpdated }).where("id", "=", id).execute();
      tx.changed("project", id);
    });
    made.push(own);
  }
  return made;
}

function setVersion(projectId: string, id: string, column: "date_yanked" | "date_quarantined"): Promise<void> {
  return write(resources, {}, async (tx) => {
    await tx.db
      .updateTable("versions")
      .set({ [column]: tx.now })
      .where("id", "=", id)
      .execute();
    tx.changed("project", projectId);
  });
}

const split = (values: string[] = []) => ({
  wanted: values.filter((value) => !value.startsWith("!")),
  unwanted: values.filter((value) => value.startsWith("!")).map((value) => value.slice(1)),
});

/** "beta" includes beta and more stable channels; "beta-only" only beta. */
const isInChannel = (value: string, channel: Channel): boolean =>
  value.endsWith("-only")
    ? value === `${channel}-only`
    : channels.indexOf(channel) <= channels.indexOf(value as Channel);

/** Implements the parameters in the simplest possible way. */
function fits(project: Made, { type, l, v, ch, c, d, e, li }: Asked): boolean {
  const [byLoader, byVersion, byChannel, byCategory] = [split(l), split(v), split(ch), split(c)];
  const byDisclosure = split(d);
  const has = (part: "loaders" | "gameVersions", value: string) =>
    project.versions.some((one) => one[part].includes(value));
  const onOneVersion = (one: Made["versions"][number]) =>
    byLoader.wanted.every((value) => one.loaders.includes(value)) &&
    (byVersion.wanted.length === 0 || byVersion.wanted.some((value) => one.gameVersions.includes(value))) &&
    (byChannel.wanted.length === 0 || byChannel.wanted.some((value) => isInChannel(value, one.channel)));
  const { client, server } = project;
  const sides = { client: e?.includes("client"), server: e?.includes("server") };
  return (
    (!type || project.types.includes(type)) &&
    (byLoader.wanted.length + byVersion.wanted.length + byChannel.wanted.length === 0 ||
      project.versions.some(onOneVersion)) &&
    !byChannel.unwanted.some((value) => project.versions.some(({ channel }) => isInChannel(value, channel))) &&
    !byLoader.unwanted.some((value) => has("loaders", value)) &&
    !byVersion.unwanted.some((value) => has("gameVersions", value)) &&
    byCategory.wanted.every((value) => project.categories.includes(value)) &&
    !byCategory.unwanted.some((value) => project.categories.includes(value)) &&
    byDisclosure.wanted.every((tag) => isStated(project.disclosures, tag)) &&
    !byDisclosure.unwanted.some((tag) => isStated(project.disclosures, tag)) &&
    (!sides.client || !sides.server || (client === "required" && server === "required")) &&
    (!sides.client || sides.server || (client !== "unsupported" && server !== "required")) &&
    (!sides.server || sides.client || (server !== "unsupported" && client !== "required")) &&
    (!li || project.hasSource === (li === "oss"))
  );
}

function isStated({ ai, telemetry, paidFeatures }: Partial<Disclosures>, tag: string): boolean {
  const kind = aiKinds.find((each) => tag === `ai-${each}`);
  if (kind) return ai?.includes(kind) ?? false;
  if (tag === "ai") return (ai?.length ?? 0) > 0;
  if (tag === "no-ai") return ai?.length === 0;
  if (tag === "telemetry") return telemetry?.present === true;
  if (tag === "no-telemetry") return telemetry?.present === false;
  return paidFeatures?.present === (tag === "paid");
}

interface Asked {
  type?: string;
  l?: string[];
  v?: string[];
  ch?: string[];
  c?: string[];
  d?: string[];
  e?: string[];
  li?: string;
}

const choices = (values: string[]) =>
  fc.subarray([...values, ...values.map((value) => `!${value}`)], { maxLength: 3 }).filter((some) => some.length > 0);
const asked: fc.Arbitrary<Asked> = fc.record(
  {
    type: fc.constantFrom(...types),
    l: choices(loaders),
    v: choices(gameVersions),
    ch: choices(channelFilters),
    c: choices(categories),
    d: choices(disclosed),
    e: fc.subarray(["client", "server"], { minLength: 1 }),
    li: fc.constantFrom("oss", "!oss"),
  },
  { requiredKeys: [] },
);

const ask = (parameters: SearchParameters) => searchProjects(resources, toSearchQuery(parameters, taxonomy));
const sorted = (ids: Iterable<string>) => [...ids].sort();
const count = (parameters: Asked) => projects.filter((project) => fits(project, parameters)).length;

describe("searchProjects, by any filters,", () => {
  test("finds the same as a check of each project, with the right total", async () => {
    await fc.assert(
      fc.asyncProperty(asked, async (parameters) => {
        const expected = projects.filter((project) => fits(project, parameters)).map(({ id }) => id);
        const { projects: found, total } = await ask({ ...parameters, limit: 100 });
        expect(sorted(found.map(({ id }) => id)), JSON.stringify(parameters)).toEqual(sorted(expected));
        expect(total).toBe(expected.length);
      }),
      { numRuns: 400 },
    );
  });

  test("counts for each value the results of a search with it", async () => {
    await fc.assert(
      fc.asyncProperty(asked, async (parameters) => {
        const { facets } = await ask({ ...parameters, facets: "1", limit: 1 });
        const expected = {
          type: counted(types, (type) => count({ ...parameters, type })),
          l: counted(loaders, (value) => count({ ...parameters, l: [...(parameters.l ?? []), value] })),
          v: counted(gameVersions, (value) => count({ ...parameters, v: [...unwanted(parameters.v), value] })),
          ch: counted(channelFilters, (value) => count({ ...parameters, ch: [...unwanted(parameters.ch), value] })),
          c: counted(categories, (value) => count({ ...parameters, c: [...(parameters.c ?? []), value] })),
          d: counted(disclosureTags, (tag) => count({ ...parameters, d: [...(parameters.d ?? []), tag] })),
          e: counted(["client", "server"], (side) => count({ ...parameters, e: [side] })),
          li: counted(["oss", "!oss"], (li) => count({ ...parameters, li })),
        };
        expect(facets, JSON.stringify(parameters)).toEqual(expected);
      }),
      { numRuns: 200 },
    );
  });

  test("has pages without a gap or a repetition, in the requested order", async () => {
    await fc.assert(
      fc.asyncProperty(asked, fc.integer({ min: 1, max: 30 }), async (parameters, limit) => {
        const ids: string[] = [];
        for (let page = 1; ; page++) {
          const { projects: found } = await ask({ ...parameters, sortby: "downloads", limit, page });
          if (found.length === 0) break;
          ids.push(...found.map(({ id }) => id));
        }
        const expected = projects
          .filter((project) => fits(project, parameters))
          .sort((a, b) => b.downloads - a.downloads || (a.id < b.id ? -1 : 1));
        expect(ids).toEqual(expected.map(({ id }) => id));
      }),
      { numRuns: 50 },
    );
  });

  test("narrows the results of a text and never adds to them", async () => {
    await fc.assert(
      fc.asyncProperty(asked, fc.constantFrom("sample", "samlpe 1", "sample 12"), async (parameters, q) => {
        const all = new Set((await ask({ q, limit: 100 })).projects.map(({ id }) => id));
        const expected = projects.filter((project) => all.has(project.id) && fits(project, parameters));
        const { projects: found } = await ask({ ...parameters, q, limit: 100 });
        expect(sorted(found.map(({ id }) => id))).toEqual(sorted(expected.map(({ id }) => id)));
      }),
      { numRuns: 100 },
    );
  });
});

const unwanted = (values: string[] = []) => values.filter((value) => value.startsWith("!"));
const counted = (values: string[], countOf: (value: string) => number) =>
  Object.fromEntries(values.map((value) => [value, countOf(value)] as const).filter(([, number]) => number > 0));
