// Statements that are sent together: their order, their results, and the end of a transaction in which one fails.
import { sql } from "kysely";
import pg from "pg";
import { expect, test } from "vitest";
import { engine, testApp } from "#test/server/harness.js";
import { brokenUnique, committing, type Statement, together } from "./dialect.js";

const { resources, databaseUrl } = await testApp();
const { db } = resources;

const counter = (name: string, value: number): Statement => db.insertInto("counters").values({ name, value });
const valuesOf = (...names: string[]) =>
  db.selectFrom("counters").select(["name", "value"]).where("name", "in", names).orderBy("name");

test("statements run in order and return their own rows, inside a transaction and outside of one", async () => {
  const [one, none] = await together(db, [valuesOf("one"), valuesOf("none")], [counter("one", 1)]);
  expect([one.rows, none.rows]).toEqual([[{ name: "one", value: 1 }], []]);
  const both = await db.transaction().execute(async (tx) => {
    const [first] = await together(tx, [valuesOf("two")], [counter("two", 2)]);
    const [second] = await together(tx, [
      sql<{ value: number }>`update counters set value = 3 where name = 'two' returning value`,
    ]);
    return [first.rows[0]?.value, second.rows[0]?.value];
  });
  expect(both).toEqual([2, 3]);
  expect(await together(db, [])).toEqual([]);
});

test("the first failure is thrown, and nothing of the transaction remains", async () => {
  const failing = db
    .transaction()
    .execute((tx) => together(tx, [counter("same", 1), counter("same", 2), counter("late", 3)]));
  expect(brokenUnique(await failing.catch((error) => error))).toMatch(/^counters/);
  expect(await valuesOf("same", "late").execute()).toEqual([]);
  // The connection can be used again.
  for (let times = 0; times < 20; times++) expect(await valuesOf("late").execute()).toEqual([]);
});

test("a transaction can commit with its last statements, and the next one on its connection is its own", async () => {
  const ending = (...statements: Statement[]) =>
    db.transaction().execute((tx) => together(tx, [...statements, ...committing(tx)]));
  await ending(counter("early", 1));
  const failing = ending(counter("undone", 1), counter("early", 2));
  expect(brokenUnique(await failing.catch((error) => error))).toMatch(/^counters/);
  const thrown = db.transaction().execute(async (tx) => {
    await together(tx, [counter("thrown", 1)]);
    throw new Error("no");
  });
  await expect(thrown).rejects.toThrow("no");
  await db.transaction().execute(async (tx) => {
    await together(tx, [counter("later", 3)]);
  });
  expect(await valuesOf("early", "later", "thrown", "undone").execute()).toEqual([
    { name: "early", value: 1 },
    { name: "later", value: 3 },
  ]);
});

test.runIf(engine === "postgres")(
  "a statement sees what was committed while an earlier one waited for a lock",
  async () => {
    const other = new pg.Client({ connectionString: databaseUrl });
    await other.connect();
    await other.query("begin");
    await other.query("select pg_advisory_xact_lock(42)");
    await other.query("insert into counters (name, value) values ('seen', 1)");
    const seen = db
      .transaction()
      .execute((tx) => together(tx, [valuesOf("seen")], [sql`select pg_advisory_xact_lock(42)`]));
    await expect
      .poll(
        async () => (await other.query("select 1 from pg_locks where locktype = 'advisory' and not granted")).rowCount,
      )
      .toBe(1);
    await other.query("commit");
    await other.end();
    const [{ rows }] = await seen;
    expect(rows).toEqual([{ name: "seen", value: 1 }]);
  },
);

test.runIf(engine === "postgres")(
  "a transaction whose connection is lost while it begins changes nothing",
  async () => {
    const failing = db.transaction().execute(async (tx) => {
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx).catch(() => undefined);
      await together(tx, [counter("lost", 1)]);
    });
    await expect(failing).rejects.toThrow();
    expect(await valuesOf("lost").execute()).toEqual([]);
  },
);
