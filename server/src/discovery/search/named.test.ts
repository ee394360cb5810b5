// Users, organizations and collections by name, on both databases: the results, their order, and changes.
import { expect, test } from "vitest";
import { listPublicCollections } from "#community/collections/read.js";
import { write } from "#platform/changes/write.js";
import { anonymous } from "#platform/http/viewer.js";
import { testApp } from "#test/server/harness.js";
import { makeOrg } from "#test/worlds/content.js";
import { countNamed, listNamedIds, type NamedKind, toNamedText } from "./named.js";

const world = await testApp();
const { as, make } = world;
const { db } = world.resources;
const owner = await make.user({ userName: "Moth_keeper" });
const moth = await make.user({ userName: "moth" });
const other = await make.user({ userName: "mothxkeeper" });
const named = await make.user({ userName: "quiet" });
const changeUser = (id: string, change: { name?: string; date_suspended?: number | null }) =>
  write(world.resources, {}, async (tx) => {
    await tx.db.updateTable("users").set(change).where("id", "=", id).execute();
    tx.changed("user", id);
  });
await changeUser(named.id, { name: "Mothmother Jones" });
const org = await makeOrg(world, owner, { name: "The Moth House" });
const create = async (name: string, visibility: string): Promise<string> =>
  (await as.user(owner).post("/api/collections", { name, visibility })).body.collectionId;
const [late, early] = [await create("A moth a day", "public"), await create("Moths 100%", "public")];
const hidden = await create("Moths of mine", "private");
await create("Moths for friends", "unlisted");

const idsOf = (kind: NamedKind, text: string) => listNamedIds(world.resources, kind, text, { limit: 10, offset: 0 });

test("users are found by the beginnings of words in username and name: exact names first, then the shortest", async () => {
  expect(await idsOf("users", "moth")).toEqual([moth.id, named.id, owner.id, other.id]);
  expect(await idsOf("users", "moth_k")).toEqual([owner.id]);
  expect(await idsOf("users", "mothkeeper")).toEqual([owner.id]);
  expect(await idsOf("users", "KEEP")).toEqual([owner.id]);
  expect(await idsOf("users", "jones")).toEqual([named.id]);
  expect(await idsOf("users", "eeper")).toEqual([]);
  expect(await listNamedIds(world.resources, "users", "moth", { limit: 1, offset: 1 })).toEqual([named.id]);
  expect(await listNamedIds(world.resources, "users", "moth", { limit: 9, offset: 4 })).toEqual([]);
});

test("organizations and public collections are found by words, names that begin with the text first", async () => {
  expect(await idsOf("organizations", "moth")).toEqual([org.id]);
  expect(await idsOf("organizations", "house the")).toEqual([org.id]);
  expect(await idsOf("organizations", org.slug)).toEqual([org.id]);
  expect(await idsOf("collections", "moth")).toEqual([early, late]);
  expect(await idsOf("collections", "100%")).toEqual([early]);
  expect(await idsOf("collections", "moths of mine")).toEqual([]);
  // The one that was updated last comes first.
  const [older, newer] = [await create("Wasps of May", "public"), await create("Wasps", "public")];
  expect(await idsOf("collections", "wasp")).toEqual([newer, older]);
  world.clock.advance(1000);
  await as.user(owner).patch(`/api/collections/${older}`, { description: "With pictures" });
  expect(await idsOf("collections", "wasp")).toEqual([older, newer]);
});

test("a change is found, or no longer found, by the next request", async () => {
  const id = await create("Hornets", "public");
  expect(await idsOf("collections", "hornets")).toEqual([id]);
  await as.user(owner).patch(`/api/collections/${id}`, { visibility: "private" });
  expect(await idsOf("collections", "hornets")).toEqual([]);
  await as.user(owner).patch(`/api/collections/${id}`, { visibility: "public", name: "Bees" });
  expect(await idsOf("collections", "hornets")).toEqual([]);
  expect(await idsOf("collections", "bees")).toEqual([id]);
  const user = await make.user({ userName: "beekeeper" });
  expect(await idsOf("users", "beekeeper")).toEqual([user.id]);
  await changeUser(user.id, { date_suspended: 1 });
  expect(await countNamed(world.resources, "beekeeper")).toEqual({ users: 0, organizations: 0, collections: 0 });
});

test("collections are returned in the order in which they were found, only public ones", async () => {
  const context = { db, viewer: anonymous, cdnUrl: "" };
  const found = await listPublicCollections(context, [early, hidden, late, "AAAAAAAA"]);
  expect(found.map(({ id }) => id)).toEqual([early, late]);
});

test("all are counted, for any text", async () => {
  expect(await countNamed(world.resources, "moth")).toEqual({ users: 4, organizations: 1, collections: 2 });
  for (const text of ["'", '"', "\\", "%%", "__", "xy\\", "\u{1f98b}\u{1f98b}", "ﷺ", "x".repeat(64)])
    expect(await countNamed(world.resources, text), text).toEqual({ users: 0, organizations: 0, collections: 0 });
});

test("a text of one letter is too short", () => {
  expect([toNamedText(" M "), toNamedText("🦋"), toNamedText(" Mo ")]).toEqual([undefined, undefined, "mo"]);
});
