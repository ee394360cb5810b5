// Collections that moderators feature on the start page.
import { expect, test } from "vitest";
import { readPage, submit } from "#test/callers/page-forms.js";
import { testApp } from "#test/server/harness.js";
import { countStatements, leastCounts } from "#test/server/statement-count.js";
import { makeProject, setProject } from "#test/worlds/content.js";

const world = await testApp();
const there = await testApp({ sharedWith: world });
const { as, make, resources } = world;
const curator = await make.user();
const staff = as.user(await make.user({ role: "moderator" }));
const projects = await Promise.all(
  ["One", "Two", "Three", "Four", "Five"].map((name) => makeProject(world, curator, { name })),
);

async function makeCollection(name: string, members = projects): Promise<string> {
  const reply = await as.user(curator).post("/api/collections", { name, visibility: "public" });
  const id: string = reply.body.collectionId;
  const ids = members.map((project) => project.id);
  if (ids.length > 0)
    expect(await as.user(curator).patch(`/api/collections/${id}/projects`, { projects: ids })).toSucceed();
  return id;
}

const setCollection = (id: string, fields: Record<string, string>) =>
  submit(as.user(curator), `/collection/${id}/edit`, {
    name: "Changed",
    description: "",
    visibility: "public",
    ...fields,
  });
const home = async (path = "/") => (await readPage(as.anyone, path)).text;
/** The ids of the tiles, in their order. */
const shown = async (): Promise<string[]> =>
  [...(await home()).matchAll(/<a href="\/collection\/([^"]+)"/g)].map(([, id]) => id!);
const feature = (id: string) => submit(staff, `/collection/${id}/feature`);
const unfeature = (id: string) => submit(staff, `/collection/${id}/unfeature`);

test("submitFeaturedCollection and submitUnfeaturedCollection are for moderators, and are logged", async () => {
  const id = await makeCollection("Lights & lamps");
  for (const actor of [as.user(curator), as.user(await make.user())])
    expect((await submit(actor, `/collection/${id}/feature`)).status).toBe(404);
  expect(await shown()).toEqual([]);
  expect((await readPage(as.user(curator), `/collection/${id}`)).text).not.toContain("/feature");
  expect((await readPage(staff, `/collection/${id}`)).text).toContain(`action="/collection/${id}/feature"`);
  expect((await feature(id)).status).toBe(303);
  expect(await shown()).toEqual([id]);
  const text = await home();
  expect(text).toContain("Lights &amp; lamps");
  expect(text).toContain(`${curator.userName}</span> · 5 projects`);
  expect(/<span class="collection-icons">(.*?)<\/span>/s.exec(text)![1]!.match(/<img/g)).toHaveLength(4);
  expect(await home("/?lang=de")).toContain("Ausgewählte Sammlungen");
  expect(await home("/?lang=zh")).toContain("编辑精选收藏夹");
  expect((await readPage(staff, "/moderation/log")).text).toContain("featured the collection <a");
  expect((await unfeature(id)).status).toBe(303);
  expect(await shown()).toEqual([]);
  expect((await readPage(staff, "/moderation/log")).text).toContain("removed the collection <a");
});

test("the last one is the first, and there are at most six that can be seen", async () => {
  const ids: string[] = [];
  for (let at = 0; at < 7; at++) ids.push(await makeCollection(`Shelf ${at}`));
  for (const id of ids.slice(0, 6)) await feature(id);
  expect(await shown()).toEqual(ids.slice(0, 6).reverse());
  expect((await feature(ids[6]!)).status).toBe(409);
  await feature(ids[0]!);
  expect((await shown())[0]).toBe(ids[0]);
  // One that is no longer public takes no place, and loses it to another.
  await setCollection(ids[0]!, { visibility: "unlisted" });
  expect(await shown()).toHaveLength(5);
  expect((await feature(ids[0]!)).status).toBe(404);
  expect((await feature(ids[6]!)).status).toBe(303);
  await setCollection(ids[0]!, { visibility: "public" });
  expect(await shown()).toEqual([ids[6], ...ids.slice(1, 6).reverse()]);
  for (const id of ids) await unfeature(id);
});

test("one that is hidden, deleted, renamed or emptied changes the cached page at once", async () => {
  const id = await makeCollection("First name");
  await feature(id);
  expect(await home()).toContain("First name");
  await setCollection(id, { name: "Second name" });
  expect(await home()).toContain("Second name");
  await setCollection(id, { visibility: "private" });
  expect(await shown()).toEqual([]);
  await setCollection(id, { visibility: "public" });
  expect(await shown()).toEqual([id]);
  const own = await makeProject(world, curator, { name: "Its only one" });
  const small = await makeCollection("Small", [own]);
  await feature(small);
  expect(await shown()).toContain(small);
  // Unlisted projects are found by their link only.
  await setProject(world, own.id, { visibility: "unlisted" });
  expect(await shown()).not.toContain(small);
  await setProject(world, own.id, { visibility: "listed" });
  expect(await shown()).toContain(small);
  const elsewhere = async () => (await readPage(there.as.anyone, "/")).text;
  await expect.poll(elsewhere).toContain(`/collection/${small}"`);
  expect(await as.user(curator).delete(`/api/collections/${small}`)).toSucceed();
  expect(await shown()).toEqual([id]);
  await expect.poll(elsewhere).not.toContain(`/collection/${small}"`);
  await unfeature(id);
});

test("a guest's page needs no statement, and a user's page as many for three as for one", async () => {
  const count = () => countStatements(resources.db, () => readPage(as.user(curator), "/"));
  const counts: number[] = [];
  for (let at = 0; at < 3; at++) {
    await feature(await makeCollection(`Row ${at}`, projects.slice(at)));
    const { first } = await leastCounts(count, count);
    counts.push(first);
  }
  expect(new Set(counts).size).toBe(1);
  expect(await shown()).toHaveLength(3);
  const { first } = await leastCounts(
    () => countStatements(resources.db, home),
    async () => 0,
  );
  expect(first).toBe(0);
});
