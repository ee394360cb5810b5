import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { operationRoutes } from "#operations/health/routes.js";
import { isUnavailable } from "#platform/db/dialect.js";
import type { Reply } from "#test/callers/actors.js";
import { FrameControl, frameRoutes } from "#test/server/frame-routes.js";
import { createDatabase, engine, testApp, uniqueName } from "#test/server/harness.js";
import { openTcpProxy } from "#test/server/tcp-proxy.js";

const routes = [...frameRoutes(new FrameControl()), ...operationRoutes];

function expectUnavailable(reply: Reply): void {
  expect(reply).toFail(503, "unavailable");
  expect(reply.headers.get("retry-after")).toBe("5");
}

async function timed<T>(work: Promise<T>): Promise<[T, number]> {
  const start = performance.now();
  const result = await work;
  return [result, performance.now() - start];
}

describe.runIf(engine === "postgres")("while PostgreSQL", async () => {
  const database = engine === "postgres" ? await createDatabase() : undefined;
  if (!database) return;
  const proxy = await openTcpProxy(database.url);
  const site = await testApp({
    routes,
    settings: { MODSHELF_DATABASE_URL: proxy.url, MODSHELF_DATABASE_POOL_SIZE: "4" },
  });
  const { as, make, resources } = site;
  const user = as.user(await make.user());
  const act = () => user.post("/frame/act", { name: uniqueName() });
  const admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  afterAll(async () => {
    await admin.end();
    await site.stop();
    await proxy.close();
    await database.drop();
  });
  const others = "select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()";
  const recovered = () => expect.poll(async () => (await act()).status).toBe(200);

  test("cannot be reached, requests that need it get 503, and the server recovers by itself", async () => {
    proxy.cut();
    for (const reply of await Promise.all([act(), act(), user.get("/frame/private")])) expectUnavailable(reply);
    expect(await as.anyone.get("/frame/text")).toSucceed();
    expect(await as.anyone.get("/healthz")).toSucceed();
    await resources.readiness.probe();
    const ready = await as.anyone.get("/readyz");
    expect([ready.status, ready.body.components.database]).toEqual([503, "failing"]);
    proxy.mend();
    await recovered();
    await resources.readiness.probe();
    expect(await as.anyone.get("/readyz")).toSucceed();
  });

  test("closes every connection, requests get at worst a 503", async () => {
    for (let round = 0; round < 5; round++) {
      const requests = Array.from({ length: 10 }, () => act());
      await admin.query(`select pg_terminate_backend(pid) from (${others}) as other`);
      for (const reply of await Promise.all(requests)) if (reply.status !== 200) expectUnavailable(reply);
    }
    await recovered();
  });

  test("closes a connection inside a transaction, only that transaction fails", async () => {
    const failed = resources.db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
      const { pid } = rows[0]!;
      await admin.query("select pg_terminate_backend($1)", [pid]);
      // The connection ends while no statement is running.
      const isThere = async () => (await admin.query("select from pg_stat_activity where pid = $1", [pid])).rowCount;
      await expect.poll(isThere).toBe(0);
      await sql`select 1`.execute(tx);
    });
    // Which error it is depends on what arrives first: the end of the connection, or the next statement.
    expect(isUnavailable(await failed.catch((error) => error))).toBe(true);
    await recovered();
  });

  test("has no free connection, requests wait a while and then get 503", async () => {
    const held = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
    const holding = held.map(({ promise }) => resources.db.connection().execute(() => promise));
    const [reply, ms] = await timed(act());
    expectUnavailable(reply);
    expect(ms).toBeGreaterThan(2500);
    for (const { resolve } of held) resolve();
    await Promise.all(holding);
    expect(await act()).toSucceed();
  });

  test("has the row locked by another client, the request times out", async () => {
    await admin.query("begin; lock table taxonomies in exclusive mode");
    const reply = await act();
    await admin.query("rollback");
    expectUnavailable(reply);
    expect(await act()).toSucceed();
  });

  test("does not answer, requests get 503 instead of hanging", async () => {
    proxy.silence();
    for (const reply of await Promise.all([act(), user.get("/frame/private")])) expectUnavailable(reply);
    proxy.mend();
    await recovered();
  });

  test("refuses writes because it is a standby, reads still work", async () => {
    const { rows } = await admin.query("select current_database() as name");
    await admin.query(`alter database ${rows[0].name} set default_transaction_read_only = on`);
    await admin.query(`select pg_terminate_backend(pid) from (${others}) as other`);
    await expect.poll(async () => (await user.get("/frame/private")).status).toBe(200);
    expectUnavailable(await act());
    await admin.query("set default_transaction_read_only = off");
    await admin.query(`alter database ${rows[0].name} reset default_transaction_read_only`);
    await admin.query(`select pg_terminate_backend(pid) from (${others}) as other`);
    await recovered();
  });
});

describe.runIf(engine === "sqlite")("while another process holds SQLite's lock", async () => {
  if (engine !== "sqlite") return;
  const { as, make, dataDir } = await testApp({ routes });
  const user = as.user(await make.user());
  const act = () => user.post("/frame/act", { name: uniqueName() });
  const other = new DatabaseSync(join(dataDir, "modshelf.db"));
  afterAll(() => other.close());

  test("for a moment, writes wait for it", async () => {
    other.exec("BEGIN IMMEDIATE");
    let answered = 0;
    const writes = [act(), act(), act()].map((reply) => reply.finally(() => answered++));
    // Reads that begin later are answered first.
    for (let reads = 0; reads < 10; reads++) expect(await user.get("/frame/private")).toSucceed();
    expect(answered).toBe(0);
    other.exec("COMMIT");
    for (const reply of await Promise.all(writes)) expect(reply).toSucceed();
  });

  test("for long, all writes get 503 after five seconds, and reads are not blocked", async () => {
    other.exec("BEGIN IMMEDIATE");
    const writes = Array.from({ length: 4 }, () => timed(act()));
    let longest = 0;
    for (let reads = 0; reads < 30; reads++) {
      const [reply, ms] = await timed(user.get("/frame/private"));
      expect(reply).toSucceed();
      longest = Math.max(longest, ms);
    }
    const waits: number[] = [];
    for (const [reply, ms] of await Promise.all(writes)) {
      expectUnavailable(reply);
      waits.push(ms);
    }
    expect(Math.min(...waits)).toBeGreaterThan(4000);
    expect(longest).toBeLessThan(Math.min(...waits));
    // If they were refused one after the other, the last would wait four times as long as the first.
    expect(Math.max(...waits)).toBeLessThan(3 * Math.min(...waits));
    other.exec("COMMIT");
    expect(await act()).toSucceed();
  });
});
