import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import type { Db, Row } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import { engine, testApp, uniqueName } from "#test/server/harness.js";
import { auditHash, type Tx, type Writing, write } from "./write.js";

const here = await testApp();
const there = await testApp({ sharedWith: here });
const { db } = here.resources;

const listAudits = (from: Db = db): Promise<Row<"audit_log">[]> =>
  from.selectFrom("audit_log").selectAll().orderBy("id").execute();

/** The id of the first row whose hash does not follow from the rows before it. */
function findBreak(rows: Row<"audit_log">[]): number | undefined {
  let previous: Uint8Array = new Uint8Array(32);
  for (const row of rows) {
    if (!auditHash(previous, row).equals(row.hash)) return row.id;
    previous = row.hash;
  }
  return undefined;
}

async function countTraces(name: string): Promise<Record<string, number>> {
  const count = async (table: "audit_log" | "changes" | "jobs" | "settings", column: string) => {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from ${sql.table(table)} where ${sql.ref(column)} = ${name}`.execute(db);
    return rows[0]!.count;
  };
  return {
    settings: await count("settings", "name"),
    audits: await count("audit_log", "object_id"),
    changes: await count("changes", "object_id"),
    jobs: await count("jobs", "dedupe_key"),
  };
}

async function leaveTraces(tx: Tx, name: string): Promise<void> {
  await tx.db.insertInto("settings").values({ name, value: "1", date_updated: tx.now, updated_by: null }).execute();
  tx.audit("setting.set", { kind: "setting", id: name });
  tx.changed("setting", name);
  tx.enqueue("delete-expired", {}, { dedupeKey: name, runAfter: tx.now + 3_600_000 });
}

describe("a write", () => {
  test("commits its change, its audit row, its events and its job together", async () => {
    const name = uniqueName();
    const result = await write(
      here.resources,
      { userId: "u", credential: "c", address: "a", requestId: "r" },
      async (tx) => {
        await leaveTraces(tx, name);
        return "done";
      },
    );
    expect(result).toBe("done");
    expect(await countTraces(name)).toEqual({ settings: 1, audits: 1, changes: 1, jobs: 1 });
    expect((await listAudits()).at(-1)).toMatchObject({
      actor_id: "u",
      credential: "c",
      address: "a",
      request_id: "r",
      action: "setting.set",
      detail: "{}",
    });
  });

  test.each([
    ["a refusal", () => Promise.reject(fail.notFound())],
    ["a statement that fails", (tx: Tx) => sql`select no_such_column from users`.execute(tx.db)],
    ["a broken constraint", (tx: Tx) => leaveTraces(tx, "twice").then(() => leaveTraces(tx, "twice"))],
    [
      "a value that cannot be stored",
      (tx: Tx) =>
        tx.db
          .insertInto("settings")
          .values({ name: undefined as never, value: "", date_updated: 0, updated_by: null })
          .execute(),
    ],
  ])("that ends with %s leaves nothing, and the next one works", async (_what, fault) => {
    const name = uniqueName();
    const failed = write(here.resources, {}, async (tx) => {
      await leaveTraces(tx, name);
      await fault(tx);
    });
    await expect(failed).rejects.toThrow();
    expect(await countTraces(name)).toEqual({ settings: 0, audits: 0, changes: 0, jobs: 0 });
    await write(here.resources, {}, (tx) => leaveTraces(tx, name));
    expect(await countTraces(name)).toEqual({ settings: 1, audits: 1, changes: 1, jobs: 1 });
  });

  test("is not visible to others before it is complete", async () => {
    const name = uniqueName();
    await write(here.resources, {}, async (tx) => {
      await leaveTraces(tx, name);
      expect(await countTraces(name)).toEqual({ settings: 0, audits: 0, changes: 0, jobs: 0 });
      const { rows } = await sql`select name from settings where name = ${name}`.execute(there.resources.db);
      expect(rows).toEqual([]);
    });
    expect(await countTraces(name)).toEqual({ settings: 1, audits: 1, changes: 1, jobs: 1 });
  });
});

describe("the audit log", () => {
  test("is one unbroken chain, with concurrent writers on two servers", async () => {
    await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        write((at % 2 ? here : there).resources, { userId: `u${at}` }, async (tx) => {
          tx.audit("test.one", { kind: "test", id: String(at) }, { text: 'ä"\\', number: at });
          tx.audit("test.two", { kind: "test", id: String(at) });
        }),
      ),
    );
    const rows = await listAudits();
    expect(rows.length).toBeGreaterThanOrEqual(80);
    expect(findBreak(rows)).toBeUndefined();
  });

  test("detects every row that was changed, removed, added or moved afterwards", async () => {
    const rows = await listAudits();
    const at = rows.findIndex(({ action }) => action === "test.one");
    const row = rows[at]!;
    const next = rows[at + 1]!.id;
    const forged: Partial<Row<"audit_log">>[] = [
      { action: "test.other" },
      { object_id: "other" },
      { object_kind: "other" },
      { actor_id: null },
      { credential: "other" },
      { address: "other" },
      { request_id: "other" },
      { detail: "{}" },
      { date_created: row.date_created + 1 },
    ];
    for (const change of forged) expect(findBreak(rows.with(at, { ...row, ...change }))).toBe(row.id);
    expect(findBreak(rows.toSpliced(at, 1))).toBe(next);
    expect(findBreak(rows.toSpliced(at, 0, row))).toBe(row.id);
    expect(findBreak(rows.toSpliced(at, 2, rows[at + 1]!, row))).toBe(next);
    // If a forger also corrects the hash of the row, the hash of the next one is wrong.
    const fitting = { ...row, action: "x", hash: auditHash(rows[at - 1]!.hash, { ...row, action: "x" }) };
    expect(findBreak(rows.with(at, fitting))).toBe(next);
  });

  test("that was changed in the database is found to be broken", async () => {
    const rows = await listAudits();
    const { id, detail } = rows[5]!;
    await db.updateTable("audit_log").set({ detail: '{"forged":true}' }).where("id", "=", id).execute();
    expect(findBreak(await listAudits())).toBe(id);
    await db.updateTable("audit_log").set({ detail }).where("id", "=", id).execute();
    expect(findBreak(await listAudits())).toBeUndefined();
  });
});

describe("a write that the database tells to retry", () => {
  const conflict = (code: string) => Object.assign(new Error("try again"), { code });

  test.each(["40001", "40P01"])(
    "(%s) is repeated from the beginning, and its entries are written once",
    async (code) => {
      const name = uniqueName();
      let tries = 0;
      await write(here.resources, {}, async (tx) => {
        await leaveTraces(tx, name);
        if (++tries < 3) throw conflict(code);
      });
      expect(tries).toBe(3);
      expect(await countTraces(name)).toEqual({ settings: 1, audits: 1, changes: 1, jobs: 1 });
    },
  );

  test("gives up after the third try", async () => {
    let tries = 0;
    const failed = write(here.resources, {}, async () => {
      tries++;
      throw conflict("40P01");
    });
    await expect(failed).rejects.toMatchObject({ code: "40P01" });
    expect(tries).toBe(3);
  });

  test.runIf(engine === "postgres")("succeeds after a deadlock with another write, which succeeds too", async () => {
    const names = [uniqueName("deadlock-a"), uniqueName("deadlock-b")];
    await write(here.resources, {}, async (tx) => {
      for (const name of names)
        await tx.db.insertInto("settings").values({ name, value: "0", date_updated: 0, updated_by: null }).execute();
    });
    let tries = 0;
    let first = 0;
    const both = Promise.withResolvers<void>();
    const increase = (to: Writing, ...order: string[]) =>
      write(to, {}, async (tx) => {
        tries++;
        for (const name of order) {
          await sql`update settings set value = cast(cast(value as integer) + 1 as text) where name = ${name}`.execute(
            tx.db,
          );
          // Each holds its first row when it requests the other's.
          if (++first === 2) both.resolve();
          await both.promise;
        }
      });
    await Promise.all([
      increase(here.resources, names[0]!, names[1]!),
      increase(there.resources, names[1]!, names[0]!),
    ]);
    expect(tries).toBeGreaterThan(2);
    const rows = await db.selectFrom("settings").select("value").where("name", "in", names).execute();
    expect(rows.map(({ value }) => value)).toEqual(["2", "2"]);
  });
});
