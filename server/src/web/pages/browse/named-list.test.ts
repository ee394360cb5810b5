// Searching for people, organizations and collections by name.
import { describe, expect, test } from "vitest";
import { write } from "#platform/changes/write.js";
import type { Reply } from "#test/callers/actors.js";
import { testApp } from "#test/server/harness.js";
import { makeOrg } from "#test/worlds/content.js";

const world = await testApp();
const { as, make } = world;
const lamp = await make.user({ userName: "Lampwright" });
await make.user({ userName: "lamp" });
await make.user({ userName: "la_mp" });
const changeUser = (id: string, change: { name: string } | { date_suspended: number }) =>
  write(world.resources, {}, async (tx) => {
    await tx.db.updateTable("users").set(change).where("id", "=", id).execute();
    tx.changed("user", id);
  });
await changeUser(lamp.id, { name: "Lamplighter Zoë" });
const banned = await make.user({ userName: "lampbanned" });
await changeUser(banned.id, { date_suspended: 1 });
await makeOrg(world, lamp, { name: "The Lamp Guild", description: "We <glow>" });
for (const [name, visibility] of [
  ["Lamps for winter", "public"],
  ["Hidden lamps", "unlisted"],
  ["Secret lamps", "private"],
  ["All the lamps", "public"],
])
  await as.user(lamp).post("/api/collections", { name, visibility });

const page = (path: string): Promise<Reply> => as.anyone.get(path, { headers: { accept: "text/html" } });
const names = ({ text }: Reply): string[] =>
  [...text.matchAll(/<h3><a href="[^"]*" dir="auto">([^<]*)<\/a>/g)].map(([, name]) => name!);

describe("getUserSearchPage", () => {
  test("finds by the beginnings of words in username and name, the exact match first, and no suspended users", async () => {
    const reply = await page("/search/users?q=LAMP");
    expect(reply).toSucceed();
    // "la_mp" is the same name without punctuation.
    expect(names(reply)).toEqual(["lamp", "la_mp", "Lamplighter Zoë"]);
    expect(reply.text).toContain("@Lampwright");
    expect(reply.text).toContain("3 users");
    expect(reply.text).toContain('content="noindex"');
    for (const q of ["lamplighter", "zoe", "LAMPL+ZO"])
      expect(names(await page(`/search/users?q=${q}`)), q).toEqual(["Lamplighter Zoë"]);
    expect(names(await page("/search/users?q=deleted_user"))).toEqual([]);
  });

  test("ignores punctuation, and needs a minimum length", async () => {
    expect(names(await page("/search/users?q=la_m"))).toEqual(["la_mp"]);
    expect(names(await page("/search/users?q=%25mp_"))).toEqual(["la_mp"]);
    expect(names(await page("/search/users?q=%25%25"))).toEqual([]);
    expect(names(await page("/search/users?q=l"))).toEqual([]);
    for (const q of ["", "'; drop table users; --", "%F0%9F%98%80%F0%9F%98%80", "\\\\", "x".repeat(199)])
      expect((await page(`/search/users?q=${q}`)).status, q).toBe(200);
    expect((await page("/search/users?q=%22%3E%3Cimg%20src%3Dx%3E")).text).not.toContain("<img src=x");
  });

  test("ends with a 404 that leads back", async () => {
    const beyond = await page("/search/users?q=lamp&page=2");
    expect(beyond.status).toBe(404);
    expect(beyond.text).toContain('href="/search/users?q=lamp"');
    expect((await page("/search/users?q=lamp&page=-3")).status).toBe(200);
  });
});

test("getOrganizationSearchPage finds by any word of the name", async () => {
  const reply = await page("/search/organizations?q=guild");
  expect(names(reply)).toEqual(["The Lamp Guild"]);
  expect(reply.text).toContain("We &lt;glow>");
  expect((await page("/search/organizations?q=nothing-like-it")).text).toContain("No results");
});

test("getCollectionSearchPage finds public ones only, matching beginnings first, for every viewer", async () => {
  for (const actor of [as.anyone, as.user(lamp), as.user(await make.user({ role: "moderator" }))])
    expect(names(await actor.get("/search/collections?q=lamps"))).toEqual(["Lamps for winter", "All the lamps"]);
  expect((await page("/search/collections?q=lamps")).text).toContain("by <bdi>Lamplighter Zoë</bdi>");
});

test("every search has tabs for the other kinds of results, with the number of each", async () => {
  for (const path of ["/search?q=lamp", "/mods?q=lamp", "/search/users?q=lamp"]) {
    const { text } = await page(path);
    expect(text, path).toMatch(/href="\/search\/users\?q=lamp"[^>]*>Users <span class="muted">3</);
    expect(text, path).toMatch(/href="\/search\/organizations\?q=lamp">Organizations <span class="muted">1</);
    expect(text, path).toMatch(/href="\/search\/collections\?q=lamp">Collections <span class="muted">2</);
  }
  expect((await page("/search?q=zzzz")).text).not.toContain("/search/users");
  expect((await page("/search")).text).not.toContain("/search/users");
});

test("without a text there is nothing to count, and the pages lead to each other", async () => {
  const { text } = await page("/search/organizations");
  for (const kind of ["Users", "Organizations", "Collections"])
    expect(text).toMatch(new RegExp(`href="/search/${kind.toLowerCase()}"[^>]*>${kind} <`));
  expect(text).not.toMatch(/Organizations <span/);
});

test("the text is quoted as the language does", async () => {
  const headers = { accept: "text/html", "accept-language": "de" };
  expect((await as.anyone.get("/search?q=zzzz", { headers })).text).not.toContain("“zzzz”");
});
