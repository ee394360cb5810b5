// Finding users for staff, on both databases: by name, by the beginning of an email address, and suspended ones.
import { expect, test } from "vitest";
import { listAllUserIds } from "#discovery/search/named.js";
import { write } from "#platform/changes/write.js";
import { testApp } from "#test/server/harness.js";
import { searchPeople } from "./people-search.js";

const world = await testApp();
const { make, resources } = world;
const { db } = resources;
const wing = await make.user({ userName: "Wing_mirror", email: "Beetle.One@example.org" });
const moth = await make.user({ userName: "mothwing", email: "beetle_two@example.org" });
const other = await make.user({ userName: "beetleroot", email: "other@example.org" });

const find = async (text: string, { byEmail = false, suspended = false } = {}) => {
  const named = await listAllUserIds(resources, text);
  const found = await searchPeople(db, { named, suspended, ...(byEmail && { email: text }) });
  return new Set(found.map(({ user_name }) => user_name));
};
const names = (...users: { userName: string }[]) => new Set(users.map(({ userName }) => userName));

test("users are found by the beginnings of words in their names", async () => {
  expect(await find("WING")).toEqual(names(wing));
  expect(await find("mirr")).toEqual(names(wing));
  expect(await find("mothw")).toEqual(names(moth));
  expect(await find("irror")).toEqual(names());
});

test("email addresses are found by their beginning, without case and wildcards, and only if they are searched", async () => {
  expect(await find("BEETLE", { byEmail: true })).toEqual(names(wing, moth, other));
  expect(await find("beetle.", { byEmail: true })).toEqual(names(wing, other));
  expect(await find("beetle_two@example.org", { byEmail: true })).toEqual(names(moth));
  expect(await find("example", { byEmail: true })).toEqual(names());
  expect(await find("%", { byEmail: true })).toEqual(names());
  expect(await find("beetle")).toEqual(names(other));
});

test("suspended users are found as well, and again without a suspension", async () => {
  const suspend = (at: number | null) =>
    write(resources, {}, async (tx) => {
      await tx.db.updateTable("users").set({ date_suspended: at }).where("id", "=", moth.id).execute();
      tx.changed("user", moth.id);
    });
  await suspend(1);
  expect(await find("mothwing")).toEqual(names(moth));
  expect(await find("mothwing", { suspended: true })).toEqual(names(moth));
  await suspend(null);
  expect(await find("mothwing")).toEqual(names(moth));
  expect(await find("mothwing", { suspended: true })).toEqual(names());
});
