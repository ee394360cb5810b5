// Law: the tables created by the migrations are the tables that the queries are typed by, on this engine; and each
// migration runs once, however often and by however many processes.
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import type { Column } from "#platform/db/columns.js";
import {
  listPendingMigrations,
  listUnknownMigrations,
  migrate,
  migrations,
  NewerSchema,
} from "#platform/db/migrate.js";
import { tables } from "#platform/db/tables.js";
import { engine } from "#test/server/harness.js";
import { emptyDatabase, openForTest } from "./empty-database.js";
import { migrateInProcesses } from "./migrating-processes.js";

interface ColumnFound {
  table: string;
  column: string;
  type: string;
  nullable: boolean;
}

const { db } = openForTest(await emptyDatabase());
const names = migrations.map(({ name }) => name);

async function listColumns(): Promise<ColumnFound[]> {
  if (engine === "postgres") {
    const { rows } = await sql<{ table_name: string; column_name: string; data_type: string; is_nullable: string }>`
      select table_name, column_name, data_type, is_nullable from information_schema.columns
      where table_schema = 'public'`.execute(db);
    return rows.map((row) => ({
      table: row.table_name,
      column: row.column_name,
      type: row.data_type,
      nullable: row.is_nullable === "YES",
    }));
  }
  const { rows } = await sql<{ table: string; name: string; type: string; notnull: number; pk: number }>`
    select m.name as "table", c.name, c.type, c."notnull", c.pk
    from sqlite_master m join pragma_table_info(m.name) c
    where m.type = 'table' and m.name not like 'sqlite%'`.execute(db);
  return rows.map((row) => ({
    table: row.table,
    column: row.name,
    type: row.type.toLowerCase(),
    // A key of a STRICT table is never null, even if its definition does not say so.
    nullable: row.notnull === 0 && row.pk === 0,
  }));
}

/**
 * Each engine stores the full text in its own form, SQLite in several tables; only discovery/search/full-text.ts uses
 * them.
 */
const isFullText = (table: string): boolean => /^search_text(?:_|$)/.test(table);

const kinds: Record<string, Column<unknown>["kind"]> = {
  text: "text",
  integer: "integer",
  bigint: "integer",
  blob: "bytes",
  bytea: "bytes",
};

const line = (table: string, column: string, kind: string | undefined, nullable: boolean): string =>
  `${table}.${column} ${kind}${nullable ? " or null" : ""}`;

