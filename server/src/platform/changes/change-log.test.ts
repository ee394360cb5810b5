import pg from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { openDatabase } from "#platform/db/open.js";
import { createDatabase, engine, type TestApp, testApp, uniqueName } from "#test/server/harness.js";
import { openTcpProxy } from "#test/server/tcp-proxy.js";
import { startWriterProcess } from "#test/server/writer-process.js";
import { cachedValue } from "./cached-value.js";
import { type Change, ChangeLog } from "./change-log.js";
import { ServerMemory } from "./server-memory.js";
import { type Writing, write } from "./write.js";

const here = await testApp();
const there = await testApp({ sharedWith: here });

const change = (to: Writing, ...ids: string[]) =>
  write(to, {}, async (tx) => {
    for (const id of ids) tx.changed("setting", id);
  });

/** Collects all changes that the change log reports from now on. */
function listen(changeLog: ChangeLog) {
  const heard: Change[] = [];
  changeLog.subscribe((change) => heard.push(change));
  return {
    heard,
    ids: () => heard.map(({ id }) => id),
    expectHeard: (id: string) => expect.poll(() => heard.some((change) => change.id === id)).toBe(true),
  };
}

describe("a write", () => {
  test("has reached the listeners of its own server when it resolves", async () => {
    const { ids } = listen(here.resources.changeLog);
    for (let times = 0; times < 20; times++) {
      const id = uniqueName();
      await change(here.resources, id);
      expect(ids()).toContain(id);
    }
  });

  test("reaches another server through the notification alone", async () => {
    const changeLog = new ChangeLog(there.resources.database, there.resources.log);
    await changeLog.start({ poll: false });
    const { expectHeard } = listen(changeLog);
    for (let times = 0; times < 5; times++) {
      const id = uniqueName();
      await change(here.resources, id);
      await expectHeard(id);
    }
    await changeLog.stop();
  });

  test("by another process arrives through the notification alone", async () => {
    const process = await startWriterProcess(here.config.database);
    const changeLog = new ChangeLog(here.resources.database, here.resources.log);
    await changeLog.start({ poll: false });
    const { expectHeard } = listen(changeLog);
    for (let times = 0; times < 5; times++) {
      const id = uniqueName();
      await process.write("setting", id);
      await expectHeard(id);
    }
    await process.close();
    await changeLog.stop();
  });

  test("arrives by polling if every notification is lost", async () => {
    const changeLog = new ChangeLog(there.resources.database, there.resources.log);
    await changeLog.start({ notifications: false });
    const { expectHeard } = listen(changeLog);
    const id = uniqueName();
    await change(here.resources, id);
    await expectHeard(id);
    await changeLog.stop();
  });

  test("succeeds even if the change log cannot be read afterwards", async () => {
    const database = openDatabase(here.config.database, () => undefined);
    const warnings: string[] = [];
    const changeLog = new ChangeLog(database, { warn: (_detail, message) => warnings.push(message) });
    await changeLog.start();
    await database.close();
    const id = uniqueName();
    await change({ ...here.resources, changeLog }, id);
    expect(warnings).toContain("The change log could not be read; it will be read again");
    await changeLog.stop();
    const rows = await here.resources.db.selectFrom("changes").select("seq").where("object_id", "=", id).execute();
    expect(rows).toHaveLength(1);
  });
});

