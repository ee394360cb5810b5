import fs, { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Kysely, sql } from "kysely";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { engine } from "#test/server/harness.js";
import { isUnavailable } from "./dialect.js";
import { NodeSqliteDialect, SqliteDriver } from "./sqlite.js";
import { checkpointBytes } from "./sqlite-log.js";

interface Notes {
  notes: { id: number; text: string };
}

async function open() {
  const folder = mkdtempSync(join(tmpdir(), "modshelf-sqlite-"));
  const path = join(folder, "test.db");
  const driver = new SqliteDriver(path);
  const db = new Kysely<Notes>({ dialect: new NodeSqliteDialect(driver) });
  await sql`create table notes (id integer primary key, text text) strict`.execute(db);
  onTestFinished(async () => {
    await db.destroy();
    rmSync(folder, { recursive: true });
  });
  return { db, driver, path };
}

const add = (db: Kysely<Notes>, id: number, text = "") => db.insertInto("notes").values({ id, text }).execute();
const ids = async (db: Kysely<Notes>) => (await db.selectFrom("notes").select("id").execute()).map(({ id }) => id);

/** Replaces the call that waits for the disk. */
function onSync(replacement: () => Promise<void>) {
  const spy = vi.spyOn(fs, "fdatasync");
  const replace = (wait: () => Promise<void>) =>
    spy.mockImplementation((_file, done) => void wait().then(() => done(null), done));
  replace(replacement);
  onTestFinished(() => spy.mockRestore());
  return { calls: spy.mock.calls, replace };
}

describe.runIf(engine === "sqlite")("the log of an SQLite database", () => {
  test("is on the disk before a commit is reported, and one wait serves many commits", async () => {
    const { db } = await open();
    const gate = Promise.withResolvers<void>();
    const syncs = onSync(() => gate.promise);
    const reported: number[] = [];
    const writes = [1, 2, 3, 4].map((id) =>
      (id % 2 === 0 ? add(db, id) : db.transaction().execute((tx) => add(tx, id))).then(() => reported.push(id)),
    );
    // All of them are committed while the first one waits for the disk.
    await expect.poll(() => ids(db)).toEqual([1, 2, 3, 4]);
    expect([reported, syncs.calls.length]).toEqual([[], 1]);
    gate.resolve();
    await Promise.all(writes);
    expect(syncs.calls.length).toBe(2);
  });

  test("is not trusted any more after it could not be written, and no other transaction is undone", async () => {
    const { db, driver } = await open();
    const gate = Promise.withResolvers<void>();
    const syncs = onSync(() => gate.promise);
    const first = add(db, 1);
    const failed = db.transaction().execute((tx) => add(tx, 2));
    const outcomes = Promise.allSettled([first, failed]);
    await expect.poll(() => ids(db)).toEqual([1, 2]);
    const running = db.transaction().execute(async (tx) => {
      await add(tx, 3);
      gate.reject(Object.assign(new Error("EIO: i/o error, fdatasync"), { code: "EIO" }));
      await outcomes;
      expect(driver.writer.database.isTransaction).toBe(true);
    });
    for (const outcome of [...(await outcomes), ...(await Promise.allSettled([running]))])
      expect(isUnavailable((outcome as PromiseRejectedResult).reason)).toBe(true);
    // A later sync may succeed although pages were lost.
    syncs.replace(() => Promise.resolve());
    await expect(add(db, 4)).rejects.toThrow("The database cannot be written to the disk");
  });

  test("begins again when it has become long, while others read and write", async () => {
    const { db, path } = await open();
    const size = () => statSync(`${path}-wal`).size;
    let most = 0;
    for (let id = 1; id < 200 && size() >= most; id++) {
      most = size();
      await add(db, id, "x".repeat(1024 * 1024));
    }
    expect(most).toBeGreaterThan(checkpointBytes);
    expect(size()).toBeLessThanOrEqual(checkpointBytes);
    expect((await ids(db)).length).toBeGreaterThan(15);
  });

  test("is copied and written to the disk while another transaction runs", async () => {
    const { db, path } = await open();
    const spy = vi.spyOn(fs, "fdatasync");
    onTestFinished(() => spy.mockRestore());
    const { ino } = statSync(path);
    const written = () => spy.mock.calls.filter(([file]) => fs.fstatSync(file).ino === ino).length;
    await db.transaction().execute(async (tx) => {
      for (let id = 1; id <= checkpointBytes / 1024 / 1024; id++) await add(tx, id, "x".repeat(1024 * 1024));
    });
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(checkpointBytes);
    await db.transaction().execute(async (tx) => {
      await add(tx, 1000);
      await expect.poll(written, { timeout: 20_000 }).toBe(2);
    });
    let id = 1000;
    const sizeAfterNext = async () => {
      await add(db, ++id);
      return statSync(`${path}-wal`).size;
    };
    await expect.poll(sizeAfterNext, { timeout: 20_000 }).toBeLessThanOrEqual(checkpointBytes);
  });

  test("is not trusted any more after its copy could not be written to the disk", async () => {
    const { db, path } = await open();
    const { ino } = statSync(path);
    const real = fs.fdatasync;
    const spy = vi.spyOn(fs, "fdatasync").mockImplementation((file, done) => {
      if (fs.fstatSync(file).ino !== ino) real(file, done);
      else done(Object.assign(new Error("EIO: i/o error, fdatasync"), { code: "EIO" }));
    });
    onTestFinished(() => spy.mockRestore());
    let id = 0;
    const writeMuch = async () => {
      while (++id < 200) await add(db, id, "x".repeat(1024 * 1024));
    };
    await expect(writeMuch()).rejects.toThrow("The database cannot be written to the disk");
    // Pages that did not reach the database are still in the log.
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(checkpointBytes);
  });
});