describe("the migrated schema", () => {
  test("is missing from an empty database: every migration is pending", async () => {
    expect(await listPendingMigrations(db)).toEqual(names);
  });

  test("is created from an empty database, each migration once", async () => {
    expect(await migrate(db, 1)).toEqual(names);
    expect(await listPendingMigrations(db)).toEqual([]);
  });

  test("has exactly the tables and columns that the queries are typed by", async () => {
    const found = (await listColumns())
      .filter(({ table }) => table !== "migrations" && !isFullText(table))
      .map(({ table, column, type, nullable }) => line(table, column, kinds[type], nullable));
    const declared = Object.entries(tables).flatMap(([table, columns]) =>
      Object.entries(columns).map(([column, { kind, nullable }]) => line(table, column, kind, nullable)),
    );
    expect(found.sort()).toEqual(declared.sort());
  });

  test.runIf(engine === "postgres")(
    "orders every text column by code point, independent of the database's language",
    async () => {
      const listOthers = async () =>
        (
          await sql<{
            column: string;
          }>`select table_name || '.' || column_name as column from information_schema.columns
          where table_schema = 'public' and data_type = 'text' and collation_name is distinct from 'C'`.execute(db)
        ).rows.map(({ column }) => column);
      expect(await listOthers()).toEqual([]);
      // The database under test has a linguistic order, which a query without the collation would use.
      const { rows } = await sql<{
        database: boolean;
        column: boolean;
      }>`select 'a' < 'B' as database, min(name) < 'B' as column
      from (select name from users where name < 'B' union all select 'a' collate "C") as names(name)`.execute(db);
      expect(rows).toEqual([{ database: true, column: false }]);

      await sql`alter table users alter column name type text collate "default"`.execute(db);
      expect(await listOthers()).toEqual(["users.name"]);
      await migrate(db, 1);
      expect(await listOthers()).toEqual([]);
    },
  );

  test("names unique indexes so that violations are recognized", async () => {
    const { rows } =
      engine === "postgres"
        ? await sql<{ name: string }>`select indexname as name from pg_indexes
            where schemaname = 'public' and indexdef like '%UNIQUE%'`.execute(db)
        : await sql<{ name: string }>`select name from sqlite_master
            where type = 'index' and sql like '%UNIQUE%'`.execute(db);
    // PostgreSQL itself names the indexes of keys and of UNIQUE (…).
    const odd = rows.map(({ name }) => name).filter((name) => !/^[a-z0-9_]+_(?:unique|pkey|key)$/.test(name));
    expect(odd).toEqual([]);
    expect(rows.length).toBeGreaterThan(15);
  });

  test("is unchanged when migrated again", async () => {
    const before = await listColumns();
    expect(await migrate(db, 2)).toEqual([]);
    expect(await listColumns()).toEqual(before);
    const { rows } = await sql<{ name: string; date_run: number }>`select name, date_run from migrations`.execute(db);
    expect(rows).toEqual(names.map((name) => ({ name, date_run: 1 })));
  });

  test("knows migrations by their former names", async () => {
    const older = openForTest(await emptyDatabase()).db;
    await migrate(older, 1);
    await sql`update migrations set name = '0001-ground-floor' where name = '0001-interface'`.execute(older);
    await sql`update migrations set name = '0007-statements' where name = '0007-email-length'`.execute(older);
    expect(await migrate(older, 2)).toEqual([]);
    expect([await listPendingMigrations(older), await listUnknownMigrations(older)]).toEqual([[], []]);
  });

  test("keeps webhooks with their URLs and deliveries when URLs are sealed (0008)", async () => {
    const older = openForTest(await emptyDatabase()).db;
    await migrate(older, 1, "0007-email-length");
    await sql`insert into webhooks (id, owner_kind, owner_id, url, form, secret, events, enabled, failures, date_created, date_updated)
      values ('hook', 'project', 'lamps', 'https://hooks.example.org/a', 'standard', 's', '[]', 1, 0, 1, 1)`.execute(
      older,
    );
    await sql`insert into webhook_deliveries (id, webhook_id, message_id, event, facts, status, attempts, date_created)
      values ('delivery', 'hook', 'msg', 'ping', '{}', 'pending', 0, 1)`.execute(older);
    await migrate(older, 2);
    expect(await older.selectFrom("webhooks").select(["id", "url"]).execute()).toEqual([
      { id: "hook", url: "https://hooks.example.org/a" },
    ]);
    expect(await older.selectFrom("webhook_deliveries").select("id").execute()).toHaveLength(1);
    const url = "x".repeat(5000);
    expect((await older.updateTable("webhooks").set({ url }).executeTakeFirst()).numUpdatedRows).toBe(1n);
  });

  test("keeps the language of users, and accepts new languages, after 0009", async () => {
    const older = openForTest(await emptyDatabase()).db;
    await migrate(older, 1, "0008-sealed-addresses");
    await sql`insert into users (id, user_name, email_verified, role, date_joined, locale)
      values ('ada', 'ada', 0, 'user', 1, 'de')`.execute(older);
    await migrate(older, 2);
    const find = () => older.selectFrom("users").select("locale").where("id", "=", "ada").execute();
    expect(await find()).toEqual([{ locale: "de" }]);
    await sql`update users set locale = 'zh'`.execute(older);
    expect(await find()).toEqual([{ locale: "zh" }]);
  });

  test("is refused and unchanged if a newer Modshelf has migrated it", async () => {
    const newer = openForTest(await emptyDatabase()).db;
    await migrate(newer, 1);
    await sql`insert into migrations (name, date_run) values ('9999-from-the-future', 1)`.execute(newer);
    const refusal = await migrate(newer, 2).catch((error) => error);
    expect(refusal).toBeInstanceOf(NewerSchema);
    expect(refusal.message).toContain("9999-from-the-future");
    const { rows } = await sql<{ name: string }>`select name from migrations`.execute(newer);
    expect(rows.map(({ name }) => name).sort()).toEqual([...names, "9999-from-the-future"].sort());
  });

  test("is created once if several processes start on an empty database at the same time", async () => {
    const config = await emptyDatabase();
    const told = await migrateInProcesses(config, 3);
    expect(told.filter(({ run }) => run.length > 0)).toHaveLength(1);
    expect(told.flatMap(({ run }) => run)).toEqual(names);
    expect(await listPendingMigrations(openForTest(config).db)).toEqual([]);
  });
});
