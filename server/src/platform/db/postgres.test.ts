import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { write } from "#platform/changes/write.js";
import { engine, testApp, uniqueName } from "#test/server/harness.js";
import { committing, together } from "./dialect.js";
import type { Db } from "./tables.js";

describe.runIf(engine === "postgres")("the PostgreSQL pool", async () => {
  if (engine !== "postgres") return;
  const { resources, make } = await testApp();
  const { db } = resources;
  const one = async <T>(query: ReturnType<typeof sql<T>>) => (await query.execute(db)).rows[0]!;

  test("returns integers as numbers", async () => {
    expect(
      await one(
        sql`select 9007199254740991::bigint as big, count(*) as count, 1.5::numeric as half from (values (1)) as t`,
      ),
    ).toEqual({
      big: 2 ** 53 - 1,
      count: 1,
      half: 1.5,
    });
  });

  test("limits the time of statements, locks and idle transactions", async () => {
    const setting = async (name: string) =>
      (await one(sql<{ value: string }>`select current_setting(${name}) as value`)).value;
    expect(await setting("statement_timeout")).toBe("5s");
    expect(await setting("lock_timeout")).toBe("4s");
    expect(await setting("idle_in_transaction_session_timeout")).toBe("10s");
    expect(await setting("application_name")).toBe("modshelf");
    // The durability of acknowledged writes is left to the configuration of the server.
    expect(
      (await one(sql<{ source: string }>`select source from pg_settings where name = 'synchronous_commit'`)).source,
    ).not.toBe("client");
  });

  test("prepares statements from their second use", async () => {
    const user = await make.user();
    await db.connection().execute(async (connection) => {
      const find = () => connection.selectFrom("users").select("id").where("id", "=", user.id).execute();
      for (let times = 0; times < 3; times++) await find();
      const once = uniqueName();
      await connection
        .selectFrom("users")
        .select(sql<string>`${sql.lit(once)}`.as("once"))
        .where("id", "=", user.id)
        .execute();
      const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(
        connection,
      );
      expect(rows.some(({ statement }) => statement === 'select "id" from "users" where "id" = $1')).toBe(true);
      expect(rows.some(({ statement }) => statement.includes(once))).toBe(false);
    });
  });

  test("prepares statements again after another node has changed their table", async () => {
    const readAll = () => db.selectFrom("settings").selectAll().where("name", "!=", "").execute();
    for (let times = 0; times < 12; times++) await Promise.all([readAll(), readAll(), readAll(), readAll()]);
    await sql`alter table settings add column more text`.execute(db);
    await Promise.all([readAll(), readAll(), readAll(), readAll()]);
    await sql`alter table settings drop column more`.execute(db);
    // Inside a transaction, the whole transaction is repeated. A connection that the server itself used in between may
    // not know the statement.
    const tries = [0, 0, 0, 0];
    const readInTransaction = (at: number) =>
      write(resources, {}, async (tx) => {
        tries[at]!++;
        await tx.db.selectFrom("settings").selectAll().where("name", "!=", "").execute();
      });
    await Promise.all(tries.map((_, at) => readInTransaction(at)));
    expect(Math.max(...tries)).toBe(2);
  });

  test("repeats no statement of a transaction by itself, also if the commit was sent with it", async () => {
    const name = uniqueName();
    const adding = (to: Db) =>
      to
        .insertInto("counters")
        .values({ name, value: 1 })
        .onConflict((on) => on.column("name").doUpdateSet({ value: sql`counters.value + 1` }))
        .returningAll();
    const add = () => db.transaction().execute((tx) => together(tx, [adding(tx), ...committing(tx)]));
    let added = 0;
    for (; added < 48; added += 4) await Promise.all([add(), add(), add(), add()]);
    await sql`alter table counters add column more text`.execute(db);
    const ended = await Promise.allSettled([add(), add(), add(), add()]);
    await sql`alter table counters drop column more`.execute(db);
    expect(ended.some(({ status }) => status === "rejected")).toBe(true);
    added += ended.filter(({ status }) => status === "fulfilled").length;
    expect(await db.selectFrom("counters").select("value").where("name", "=", name).execute()).toEqual([
      { value: added },
    ]);
  });
});
