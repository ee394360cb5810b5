// SQLite reads projects by their ids, whatever is said about their state, and not all public projects.
import { sql } from "kysely";
import { expect, test } from "vitest";
import { inList } from "#platform/db/dialect.js";
import { engine, testApp } from "#test/server/harness.js";
import { isListedProject, isPublicProject } from "./policy.js";

test.runIf(engine === "sqlite").each([
  ["listed", isListedProject],
  ["public", isPublicProject],
])("%s projects are found by their ids", async (_, condition) => {
  const { resources } = await testApp();
  const { db } = resources;
  const { rows } = await sql<{ detail: string }>`explain query plan
    select projects.name from projects where ${inList(db, sql.ref("projects.id"), ["a"])} and ${condition}`.execute(db);
  const plan = rows.map(({ detail }) => detail).filter((detail) => detail.includes("projects"));
  expect(plan).toEqual(["SEARCH projects USING INDEX sqlite_autoindex_projects_1 (id=?)"]);
});
