// Plants wrong figures of the site and expects them to be found and repaired; changes that are not processed yet are no
// fault.
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { statisticsConsumer } from "#discovery/statistics/consumer.js";
import { catchUp } from "#platform/changes/consumer.js";
import { testApp } from "#test/server/harness.js";
import { makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";
import type { Subject } from "./registry-check.js";
import { repair, verify } from "./verify.js";

const world = await testApp();
const { resources, make } = world;
const { db } = resources;
const subject: Subject = { ...resources, deep: false, safetyMs: 0 };
const author = await make.user();
const project = await makeProject(world, author);
await makeVersion(world, author, project.id);
await catchUp(resources, statisticsConsumer);

const found = async () =>
  (await verify(subject))
    .filter(({ check }) => check === "site figures")
    .map(({ about }) => about)
    .sort();

const faults: [string, () => Promise<unknown>, string[]][] = [
  [
    "a counter",
    () => sql`update counters set value = value + 7 where name = 'statistics.versions'`.execute(db),
    ["counter statistics.versions"],
  ],
  [
    "a counter that is gone",
    () => db.deleteFrom("counters").where("name", "=", "statistics.users").execute(),
    ["counter statistics.users"],
  ],
  [
    "what a project adds",
    () => db.updateTable("project_counts").set({ files: 99 }).execute(),
    ["counter statistics.files", `project ${project.id}`],
  ],
  [
    "a project that is not counted",
    () => db.deleteFrom("project_counts").execute(),
    [...["files", "projects", "versions"].map((name) => `counter statistics.${name}`), `project ${project.id}`],
  ],
  [
    "a project that is counted and was never there",
    () => db.insertInto("project_counts").values({ project_id: "none", versions: 0, files: 0 }).execute(),
    ["counter statistics.projects", "project none"],
  ],
  [
    "a user who is counted and was never there",
    () => db.insertInto("counted_users").values({ user_id: "missing" }).execute(),
    ["counter statistics.users", "user missing"],
  ],
  [
    "a member who is not counted",
    () => db.deleteFrom("counted_members").execute(),
    ["counter statistics.authors", `team ${project.teamId}`],
  ],
];

describe("the site's figures", () => {
  test.each(faults)("%s is found, and repaired permanently", async (_what, plant, expected) => {
    expect(await found()).toEqual([]);
    await plant();
    expect(await found()).toEqual(expected);
    expect((await repair(subject, { apply: true })).map(({ check }) => check)).toEqual(["site figures"]);
    expect(await found()).toEqual([]);
    expect(await repair(subject, { apply: true })).toEqual([]);
  });

  test("that have not processed a change yet are not wrong", async () => {
    // The state of a server that died before it processed the change.
    await sql`delete from feed_cursors where name = ${statisticsConsumer.name}`.execute(db);
    await db.deleteFrom("project_counts").execute();
    await db.deleteFrom("counters").execute();
    await db.deleteFrom("counted_users").execute();
    await db.deleteFrom("counted_members").execute();
    expect(await found()).toEqual([]);
  });
});
