// The registry that benchmarks generate is written directly into the tables. Every invariant that `modshelf verify`
// knows must hold for it, or the benchmarks would measure something that cannot exist.
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { verify } from "#operations/verification/verify.js";
import { migrate } from "#platform/db/migrate.js";
import { openDatabase } from "#platform/db/open.js";
import { testApp } from "#test/server/harness.js";
import { emptyDatabase, openForTest } from "./empty-database.js";

const { resources } = await testApp();
const load = (name: string) => import(pathToFileURL(`bench/life/registry/${name}.mjs`).href);

test("a generated registry keeps every invariant, except that most of its files have no bytes", async () => {
  const place = await emptyDatabase();
  const made = openDatabase(place, () => {});
  await migrate(made.db, Date.now());
  await made.close();
  const [{ createWorld }, filling] = await Promise.all([load("world"), load(`fill-${place.engine}`)]);
  const world = createWorld({ projects: 60, seed: 7, now: Date.now() });
  const picture = { sha512: Buffer.alloc(64, 1), sha1: Buffer.alloc(20, 1), size: 1 };
  const extras = {
    pictures: { icons: [picture], scenes: [picture] },
    publisher: { user: 0, projects: new Set([1, 2]) },
  };
  const fill = place.engine === "sqlite" ? filling.fillSqlite : filling.fillPostgres;
  await fill(place.engine === "sqlite" ? place.path : place.url, world, extras, [picture]);

  const { db } = openForTest(place);
  const found = await verify({ ...resources, db, deep: false, safetyMs: 0 });
  expect(found.filter(({ check }) => check !== "stored files")).toEqual([]);
  const count = async (
    table: "projects" | "versions" | "version_files" | "gallery_items" | "dependencies" | "organizations",
  ) => (await db.selectFrom(table).select(db.fn.countAll<number>().as("count")).executeTakeFirstOrThrow()).count;
  expect([await count("projects"), await count("versions")]).toEqual([60, world.versions]);
  expect(await count("version_files")).toBeGreaterThan(world.versions);
  for (const table of ["gallery_items", "dependencies", "organizations"] as const)
    expect(await count(table)).toBeGreaterThan(0);
  // The traffic computes hashes and never reads them.
  const { id } = world.version(5, 0);
  const file = await db.selectFrom("version_files").select("sha512").where("version_id", "=", id).execute();
  expect(file.map(({ sha512 }) => Buffer.from(sha512).toString("hex"))).toContain(
    world.hashesOf(5, 0).sha512.toString("hex"),
  );
});
