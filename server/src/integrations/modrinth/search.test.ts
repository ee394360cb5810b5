// Searches of the Modrinth face: facets of three levels with operators, sorting and paging.
import { describe, expect, test } from "vitest";
import { readPreset } from "#content/taxonomy/presets.js";
import { setTaxonomy } from "#content/taxonomy/write.js";
import { write } from "#platform/changes/write.js";
import { testApp } from "#test/server/harness.js";
import { makeProject, type ProjectOptions, setProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";

const world = await testApp();
const { as, make, resources } = world;
await write(resources, { credential: "test" }, (tx) => setTaxonomy(tx, readPreset("minecraft"), "test"));
const [ada, bob] = [await make.user({ userName: "ada" }), await make.user({ userName: "bob" })];

type Fit = [loader: string, gameVersion: string];
type Change = Parameters<typeof setProject>[2];
async function project(
  slug: string,
  fits: Fit[],
  change: Change = { downloads: 0 },
  options: ProjectOptions = {},
  owner = ada,
) {
  const { id } = await makeProject(world, owner, { slug, name: slug, ...options });
  for (const [loader, gameVersion] of fits)
    await makeVersion(world, owner, id, { loaders: [loader], gameVersions: [gameVersion] });
  await setProject(world, id, change);
  return id;
}

const sides = (client_side: "required" | "optional", server_side: "required" | "unsupported") => ({
  client_side,
  server_side,
});
const day = (n: number) => Date.UTC(2026, 0, n);
const lamp = await project("lamp", [["fabric", "1.20.1"]], {
  ...{
    downloads: 100,
    followers: 1,
    ...sides("required", "unsupported"),
    date_published: day(1),
    date_updated: day(5),
  },
});
// Has both, but not on one version.
const split = await project(
  "split",
  [
    ["fabric", "1.19.2"],
    ["forge", "1.20.1"],
  ],
  {
    ...{ downloads: 50, followers: 3, ...sides("optional", "required"), date_published: day(2), date_updated: day(3) },
    source_url: "https://example.org/split",
  },
);
const quilted = await project(
  "quilted",
  [["quilt", "1.20.1"]],
  { downloads: 10, followers: 2, date_published: day(3), date_updated: day(4) },
  { license: "Apache-2.0" },
  bob,
);
const pack = await project(
  "pack",
  [["minecraft", "1.20.1"]],
  { downloads: 5, date_published: day(4), date_updated: day(2) },
  {
    types: ["resourcepack"],
  },
);
await write(resources, { credential: "test" }, async (tx) => {
  await tx.db.insertInto("project_categories").values({ project_id: pack, category: "16x", featured: 0 }).execute();
  tx.changed("project", pack, []);
});
await project("draft", [["fabric", "1.20.1"]], undefined, { status: "draft" });

const search = (query: Record<string, string>) => as.anyone.get(`/v2/search?${new URLSearchParams(query)}`);
const names = ["lamp", "split", "quilted", "pack"];
async function find(facets: unknown): Promise<string> {
  const { body, text } = await search({ facets: JSON.stringify(facets), index: "downloads" });
  expect(body.hits, text).toBeDefined();
  return body.hits.map(({ slug }: { slug: string }) => slug).join(" ");
}

describe("modrinthSearch", () => {
  test("answers with Modrinth's hits, and counts all of them", async () => {
    const { body } = await search({ query: "lamp" });
    expect(body).toMatchObject({ offset: 0, limit: 10, total_hits: 1 });
    expect(body.hits[0]).toMatchObject({
      ...{ project_id: lamp, slug: "lamp", title: "lamp", author: "ada", project_type: "mod", license: "MIT" },
      ...{ categories: ["fabric"], versions: ["1.20.1"], latest_version: "1.20.1", downloads: 100, follows: 1 },
      ...{ client_side: "required", server_side: "unsupported", date_created: "2026-01-01T00:00:00.000Z" },
    });
    const all = await search({});
    expect(all.body.total_hits).toBe(4);
    expect((await search({ facets: "" })).body).toEqual(all.body);
  });

  test.each<[facets: unknown, found: string]>([
    [[], "lamp split quilted pack"],
    [[[]], "lamp split quilted pack"],
    [[["project_type:mod"]], "lamp split quilted"],
    [["project_type:resourcepack"], "pack"],
    [[["project_type:mod", "project_type:resourcepack"]], "lamp split quilted pack"],
    [[["project_type!=mod"]], "pack"],
    [[["project_type:CANARY"]], ""],
    [[["categories:fabric"]], "lamp split"],
    [[["categories:16x"]], "pack"],
    [[["categories:fabric", "categories:quilt"]], "lamp split quilted"],
    [[["categories!=fabric"]], "quilted pack"],
    [[["versions:1.20.1"]], "lamp split quilted pack"],
    // One version must have both: Modrinth would find "split" too.
    [[["categories:fabric"], ["versions:1.20.1"]], "lamp"],
    [
      [
        ["categories:fabric", "categories:quilt"],
        ["versions:1.20.1", "versions:1.21"],
      ],
      "lamp quilted",
    ],
    [[["categories:fabric"], ["categories:forge"]], "split"],
    // The third level: all of the inner ones.
    [[[["categories:fabric", "versions:1.19.2"], ["project_type:resourcepack"]]], "split pack"],
    [[["client_side:required"]], "lamp pack"],
    [[["client_side:required", "client_side:optional"], ["server_side!=unsupported"]], "split"],
    [[["open_source:true"]], "split"],
    [[["open_source:false"]], "lamp quilted pack"],
    [[["license:apache-2.0"]], "quilted"],
    [[["author:bob"]], "quilted"],
    [[["author:stranger"]], ""],
    [[[`project_id:${quilted}`, `project_id = ${split}`]], "split quilted"],
    [[["downloads>10"]], "lamp split"],
    [[["downloads >= 10"], ["downloads<100"]], "split quilted"],
    [[["follows=3", "follows<=0"]], "split pack"],
    [[[`created_timestamp>${day(2) / 1000}`]], "quilted pack"],
    [[["date_modified>=2026-01-04T00:00:00Z"]], "lamp quilted"],
  ])("finds with the facets %j: %s", async (facets, found) => {
    expect(await find(facets)).toBe(found);
  });

  test("sorts in five orders, and pages from any offset", async () => {
    const sorted = async (index: string) =>
      (await search({ index })).body.hits.map(({ slug }: { slug: string }) => slug).join(" ");
    expect(await sorted("downloads")).toBe("lamp split quilted pack");
    expect(await sorted("follows")).toBe("split quilted lamp pack");
    expect(await sorted("newest")).toBe("pack quilted split lamp");
    expect(await sorted("updated")).toBe("lamp quilted split pack");
    expect((await sorted("relevance")).split(" ").sort()).toEqual(names.toSorted());
    // Not a multiple of the limit.
    const page = (await search({ index: "downloads", offset: "1", limit: "2" })).body;
    expect(page.hits.map(({ slug }: { slug: string }) => slug)).toEqual(["split", "quilted"]);
    expect(page).toMatchObject({ offset: 1, limit: 2, total_hits: 4 });
    expect((await search({ limit: "0" })).body).toMatchObject({ limit: 1 });
    expect((await search({ limit: "5000" })).body).toMatchObject({ limit: 100 });
    expect((await search({ offset: "99999999" })).body).toMatchObject({ hits: [], total_hits: 4 });
  });

  test("is the same on the ordinary route", async () => {
    const path = `/v2/search?facets=${encodeURIComponent('[["categories:fabric"]]')}&index=downloads`;
    const [hot, ordinary] = [await as.anyone.get(path), await as.anyone.with({ "x-unusual": "1" }).get(path)];
    expect([ordinary.text, ordinary.headers.get("etag")]).toEqual([hot.text, hot.headers.get("etag")]);
  });

  const many = (facet: string, count: number) => JSON.stringify(Array.from({ length: count }, () => [facet]));
  test.each<Record<string, string>>([
    { facets: "categories:fabric" },
    { facets: "{}" },
    { facets: "[[" },
    { facets: "[[[[]]]]" },
    { facets: "[[1]]" },
    { facets: '[["fabric"]]' },
    { facets: '[["nonsense:1"]]' },
    { facets: '[["categories>fabric"]]' },
    { facets: '[["downloads:many"]]' },
    { facets: '[["date_created>never"]]' },
    { facets: `[["${"x".repeat(200)}:1"]]` },
    { facets: many("versions:1.20.1", 101) },
    { facets: many("downloads>1", 9) },
    { facets: many("author:ada", 4) },
    { index: "CANARY" },
    { offset: "-1" },
    { limit: "ten" },
  ])("refuses %j with a sentence that names the parameter", async (query) => {
    const { status, body } = await search(query);
    expect([status, body.error]).toEqual([400, "invalid_input"]);
    expect(body.description).toContain(Object.keys(query)[0]);
  });
});
