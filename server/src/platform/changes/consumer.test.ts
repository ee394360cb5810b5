// Consumers that write: every change is processed once, on any server, and nothing is lost if a consumer fails.
import { describe, expect, test } from "vitest";
import { toJson } from "#lib/json.js";
import { testApp, uniqueName } from "#test/server/harness.js";
import { type Consumer, catchUp, keepConsuming, restMs } from "./consumer.js";
import { type Tx, type Writing, write } from "./write.js";

const here = await testApp();
const there = await testApp({ sharedWith: here });

const change = (to: Writing, ...ids: string[]) =>
  write(to, {}, async (tx) => {
    for (const id of ids) tx.changed("setting", id);
  });

/** Inserts a row for each change; the same change twice would violate the primary key. */
const noting = (mark: string, failing: { times: number } = { times: 0 }): Consumer => ({
  name: mark,
  kinds: new Set(["setting"]),
  async consume(tx, changes) {
    const rows = changes
      .filter(({ id }) => id.startsWith(mark))
      .map(({ id, seq }) => ({ name: id, value: toJson<unknown>(seq), date_updated: tx.now, updated_by: null }));
    if (rows.length > 0) await tx.db.insertInto("settings").values(rows).execute();
    if (rows.length > 0 && failing.times-- > 0) throw new Error("this time not");
  },
});

const listNoted = async (mark: string): Promise<string[]> => {
  const rows = await here.resources.db
    .selectFrom("settings")
    .select("name")
    .where("name", "like", `${mark}%`)
    .execute();
  return rows.map(({ name }) => name).sort();
};

describe("a consumer that writes", () => {
  test("has processed every change of its own server after catchUp", async () => {
    const mark = uniqueName();
    const consumer = noting(mark);
    for (const id of ["1", "2", "3"].map((number) => `${mark}-${number}`)) {
      await change(here.resources, id);
      await catchUp(here.resources, consumer);
      expect(await listNoted(mark)).toContain(id);
    }
  });

  test("makes all concurrent callers of catchUp wait", async () => {
    const mark = uniqueName();
    const consumer = noting(mark);
    await catchUp(here.resources, consumer);
    await change(here.resources, `${mark}-a`);
    const seen = await Promise.all(
      [1, 2, 3].map(async () => {
        await catchUp(here.resources, consumer);
        return listNoted(mark);
      }),
    );
    expect(seen).toEqual([[`${mark}-a`], [`${mark}-a`], [`${mark}-a`]]);
  });

  test("processes each change once although two servers run it", async () => {
    const mark = uniqueName();
    const ids = Array.from({ length: 40 }, (_, at) => `${mark}-${at}`);
    const stops = [here, there].map(({ resources }) => keepConsuming(resources, noting(mark)));
    await Promise.all(ids.map((id, at) => change([here, there][at % 2]!.resources, id)));
    await expect.poll(() => listNoted(mark)).toEqual(ids.toSorted());
    await Promise.all(stops.map((stop) => stop()));
  });

  test("processes changes that follow each other together", async () => {
    const mark = uniqueName();
    const consumer = noting(mark);
    let batches = 0;
    const counting: Consumer = {
      ...consumer,
      consume: (tx, all) => consumer.consume(tx, all).finally(() => batches++),
    };
    const ids = Array.from({ length: 30 }, (_, at) => `${mark}-${at}`);
    const begun = performance.now();
    const stop = keepConsuming(here.resources, counting);
    for (const id of ids) await change(here.resources, id);
    await expect.poll(() => listNoted(mark)).toEqual(ids.toSorted());
    // One at once, and one more after each rest; a timer can be early by a millisecond.
    expect(batches).toBeLessThanOrEqual(1 + (performance.now() - begun) / (restMs - 1));
    expect(batches).toBeLessThan(ids.length);
    await stop();
  });

  test("leaves nothing of a failed batch, and processes it the next time", async () => {
    const mark = uniqueName();
    const consumer = noting(mark, { times: 1 });
    await change(here.resources, `${mark}-a`, `${mark}-b`);
    await expect(catchUp(here.resources, consumer)).rejects.toThrow("this time not");
    expect(await listNoted(mark)).toEqual([]);
    await catchUp(here.resources, consumer);
    expect(await listNoted(mark)).toEqual([`${mark}-a`, `${mark}-b`]);
  });

  test("retries by itself after a failure", async () => {
    const mark = uniqueName();
    const stop = keepConsuming(here.resources, noting(mark, { times: 1 }));
    await change(here.resources, `${mark}-a`);
    await expect.poll(() => listNoted(mark)).toEqual([`${mark}-a`]);
    await stop();
  });
});