describe("listeners", () => {
  test("get every change of many writers on two servers exactly once, in commit order", async () => {
    const listeners = [here, there].map(({ resources }) => listen(resources.changeLog));
    const writers = 50;
    const prefix = uniqueName("order");
    const isOurs = ({ id }: Change) => id.startsWith(prefix);
    // Each reports two changes; some fail and report none.
    const outcomes = await Promise.allSettled(
      Array.from({ length: writers }, (_, at) =>
        write((at % 2 ? here : there).resources, {}, async (tx) => {
          tx.changed("setting", `${prefix}-${at}-a`);
          tx.changed("setting", `${prefix}-${at}-b`);
          if (at % 10 === 0) throw new Error("no");
        }),
      ),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(45);
    for (const { heard } of listeners) await expect.poll(() => heard.filter(isOurs).length).toBe(90);
    const rows = await here.resources.db
      .selectFrom("changes")
      .select(["seq", "object_id"])
      .where("object_id", "like", `${prefix}%`)
      .orderBy("seq")
      .execute();
    for (const { heard } of listeners)
      expect(heard.filter(isOurs).map(({ seq, id }) => [seq, id])).toEqual(rows.map((row) => [row.seq, row.object_id]));
    const pairs = rows.map(({ object_id }) => object_id.slice(0, -2));
    expect(pairs.every((pair, at) => at % 2 === 1 || pairs[at + 1] === pair)).toBe(true);
  });

  test("get more changes than fit into one batch", async () => {
    const { heard } = listen(there.resources.changeLog);
    const prefix = uniqueName("many");
    await change(here.resources, ...Array.from({ length: 2500 }, (_, at) => `${prefix}-${at}`));
    const ours = () => heard.filter(({ id }) => id.startsWith(prefix)).map(({ id }) => Number(id.split("-").at(-1)));
    await expect.poll(() => ours().length).toBe(2500);
    expect(ours()).toEqual(Array.from({ length: 2500 }, (_, at) => at));
  });

  test("are called even if one of them fails, and no longer after they unsubscribe", async () => {
    const { changeLog } = here.resources;
    const leave = changeLog.subscribe(() => {
      throw new Error("a broken listener");
    });
    const { ids } = listen(changeLog);
    const gone: string[] = [];
    changeLog.subscribe(({ id }) => gone.push(id))();
    const id = uniqueName();
    await change(here.resources, id);
    expect(ids()).toContain(id);
    expect(gone).toEqual([]);
    leave();
  });

  test("get no changes from before the start or after the stop", async () => {
    const before = uniqueName();
    await change(here.resources, before);
    const changeLog = new ChangeLog(here.resources.database, here.resources.log);
    const { ids, expectHeard } = listen(changeLog);
    await change({ ...here.resources, changeLog }, uniqueName());
    expect(ids()).toEqual([]);
    await changeLog.start();
    const id = uniqueName();
    await change(here.resources, id);
    await expectHeard(id);
    expect(ids()).toEqual([id]);
    await changeLog.stop();
    await change({ ...here.resources, changeLog }, uniqueName());
    expect(ids()).toEqual([id]);
  });
});

describe("a cached value", () => {
  let loads = 0;
  const getCount = cachedValue("siteNotice", "setting", async (db) => {
    loads++;
    const { count } = await db
      .selectFrom("changes")
      .select((select) => select.fn.countAll<number>().as("count"))
      .where("kind", "=", "setting")
      .executeTakeFirstOrThrow();
    return { value: count, bytes: 0 };
  });

  test("is loaded once, and again after the next write: on its own server at once, on others soon", async () => {
    for (const { resources } of [here, there]) await resources.changeLog.catchUp();
    const first = await getCount(here.resources);
    await getCount(there.resources);
    loads = 0;
    expect(await Promise.all([1, 2, 3].map(() => getCount(here.resources)))).toEqual([first, first, first]);
    expect(loads).toBe(0);
    await change(here.resources, uniqueName());
    expect(await getCount(here.resources)).toBe(first + 1);
    expect(loads).toBe(1);
    await expect.poll(() => getCount(there.resources)).toBe(first + 1);
  });

  test("is never stale after a write, with any number of concurrent readers", async () => {
    for (let round = 0; round < 20; round++) {
      const reads = Array.from({ length: 5 }, () => getCount(here.resources));
      await change(here.resources, uniqueName());
      const after = await getCount(here.resources);
      await Promise.all(reads);
      expect(await getCount(here.resources)).toBe(after);
      const { count } = await here.resources.db
        .selectFrom("changes")
        .select((select) => select.fn.countAll<number>().as("count"))
        .where("kind", "=", "setting")
        .executeTakeFirstOrThrow();
      expect(after).toBe(count);
    }
  });

  test("is not cached when it could not be loaded, or while the change log is not read", async () => {
    let fails = true;
    const flaky = cachedValue("siteNotice", "setting", async () => {
      if (fails) throw new Error("not now");
      return { value: "loaded", bytes: 0 };
    });
    await expect(flaky(here.resources)).rejects.toThrow("not now");
    fails = false;
    expect(await flaky(here.resources)).toBe("loaded");
    const idle = new ChangeLog(here.resources.database, here.resources.log);
    loads = 0;
    const { db, clock } = here.resources;
    const from = { db, changeLog: idle, memory: new ServerMemory({ changeLog: idle, clock }) };
    await getCount(from);
    await getCount(from);
    expect(loads).toBe(2);
  });
});

describe.runIf(engine === "postgres")("on PostgreSQL", () => {
  test("a killed listening connection is restored, and no change is missed", async () => {
    const { expectHeard, ids } = listen(there.resources.changeLog);
    const admin = new pg.Client({ connectionString: here.databaseUrl! });
    await admin.connect();
    const listening = `select pid from pg_stat_activity
      where datname = current_database() and application_name = 'modshelf listen'`;
    const count = async () => (await admin.query(listening)).rowCount;
    expect(await count()).toBe(2);
    await admin.query(`select pg_terminate_backend(pid) from (${listening}) as listening`);
    const missed = Array.from({ length: 5 }, () => uniqueName("missed"));
    for (const id of missed) await change(here.resources, id);
    await expect.poll(count).toBe(2);
    for (const id of missed) await expectHeard(id);
    expect(ids().filter((id) => missed.includes(id))).toEqual(missed);
    const swift = uniqueName();
    await change(here.resources, swift);
    await expectHeard(swift);
    await admin.end();
  });

  test("after a long outage, all changes arrive in order", async () => {
    const database = (await createDatabase())!;
    const proxy = await openTcpProxy(database.url);
    const settings = (url: string) => ({ MODSHELF_DATABASE_URL: url, MODSHELF_DATABASE_POOL_SIZE: "4" });
    const direct: TestApp = await testApp({ settings: settings(database.url) });
    const cutOff: TestApp = await testApp({ settings: settings(proxy.url) });
    afterAll(async () => {
      await cutOff.stop();
      await direct.stop();
      await proxy.close();
      await database.drop();
    });
    const { expectHeard, ids } = listen(cutOff.resources.changeLog);
    proxy.cut();
    await expect(change(cutOff.resources, uniqueName())).rejects.toThrow();
    const missed = Array.from({ length: 30 }, (_, at) => `outage-${at}`);
    for (const id of missed) await change(direct.resources, id);
    // It fails to listen again more than once.
    const refusedBefore = proxy.refused;
    await expect.poll(() => proxy.refused).toBeGreaterThan(refusedBefore + 1);
    expect(ids()).toEqual([]);
    proxy.mend();
    await expectHeard("outage-29");
    expect(ids()).toEqual(missed);
    await change(cutOff.resources, "after");
    expect(ids().at(-1)).toBe("after");
  });
});
