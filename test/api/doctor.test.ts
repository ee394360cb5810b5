// The doctor's findings in a database, the same on both engines, and about a PostgreSQL server.
import { randomBytes } from "node:crypto";
import { beforeEach, describe, expect, inject, test } from "vitest";
import { examineDatabase } from "#cli/doctor.js";
import type { Config } from "#config/config.js";
import { engine, testApp } from "#test/server/harness.js";
import { emptyDatabase } from "./empty-database.js";

const { config, resources, make } = await testApp();
const { db } = resources;
const emptyPlace = await emptyDatabase();

/** As programs get them: every message in English. */
async function findings(check: string, place: Config = config) {
  const all: { check: string }[] = JSON.parse(JSON.stringify(await examineDatabase(place)));
  return all.filter((finding) => finding.check === check);
}

const finding = (level: string, text: string | RegExp) =>
  expect.objectContaining({ level, message: expect.stringMatching(text) });

describe("administrators", () => {
  test("no administrator, only suspended ones and an active one are distinguished", async () => {
    expect(await findings("administrator")).toEqual([finding("warning", "There is no administrator yet")]);
    const admin = await make.user({ role: "admin" });
    expect(await findings("administrator")).toEqual([finding("ok", admin.userName)]);
    await db.updateTable("users").set({ date_suspended: 1 }).where("id", "=", admin.id).execute();
    expect(await findings("administrator")).toEqual([finding("warning", "Every administrator is suspended")]);
  });
});

describe("the audit log", () => {
  beforeEach(async () => {
    await make.user();
  });

  test("is intact over many pages, for all entries", async () => {
    // Each makes two entries: the account and its session.
    for (let index = 0; index < 510; index++) await make.user();
    const [found] = await findings("audit log");
    expect(found).toEqual(finding("ok", /^All \d{4,} entries/));
  });

  test("shows an entry that was changed afterwards, and is intact again when that is undone", async () => {
    const { id, detail } = await db
      .selectFrom("audit_log")
      .selectAll()
      .orderBy("id")
      .offset(1)
      .limit(1)
      .executeTakeFirstOrThrow();
    const set = (text: typeof detail) =>
      db.updateTable("audit_log").set({ detail: text }).where("id", "=", id).execute();
    await set('{"role":"admin"}' as typeof detail);
    expect(await findings("audit log")).toEqual([finding("problem", `tampered with: entry ${id} `)]);
    await set(detail);
    expect(await findings("audit log")).toEqual([finding("ok", "entries")]);
  });

  test("shows an entry that was removed", async () => {
    const rows = await db.selectFrom("audit_log").select("id").orderBy("id", "desc").limit(2).execute();
    await db.deleteFrom("audit_log").where("id", "=", rows[1]!.id).execute();
    expect(await findings("audit log")).toEqual([finding("problem", `entry ${rows[0]!.id} or one before it`)]);
  });
});

describe("background jobs", () => {
  const job = (more: object) => ({
    kind: "test",
    payload: "{}" as never,
    dedupe_key: null,
    run_after: 0,
    date_created: 0,
    ...more,
  });

  test("parked and late jobs are named", async () => {
    expect(await findings("jobs")).toEqual([finding("ok", "none given up")]);
    // Leased far into the future, so that the running worker does not take it.
    await db
      .insertInto("jobs")
      .values([job({ lease_until: 4e12 }), job({ date_parked: 1, last_error: "canary" })])
      .execute();
    const found = await findings("jobs");
    expect(found).toEqual([
      finding("warning", "1 background job"),
      finding("warning", "has been due for \\d+ minutes"),
    ]);
    expect(JSON.stringify(found)).not.toContain("canary");
    await db
      .deleteFrom("jobs")
      .where("kind", "=", "test" as never)
      .execute();
  });
});

test("a missing folder of stored files is found", async () => {
  const lost: Config = { ...config, storage: { kind: "disk", path: "/nowhere/to/be/found" } };
  expect(await findings("stored files", lost)).toEqual([finding("ok", "knows of 0")]);
  const blob = { sha512: randomBytes(64), sha1: randomBytes(20), size: 1, date_created: 0, date_orphaned: null };
  await db.insertInto("blobs").values(blob).execute();
  expect(await findings("stored files", lost)).toEqual([finding("problem", "/nowhere/to/be/found is not there")]);
  expect(await findings("stored files")).toEqual([finding("ok", "knows of 1")]);
});

describe.runIf(engine === "postgres")("a PostgreSQL server", () => {
  const at = (url: string): Config => ({ ...config, database: { engine: "postgres", url, poolSize: 1 } });

  test("is checked for its version, its encoding and its durability settings", async () => {
    expect(await findings("database")).toEqual([finding("ok", "answers")]);
    expect(await findings("database version")).toEqual([finding("ok", /^PostgreSQL 1[4-9]/)]);
    expect(await findings("encoding")).toEqual([finding("ok", "UTF-8")]);
    // The server of the tests is configured to lose data at a power failure.
    expect(await findings("durability")).toEqual([
      finding("problem", "^fsync is off"),
      finding("problem", "^synchronous_commit is off"),
    ]);
  });

  test("with a wrong clock is found, in either direction", async () => {
    const clockAt = async (offset: number) =>
      (await examineDatabase(config, { now: () => Date.now() + offset })).filter(({ check }) => check === "clock");
    expect(await clockAt(0)).toEqual([finding("ok", "agree")]);
    expect(await clockAt(120_000)).toEqual([finding("warning", "1(19|20|21) s behind")]);
    expect(await clockAt(-120_000)).toEqual([finding("warning", "1(19|20|21) s ahead of")]);
  });

  test("that does not answer, refuses the password or lacks the database is named without the password", async () => {
    const url = inject("postgresUrl");
    for (const [broken, reason] of [
      [url.replace(/:\d+\//, ":1/"), "ECONNREFUSED"],
      [url.replace(/\/postgres$/, "/no_such_database"), 'database "no_such_database" does not exist'],
      [url.replace(/:[^:@]+@/, ":canary-wrong@"), "password authentication failed"],
    ] as const) {
      const found = await examineDatabase(at(broken));
      expect(found).toEqual([{ ...finding("problem", reason).sample, check: "database", todo: expect.any(String) }]);
      for (const password of ["canary-wrong", new URL(url).password])
        expect(JSON.stringify(found)).not.toContain(password);
    }
  });

  test("with a database that cannot store every character is refused", async () => {
    const { Client } = await import("pg").then(({ default: pg }) => pg);
    const client = new Client({ connectionString: inject("postgresUrl") });
    await client.connect();
    await client.query("CREATE DATABASE latin ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0");
    const found = await findings("encoding", at(inject("postgresUrl").replace(/postgres$/, "latin")));
    await client.query("DROP DATABASE latin WITH (FORCE)");
    await client.end();
    expect(found).toEqual([finding("problem", "LATIN1")]);
  });
});

test("an empty database is reported to lack its schema, and its content is not checked", async () => {
  const empty = emptyPlace;
  const found = await examineDatabase({ ...config, database: empty });
  expect(found.filter(({ check }) => ["schema", "database"].includes(check)).at(-1)).toMatchObject({
    level: engine === "sqlite" ? "ok" : "warning",
  });
  expect(found.some(({ check }) => check === "audit log")).toBe(false);
});
