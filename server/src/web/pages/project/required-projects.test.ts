// The projects that the newest version of a project requires, in the side column of its page.
import { expect, test } from "vitest";
import type { Actor } from "#test/callers/actors.js";
import { testApp } from "#test/server/harness.js";
import { countStatements, leastCounts } from "#test/server/statement-count.js";
import { setProject } from "#test/worlds/content.js";
import { TestMods } from "#test/worlds/test-mods.js";

const world = await testApp();
const { as, make } = world;
const author = await make.user();
const shelf = new TestMods(world, author);
const pathOf = (name: string): string => `/project/${shelf.projects.get(name)!.slug}`;

/** The paths in the block, in their order. */
async function requires(name: string, actor: Actor = as.anyone): Promise<string[]> {
  const { text } = await actor.get(pathOf(name), { headers: { accept: "text/html" } });
  const block = /<h2>Requires<\/h2>(.*?)<\/section>/s.exec(text)?.[1] ?? "";
  return [...block.matchAll(/<a href="([^"]*)" dir="auto">/g)].map(([, path]) => path!);
}

test("are those of the newest release, for guests and users, without optional and incompatible ones", async () => {
  for (const name of ["core", "light", "friend", "foe"]) await shelf.version(`${name}@1.0`);
  await shelf.version("lantern@1.0", { needs: "friend" });
  await shelf.version("lantern@2.0", { needs: "light core ?friend !foe" });
  await shelf.version("lantern@3.0-b", { needs: "friend", channel: "beta" });
  for (const actor of [as.anyone, as.user(author), as.user(await make.user()), as.anyone])
    expect((await requires("lantern", actor)).sort()).toEqual([pathOf("core"), pathOf("light")].sort());
  expect(await requires("core")).toEqual([]);
});

test("follow the names of the other projects, and leave out those that the visitor may not see", async () => {
  await shelf.version("base@1.0");
  await shelf.version("top@1.0", { needs: "base" });
  const id = shelf.projects.get("base")!.id;
  const shown = async (actor?: Actor) =>
    (await (actor ?? as.anyone).get(pathOf("top"), { headers: { accept: "text/html" } })).text;
  expect(await requires("top")).toEqual([pathOf("base")]);
  await setProject(world, id, { name: "Renamed <base>" });
  expect(await shown()).toContain("Renamed &lt;base>");
  await setProject(world, id, { visibility: "private" });
  expect(await requires("top")).toEqual([]);
  expect(await shown()).not.toContain("Renamed");
  expect(await requires("top", as.user(await make.user()))).toEqual([]);
});

test("are eight at most, and cost as many statements as one", async () => {
  const names = Array.from({ length: 10 }, (_, at) => `part-${at}`);
  for (const name of names) await shelf.version(`${name}@1.0`);
  await shelf.version("whole@1.0", { needs: names.join(" ") });
  expect(await requires("whole")).toHaveLength(8);
  await shelf.version("single@1.0", { needs: "part-9" });
  const visitor = as.user(await make.user());
  const count = (name: string) => () => countStatements(world.resources.db, () => requires(name, visitor));
  const { first, second } = await leastCounts(count("single"), count("whole"));
  expect(second).toBe(first);
});
