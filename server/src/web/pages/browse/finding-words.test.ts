// Other forms of words, names of loaders and categories, corrections, and suggestions while typing.
import { describe, expect, test } from "vitest";
import { write } from "#platform/changes/write.js";
import { testApp } from "#test/server/harness.js";
import { makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";

const world = await testApp();
const { as } = world;
const author = await world.make.user();
const ships = await makeProject(world, author, { name: "Tall Sails", summary: "Build ships block by block" });
const lamp = await makeProject(world, author, { name: "Lanterns", summary: "Light for caves", types: ["mod"] });
await makeVersion(world, author, lamp.id, { loaders: ["puzzle_loader"], gameVersions: ["0.4.8"] });
await write(world.resources, { credential: "test" }, async (tx) => {
  const category = { project_id: ships.id, category: "transportation", featured: 0 } as const;
  await tx.db.insertInto("project_categories").values(category).execute();
  tx.changed("project", ships.id);
});
await makeProject(world, author, { name: "Hidden ships", summary: "Build ships", visibility: "unlisted" });

const found = async (text: string) => {
  const { body } = await as.anyone.get(`/api/search?q=${encodeURIComponent(text)}`);
  return body.hits.map(({ name }: { name: string }) => name);
};

describe("a search", () => {
  test.each([
    ["ship building", "Tall Sails"],
    ["builders of ships", undefined],
    ["builder ship", "Tall Sails"],
    ["lanterned", "Lanterns"],
    ["transportation", "Tall Sails"],
    ["puzzle", "Lanterns"],
    ["puzzle loader lantern", "Lanterns"],
    ["puzzle ships", undefined],
  ])("for %j finds %s, by other forms of words and by tags", async (text, name) => {
    expect(await found(text)).toEqual(name === undefined ? [] : [name]);
  });

  test("that finds similar words asks whether they were meant", async () => {
    const get = async (path: string) => (await as.anyone.get(path, { headers: { accept: "text/html" } })).text;
    const text = await get("/search?q=lantrens+caves&l=puzzle_loader");
    expect(text).toContain('Did you mean: <a href="/search?q=lanterns+caves&amp;l=puzzle_loader">lanterns caves</a>');
    expect(await get("/search?q=lanterns")).not.toContain("Did you mean");
    expect(await get("/search?q=xyzzyx")).not.toContain("Did you mean");
  });
});

describe("suggestProjects", () => {
  const suggest = (q: string) => as.anyone.get(`/search/suggestions?q=${encodeURIComponent(q)}`);

  test("suggests listed projects with icon and type, for the beginning of a word", async () => {
    const { body } = await suggest("lan");
    expect(body).toEqual([
      { name: "Lanterns", href: `/project/${lamp.slug}`, icon: expect.stringMatching(/./), type: "Mod" },
    ]);
    expect((await suggest("ships")).body.map(({ name }: { name: string }) => name)).toEqual(["Tall Sails"]);
    expect((await suggest("nothing at all")).body).toEqual([]);
  });

  test("refuses texts that the search refuses", async () => {
    for (const text of ["", "x".repeat(65)]) expect((await suggest(text)).status, text).toBe(400);
    expect((await suggest('"><script>')).status).toBe(200);
  });
});
