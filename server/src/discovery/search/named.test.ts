// Users, organizations and collections by name, on both databases: the results, their order, and the use of an index.
import { sql } from "kysely";
import { expect, test } from "vitest";
import { listPublicCollections } from "#community/collections/read.js";
import { anonymous } from "#platform/http/viewer.js";
import { engine, testApp } from "#test/server/harness.js";
import { makeOrg } from "#test/worlds/content.js";
import { countNamed, listNamedIds, type NamedKind, toNamedText } from "./named.js";

const world = await testApp();
const { as, make } = world;
const { db } = world.resources;
const owner = await make.user({ userName: "Moth_keeper" });
const moth = await make.user({ userName: "moth" });
const other = await make.user({ userName: "mothxkeeper" });
const named = await make.user({ userName: "quiet" });
await db.updateTable("users").set({ name: "Mothmother" }).where("id", "=", named.id).execute();
const org = await makeOrg(world, owner, { name: "The Moth House" });
const create = async (name: string, visibility: string): Promise<string> =>
  (await as.user(owner).post("/api/collections", { name, visibility })).body.collectionId;
const [late, early] = [await create("A moth a day", "public"), await create("Moths 100%", "public")];
const hidden = await create("Moths of mine", "private");
await create("Moths for friends", "unlisted");

const idsOf = (kind: NamedKind, text: string) => listNamedIds(db, kind, text, { limit: 10, offset: 0 });

test("users are found by the beginning of username or name, exact matches first, then the shortest", async () => {
  expect(await idsOf("users", "moth")).toEqual([moth.id, named.id, owner.id, other.id]);
  expect(await idsOf("users", "moth_")).toEqual([owner.id]);
  expect(await idsOf("users", "keeper")).toEqual([]);
  expect(await listNamedIds(db, "users", "moth", { limit: 1, offset: 1 })).toEqual([named.id]);
});

test("organizations and public collections are found by any part, matching beginnings first", async () => {
  expect(await idsOf("organizations", "moth")).toEqual([org.id]);
  expect(await idsOf("organizations", org.slug)).toEqual([org.id]);
  expect(await idsOf("collections", "moth")).toEqual([early, late]);
  expect(await idsOf("collections", "100%")).toEqual([early]);
  expect(await idsOf("collections", "1__%")).toEqual([]);
});

test("collections are returned in the order in which they were found, only public ones", async () => {
  const context = { db, viewer: anonymous, cdnUrl: "" };
  const found = await listPublicCollections(context, [early, hidden, late, "AAAAAAAA"]);
  expect(found.map(({ id }) => id)).toEqual([early, late]);
});

test("all are counted in one statement, for any text", async () => {
  expect(await countNamed(db, "moth")).toEqual({ users: 4, organizations: 1, collections: 2 });
  for (const text of ["'", '"', "\\", "%%", "__", "ab\\", "\u{1f98b}\u{1f98b}", "ﷺ", "x".repeat(64)])
    expect(await countNamed(db, text), text).toEqual({ users: 0, organizations: 0, collections: 0 });
});

test("a text of one letter is too short", () => {
  expect([toNamedText(" M "), toNamedText("🦋"), toNamedText(" Mo ")]).toEqual([undefined, undefined, "mo"]);
});

test.runIf(engine === "sqlite")("users are found by an index, however many there are", async () => {
  const { rows } = await sql<{ detail: string }>`explain query plan
    select id from users where (lower(user_name) >= 'ab' and lower(user_name) < 'ac')
    or (name is not null and (lower(name) >= 'ab' and lower(name) < 'ac'))`.execute(db);
  const plan = rows.map(({ detail }) => detail).join("\n");
  expect(plan).toContain("users_user_name_unique");
  expect(plan).toContain("users_name");
  expect(plan).not.toContain("SCAN users");
});
