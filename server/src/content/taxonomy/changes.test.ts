// The effects of a new taxonomy: counted over all projects, also private ones, and more than one statement reads.
import { expect, test } from "vitest";
import { testApp } from "#test/server/harness.js";
import { makeManyProjects, makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";
import { findTaxonomyChanges } from "./changes.js";
import type { TaxonomyDocument } from "./document.js";
import { removeEntry } from "./edit-entry.js";
import { readDefaultTaxonomy } from "./taxonomy.js";

const world = await testApp();
const { db } = world.resources;
const before = readDefaultTaxonomy();
const changesTo = (after: TaxonomyDocument) => findTaxonomyChanges(db, before, after);
const without = (...[list, name]: [Parameters<typeof removeEntry>[1], string]) => {
  const removed = removeEntry(before, list, name);
  if (!removed.ok) throw new Error(removed.report);
  return removed.document;
};

test("nothing is counted if nothing changes", async () => {
  expect(await changesTo(structuredClone(before))).toMatchObject({ isSame: true, misfits: { count: 0 } });
});

test("removed names are counted with the projects and versions that use them", async () => {
  const author = await world.make.user();
  const hidden = await makeProject(world, author, { types: ["mod"], visibility: "private", name: "Hidden one" });
  await makeVersion(world, author, hidden.id, {
    loaders: ["quilt", "puzzle_loader"],
    gameVersions: ["0.4.8", "0.4.7"],
  });
  await makeVersion(world, author, hidden.id, { loaders: ["puzzle_loader"], gameVersions: ["0.4.8"] });
  await db.insertInto("project_categories").values({ project_id: hidden.id, category: "magic", featured: 0 }).execute();
  const useOf = async (...given: Parameters<typeof without>) => {
    const { lists, misfits } = await changesTo(without(...given));
    return [lists.find(({ list }) => list === given[0])!.removed, misfits];
  };
  const misfit = { count: 1, examples: [{ slug: hidden.slug, name: "Hidden one" }] };
  const fits = { count: 0, examples: [] };
  expect(await useOf("loaders", "puzzle_loader")).toEqual([
    [{ name: "puzzle_loader", use: { projects: 1, versions: 2 } }],
    misfit,
  ]);
  expect(await useOf("gameVersions", "0.4.7")).toEqual([[{ name: "0.4.7", use: { projects: 1, versions: 1 } }], fits]);
  expect(await useOf("categories", "magic")).toEqual([[{ name: "magic", use: { projects: 1, versions: 0 } }], misfit]);
  expect(await useOf("loaders", "paradox")).toEqual([[{ name: "paradox", use: { projects: 0, versions: 0 } }], fits]);
  const narrowed = structuredClone(before);
  narrowed.categories.find(({ name }) => name === "magic")!.projectTypes = ["plugin"];
  expect(await changesTo(narrowed)).toMatchObject({ misfits: misfit });
});

test("every project is counted", async () => {
  const author = await world.make.user();
  const { id } = await makeProject(world, author, { types: ["mod"] });
  await makeManyProjects(world, id, 1100);
  const { lists, misfits, isPartial } = await changesTo(without("projectTypes", "mod"));
  const { use } = lists[0]!.removed[0]!;
  const { count } = await db
    .selectFrom("projects")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("types", "like", '%"mod"%')
    .executeTakeFirstOrThrow();
  expect(use.projects).toBe(Number(count));
  expect(use.projects).toBeGreaterThan(1100);
  expect([misfits.count, misfits.examples.length, isPartial]).toEqual([use.projects, 5, false]);
});

test("a renamed entry and a new order are recognized", async () => {
  const renamed = structuredClone(before);
  renamed.loaders[0]!.name = "quilted";
  renamed.gameVersions.reverse();
  const { lists } = await changesTo(renamed);
  expect(lists.find(({ list }) => list === "loaders")).toMatchObject({
    renamed: ["quilt", "quilted"],
    added: ["quilted"],
  });
  expect(lists.find(({ list }) => list === "gameVersions")).toMatchObject({
    isReordered: true,
    added: [],
    removed: [],
  });
  expect(lists.find(({ list }) => list === "categories")).toMatchObject({ isReordered: false, changed: [] });
});
