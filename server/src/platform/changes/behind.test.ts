// A server that knows of an acknowledged write but cannot read it answers nothing that could lack it.
import { sql } from "kysely";
import { expect, test } from "vitest";
import { testApp } from "#test/server/harness.js";
import { write } from "./write.js";

const { resources, as } = await testApp();
const { db, changeLog } = resources;

test("a reader of the log waits for the work of listeners that return a promise", async () => {
  const order: string[] = [];
  const gate = Promise.withResolvers<void>();
  const unsubscribe = changeLog.subscribe(async ({ kind }) => {
    if (kind !== "setting") return;
    await gate.promise;
    order.push("applied");
  });
  const written = write(resources, { credential: "test" }, async (tx) => tx.changed("setting", "x")).then(() =>
    order.push("acknowledged"),
  );
  gate.resolve();
  await written;
  unsubscribe();
  expect(order).toEqual(["applied", "acknowledged"]);
});

test("after a change could not be read, requests wait until it can be, but probes are answered", async () => {
  expect((await as.anyone.get("/api/tags/loaders")).status).toBe(200);
  await sql`alter table changes rename to hidden_changes`.execute(db);
  await changeLog.mustCatchUp();
  expect([changeLog.isBehind, changeLog.isFollowing]).toEqual([true, false]);
  expect((await as.anyone.get("/api/tags/loaders")).status).toBeGreaterThanOrEqual(500);
  expect((await as.anyone.get("/healthz")).status).toBe(200);
  await sql`alter table hidden_changes rename to changes`.execute(db);
  expect((await as.anyone.get("/api/tags/loaders")).status).toBe(200);
  expect([changeLog.isBehind, changeLog.isFollowing]).toEqual([false, true]);
});