describe("consumers that share a transaction", () => {
  /** Two consumers that have processed everything so far, and the transactions that each was called with. */
  async function makePair(failing?: { times: number }) {
    const [first, second] = [uniqueName(), uniqueName()];
    const used: Tx[] = [];
    const watched = (consumer: Consumer): Consumer => ({
      ...consumer,
      consume: (tx, all) => {
        used.push(tx);
        return consumer.consume(tx, all);
      },
    });
    const pair = [watched(noting(first)), watched(noting(second, failing))] as const;
    for (const consumer of pair) await catchUp(here.resources, consumer);
    used.length = 0;
    return { first, second, pair, used };
  }

  test("process each change once, whatever each of them has processed before", async () => {
    const { first, second, pair, used } = await makePair();
    await change(here.resources, `${first}-a`, `${second}-a`);
    await catchUp(here.resources, pair[0]);
    await change(here.resources, `${first}-b`, `${second}-b`);
    used.length = 0;
    await catchUp(here.resources, pair[0], pair);
    expect(used.length).toBe(2);
    expect(used[0]).toBe(used[1]);
    expect(await listNoted(first)).toEqual([`${first}-a`, `${first}-b`]);
    expect(await listNoted(second)).toEqual([`${second}-a`, `${second}-b`]);
    await catchUp(here.resources, pair[1]);
    expect(used.length).toBe(2);
  });

  test("do not wait for one that fails, which processes its changes later", async () => {
    const failing = { times: 2 };
    const { first, second, pair } = await makePair(failing);
    await change(here.resources, `${first}-a`, `${second}-a`);
    await catchUp(here.resources, pair[0], pair);
    expect(await listNoted(first)).toEqual([`${first}-a`]);
    await expect.poll(() => failing.times).toBe(0);
    expect(await listNoted(second)).toEqual([]);
    await catchUp(here.resources, pair[1]);
    expect(await listNoted(second)).toEqual([`${second}-a`]);
  });

  test("process many changes one after the other", async () => {
    const { first, second, pair, used } = await makePair();
    const numbers = Array.from({ length: 60 }, (_, at) => at);
    await change(here.resources, ...[first, second].flatMap((mark) => numbers.map((at) => `${mark}-${at}`)));
    await catchUp(here.resources, pair[0], pair);
    await catchUp(here.resources, pair[1]);
    expect((await listNoted(first)).length).toBe(60);
    expect((await listNoted(second)).length).toBe(60);
    expect(new Set(used).size).toBe(2);
  });

  test("process each change once although two servers run them", async () => {
    const [first, second] = [uniqueName(), uniqueName()];
    const pair = [noting(first), noting(second)];
    const ids = Array.from({ length: 20 }, (_, at) => [`${first}-${at}`, `${second}-${at}`]);
    const stops = [here, there].flatMap(({ resources }) =>
      pair.map((consumer) => keepConsuming(resources, consumer, pair)),
    );
    await Promise.all(ids.map((both, at) => change([here, there][at % 2]!.resources, ...both)));
    await expect.poll(() => listNoted(first)).toEqual(ids.map(([id]) => id).toSorted());
    await expect.poll(() => listNoted(second)).toEqual(ids.map(([, id]) => id).toSorted());
    await Promise.all(stops.map((stop) => stop()));
  });
});

describe("an event", () => {
  test("is written once for an edit of several steps, together with its change", async () => {
    const projectId = uniqueName();
    await write(here.resources, {}, async (tx) => {
      tx.happened("project.edited", projectId, {});
      tx.happened("project.edited", projectId, {});
      tx.happened("version.published", projectId, { versionId: "v" });
    });
    const rows = await here.resources.db
      .selectFrom("events")
      .innerJoin("changes", "changes.object_id", "events.id")
      .select(["events.type", "changes.kind"])
      .where("events.project_id", "=", projectId)
      .orderBy("changes.seq")
      .execute();
    expect(rows).toEqual([
      { type: "project.edited", kind: "event" },
      { type: "version.published", kind: "event" },
    ]);
  });

  test("is rolled back with a transaction that fails", async () => {
    const projectId = uniqueName();
    const failing = write(here.resources, {}, async (tx) => {
      tx.happened("project.edited", projectId, {});
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    const rows = await here.resources.db
      .selectFrom("events")
      .where("project_id", "=", projectId)
      .select("id")
      .execute();
    expect(rows).toEqual([]);
  });
});
