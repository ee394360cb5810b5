import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Kysely, sql } from "kysely";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { engine } from "#test/server/harness.js";
import { isDiskFull, isUnavailable } from "./dialect.js";
import { migrate, migrations } from "./migrate.js";
import { NodeSqliteDialect, SqliteDriver } from "./sqlite.js";
import type { Tables } from "./tables.js";

interface Notes {
  notes: { id: number; text: string | null; parent: number | null };
}

const folders: string[] = [];
const drivers: SqliteDriver[] = [];
afterAll(async () => {
  for (const driver of drivers) await driver.destroy();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function newPath(): string {
  const folder = mkdtempSync(join(tmpdir(), "modshelf-sqlite-"));
  folders.push(folder);
  return join(folder, "test.db");
}

async function open(options: { busyTimeoutMs?: number } = {}) {
  const path = newPath();
  const driver = new SqliteDriver(path, options);
  drivers.push(driver);
  const db = new Kysely<Notes>({ dialect: new NodeSqliteDialect(driver) });
  await sql`create table notes (id integer primary key, text text,
    parent integer references notes (id) deferrable initially deferred) strict`.execute(db);
  return { db, driver, path };
}

const add = (db: Kysely<Notes>, id: number, text: string | null = null) =>
  db.insertInto("notes").values({ id, text, parent: null }).execute();
const ids = async (db: Kysely<Notes>) =>
  (await db.selectFrom("notes").select("id").orderBy("id").execute()).map(({ id }) => id);

describe.runIf(engine === "sqlite")("the SQLite driver", () => {
  test("uses WAL, syncs checkpoints to disk and enforces foreign keys", async () => {
    const { driver } = await open();
    const pragma = (database: DatabaseSync, name: string) =>
      Object.values(database.prepare(`PRAGMA ${name}`).get()!)[0];
    expect(pragma(driver.writer.database, "journal_mode")).toBe("wal");
    expect(pragma(driver.writer.database, "synchronous")).toBe(1);
    for (const { database } of [driver.writer, driver.reader]) expect(pragma(database, "foreign_keys")).toBe(1);
    expect(() => driver.reader.database.exec("delete from notes")).toThrow(/readonly/);
  });

  test("switches a new database to WAL although another process writes to it at that moment", async () => {
    const path = newPath();
    const other = new DatabaseSync(path);
    other.exec("BEGIN IMMEDIATE");
    const { exec } = DatabaseSync.prototype;
    const tried = vi.spyOn(DatabaseSync.prototype, "exec").mockImplementation(function (this: DatabaseSync, text) {
      try {
        exec.call(this, text);
      } catch (error) {
        // The other process is done just after it was in the way.
        if (other.isTransaction) exec.call(other, "COMMIT");
        throw error;
      }
    });
    onTestFinished(() => tried.mockRestore());
    const driver = new SqliteDriver(path);
    expect(other.isTransaction).toBe(false);
    expect(driver.writer.database.prepare("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
    other.close();
    await driver.destroy();
  });

  test("runs transactions one after the other, also while they wait", async () => {
    const { db } = await open();
    const events: string[] = [];
    await Promise.all(
      [1, 2, 3].map((id) =>
        db.transaction().execute(async (tx) => {
          events.push(`${id} begins`);
          await add(tx, id);
          await new Promise((resolve) => setImmediate(resolve));
          expect(await ids(tx)).toContain(id);
          events.push(`${id} ends`);
        }),
      ),
    );
    expect(events).toEqual(["1 begins", "1 ends", "2 begins", "2 ends", "3 begins", "3 ends"]);
  });

  test("lets others run between the statements of a long transaction", async () => {
    const { db } = await open();
    const long = sql`with recursive c(x) as (select 1 union all select x + 1 from c limit 200000) select sum(x) from c`;
    let turns = 0;
    const ticking = setInterval(() => turns++, 1);
    await db.transaction().execute(async (tx) => {
      for (let times = 0; times < 5; times++) await long.execute(tx);
    });
    clearInterval(ticking);
    expect(turns).toBeGreaterThan(2);
  });

  test("keeps single statements out of a running transaction", async () => {
    const { db } = await open();
    const gate = Promise.withResolvers<void>();
    const failed = db.transaction().execute(async (tx) => {
      await add(tx, 1);
      await gate.promise;
      throw new Error("undone");
    });
    const single = add(db, 2);
    gate.resolve();
    await expect(failed).rejects.toThrow("undone");
    await single;
    expect(await ids(db)).toEqual([2]);
  });

  test("shows only committed data, and readers do not wait for writers", async () => {
    const { db } = await open();
    await db.transaction().execute(async (tx) => {
      await add(tx, 1);
      expect(await ids(tx)).toEqual([1]);
      expect(await ids(db)).toEqual([]);
    });
    expect(await ids(db)).toEqual([1]);
  });

  test("refuses to bind values that SQLite would convert silently", async () => {
    const { db } = await open();
    for (const value of [undefined, true, false, new Date(0), {}, [], Symbol("x")])
      await expect(sql`select ${value} as value`.execute(db)).rejects.toThrow(TypeError);
    for (const value of [null, "text", 1, 1.5, 2 ** 53 - 1, -1, "", "ä😀"])
      expect((await sql`select ${value} as value`.execute(db)).rows).toEqual([{ value }]);
    const bytes = new Uint8Array([0, 255]);
    expect((await sql<{ value: Uint8Array }>`select ${bytes} as value`.execute(db)).rows[0]?.value).toEqual(bytes);
  });

  test("reports the number of affected rows, also with a returning clause", async () => {
    const { db } = await open();
    for (const id of [1, 2, 3]) await add(db, id);
    const updated = await db.updateTable("notes").set({ text: "x" }).where("id", "<", 3).executeTakeFirst();
    expect(updated.numUpdatedRows).toBe(2n);
    const returned = await db.updateTable("notes").set({ text: "y" }).returning("id").execute();
    expect(returned.map(({ id }) => id)).toEqual([1, 2, 3]);
    expect((await db.deleteFrom("notes").where("id", "=", 9).executeTakeFirst()).numDeletedRows).toBe(0n);
    expect((await db.deleteFrom("notes").executeTakeFirst()).numDeletedRows).toBe(3n);
  });

  test("keeps a bounded number of prepared statements", async () => {
    const { db, driver } = await open();
    const text = (at: number) => sql.raw(`select ${at} as value`);
    for (let at = 0; at < 700; at++) await text(at).execute(db);
    expect(driver.reader.keptStatements).toBe(500);
    expect((await text(0).execute(db)).rows).toEqual([{ value: 0 }]);
  });

  test("rolls back a transaction after any failure, and continues to work", async () => {
    const { db, driver } = await open();
    const faults: ((tx: Kysely<Notes>) => unknown)[] = [
      () => Promise.reject(new Error("thrown")),
      (tx) => add(tx, 1),
      (tx) => sql`nonsense`.execute(tx),
      // Detected only by the commit itself.
      (tx) => tx.insertInto("notes").values({ id: 7, text: null, parent: 99 }).execute(),
      // Rolled back by hand already.
      (tx) => sql`rollback`.execute(tx),
    ];
    for (const fault of faults) {
      const failed = db.transaction().execute(async (tx) => {
        await add(tx, 1);
        await fault(tx);
      });
      await expect(failed).rejects.toThrow();
      expect(driver.writer.database.isTransaction).toBe(false);
      expect(await ids(db)).toEqual([]);
    }
    await add(db, 1);
    expect(await ids(db)).toEqual([1]);
  });

  test("notices commits of other connections, and only these", async () => {
    const { db, driver, path } = await open();
    const before = driver.dataVersion();
    expect(driver.dataVersion()).toBe(before);
    const other = new DatabaseSync(path);
    other.exec("insert into notes (id) values (1)");
    other.close();
    const after = driver.dataVersion();
    expect(after).not.toBe(before);
    expect(await ids(db)).toEqual([1]);
    expect(driver.dataVersion()).toBe(after);
  });

  test("waits for the lock of another process without blocking, and only for a limited time", async () => {
    const { db, path } = await open({ busyTimeoutMs: 300 });
    const other = new DatabaseSync(path);
    other.exec("BEGIN IMMEDIATE");
    let turns = 0;
    const ticking = setInterval(() => turns++, 5);
    const outcomes = await Promise.allSettled([add(db, 1), add(db, 2), db.transaction().execute((tx) => add(tx, 3))]);
    clearInterval(ticking);
    expect(turns).toBeGreaterThan(10);
    for (const outcome of outcomes) {
      expect(outcome.status).toBe("rejected");
      // The waiters behind the first one are refused by the queue.
      const { reason } = outcome as PromiseRejectedResult;
      expect(isUnavailable(reason) || reason.name === "Busy").toBe(true);
    }
    const waiting = add(db, 4);
    other.exec("COMMIT");
    await waiting;
    expect(await ids(db)).toEqual([4]);
    other.close();
  });

  test("waits longer for another process before a migration than before a request", async () => {
    const { db, driver, path } = await open({ busyTimeoutMs: 10 });
    const other = new DatabaseSync(path);
    other.exec("BEGIN IMMEDIATE");
    const takeTurn = vi.spyOn(driver, "takeTurn");
    const migrating = migrate(db as unknown as Kysely<Tables>, 1);
    await Promise.race([migrating, expect.poll(() => takeTurn.mock.calls.length).toBeGreaterThan(2)]);
    other.exec("COMMIT");
    other.close();
    expect(await migrating).toEqual(migrations.map(({ name }) => name));
  });

  test("refuses a write outside the current transaction instead of waiting for itself", async () => {
    const { db } = await open({ busyTimeoutMs: 100 });
    await expect(db.transaction().execute(() => add(db, 1))).rejects.toThrow();
    await add(db, 2);
    expect(await ids(db)).toEqual([2]);
  });

  test("distinguishes a full disk from other errors, and works again when there is space", async () => {
    const { db, driver } = await open();
    driver.writer.database.exec("PRAGMA max_page_count = 8");
    const failed = db.transaction().execute(async (tx) => {
      for (let id = 0; id < 100; id++) await add(tx, id, "x".repeat(1000));
    });
    const error = await failed.catch((error) => error);
    expect([isDiskFull(error), isUnavailable(error)]).toEqual([true, false]);
    expect(await ids(db)).toEqual([]);
    driver.writer.database.exec("PRAGMA max_page_count = 10000");
    await add(db, 1);
    expect(await ids(db)).toEqual([1]);
  });
});
