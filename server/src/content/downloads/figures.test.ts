// After a flush the figures are new on every node, and nothing else is made again: no list, no page, no search document.
import { describe, expect, test } from "vitest";
import { catalogOf } from "#content/catalog/catalog.js";
import { write } from "#platform/changes/write.js";
import { anonymous } from "#platform/http/viewer.js";
import { type TestApp, testApp, uniqueName } from "#test/server/harness.js";
import { makeProject, setProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";
import { counterOf } from "./counters.js";

const here = await testApp({ settings: { MODSHELF_TRUSTED_PROXIES: "loopback" } });
const there = await testApp({ sharedWith: here });
const { as, make, clock, resources } = here;
const { db } = resources;
const author = await make.user();
clock.freeze();

let clients = 0;
async function download({ projectId, versionId }: { projectId: string; versionId: string }, times = 1) {
  for (let n = 0; n < times; n++) {
    const address = `10.8.${++clients >> 8}.${clients & 255}`;
    const path = `/api/project/${projectId}/version/${versionId}/primary-file`;
    await as.anyone.with({ "x-forwarded-for": address }).get(path);
  }
  await counterOf(resources).flush();
}

async function makePlace(name?: string) {
  const { id: projectId } = await makeProject(here, author, name === undefined ? {} : { name });
  const { id: versionId } = await makeVersion(here, author, projectId);
  return { projectId, versionId };
}

const lastChange = async () =>
  (await db.selectFrom("changes").select("seq").orderBy("seq", "desc").limit(1).executeTakeFirst())?.seq ?? 0;

/** The figures of a project, of its first version in the list, and of its latest one. */
async function shownBy({ as: callers }: Pick<TestApp, "as">, projectId: string): Promise<number[]> {
  const { project } = (await callers.anyone.get(`/api/project/${projectId}`)).body;
  const { data } = (await callers.anyone.get(`/api/project/${projectId}/version`)).body;
  const latest = (await callers.anyone.get(`/api/project/${projectId}/version/latest`)).body.data;
  return [project.downloads, data[0].downloads, latest.downloads];
}

describe("a flush", () => {
  test("renews the figures of a project and its versions, and keeps everything else", async () => {
    const place = await makePlace();
    expect(await shownBy(here, place.projectId)).toEqual([0, 0, 0]);
    const [edition, position] = [catalogOf(resources).edition, await lastChange()];
    await download(place);
    await download(place, 2);
    expect(await shownBy(here, place.projectId)).toEqual([3, 3, 3]);
    expect(catalogOf(resources).edition).toBe(edition);
    const changes = await db
      .selectFrom("changes")
      .select("kind")
      .where("seq", ">", position)
      // Consumers may still be working on the new project.
      .where("kind", "not in", ["public", "event", "job"])
      .execute();
    expect(changes.map(({ kind }) => kind)).toEqual(["figures", "figures"]);
  });

  test("changes the figures in a list", async () => {
    const [first, second] = [await makePlace(), await makePlace()];
    const read = async () => {
      const { body } = await as.anyone.get(`/api/projects?ids=${first.projectId},${second.projectId}`);
      return body.map((item: { downloads: number }) => item.downloads);
    };
    for (let n = 0; n < 3; n++) expect(await read()).toEqual([0, 0]);
    await download(first);
    expect(await read()).toEqual([1, 0]);
  });

  test("changes the ETag of an answer that shows the figure; a changed content is never answered with 304", async () => {
    const place = await makePlace();
    const path = `/api/project/${place.projectId}`;
    const list = `/api/projects?ids=${place.projectId}`;
    const tagOf = async (url: string) => (await as.anyone.get(url)).headers.get("etag")!;
    const askWith = async (url: string, tag: string) =>
      (await as.anyone.get(url, { headers: { "if-none-match": tag } })).status;
    const before = await tagOf(path);
    await download(place);
    expect(await askWith(path, before)).toBe(200);
    const after = await tagOf(path);
    expect(await askWith(path, after)).toBe(304);
    const listTag = await tagOf(list);
    await setProject(here, place.projectId, { summary: "Another summary" });
    for (const url of [path, list]) expect(await askWith(url, url === path ? after : listTag)).toBe(200);
  });

  test("moves projects in the orders of the search without indexing them again", async () => {
    const word = uniqueName("w").replaceAll(/\W|\d/g, "q");
    const [first, second] = [await makePlace(word), await makePlace(word)];
    const find = async (app: TestApp, sort: string): Promise<string[]> => {
      const { body } = await app.as.anyone.get(`/api/search?q=${word}&sortby=${sort}`);
      return body.hits.map(({ id }: { id: string }) => id);
    };
    const documents = () =>
      db.selectFrom("search_documents").selectAll().where("project_id", "in", [first.projectId, second.projectId]);
    for (const app of [here, there]) await find(app, "downloads");
    const rows = await documents().orderBy("doc").execute();
    await download(first, 1);
    await download(second, 2);
    for (const sort of ["downloads", "trending"])
      expect(await find(here, sort)).toEqual([second.projectId, first.projectId]);
    await download(first, 2);
    for (const sort of ["downloads", "trending"]) {
      expect(await find(here, sort)).toEqual([first.projectId, second.projectId]);
      await expect.poll(() => find(there, sort)).toEqual([first.projectId, second.projectId]);
    }
    expect(await documents().orderBy("doc").execute()).toEqual(rows);
  });
});

describe("another node", () => {
  test("gets the figures without making anything else again", async () => {
    const place = await makePlace();
    await there.resources.changeLog.catchUp();
    expect(await shownBy(there, place.projectId)).toEqual([0, 0, 0]);
    const { edition } = catalogOf(there.resources);
    await download(place, 2);
    await expect.poll(() => shownBy(there, place.projectId)).toEqual([2, 2, 2]);
    expect(catalogOf(there.resources).edition).toBe(edition);
  });

  test("reads all figures again if it has missed a flush", async () => {
    const place = await makePlace();
    await there.resources.changeLog.catchUp();
    expect(await shownBy(there, place.projectId)).toEqual([0, 0, 0]);
    await db.updateTable("versions").set({ downloads: 5 }).where("id", "=", place.versionId).execute();
    await db.updateTable("projects").set({ downloads: 5 }).where("id", "=", place.projectId).execute();
    // The row of this flush was deleted long ago.
    await write(resources, {}, async (tx) => tx.changed("figures", "999999999"));
    // This happens every ten seconds.
    await expect.poll(() => shownBy(there, place.projectId), { interval: 500 }).toEqual([5, 5, 5]);
  });

  test("counts the same clients at the same time: each counts once, and none of the nodes fails", async () => {
    const places = [await makePlace(), await makePlace(), await makePlace()];
    const nodes = [here, there];
    for (let round = 0; round < 5; round++) {
      for (const [at, { resources: own }] of nodes.entries())
        for (let n = 0; n < 120; n++) {
          // Each node gets them in another order.
          const client = at === 0 ? n : 119 - n;
          const place = places[(client + at) % places.length]!;
          counterOf(own).note(anonymous, `10.9.${round}.${client}`, place);
          counterOf(own).note(anonymous, `10.9.${round}.${client}`, places[client % places.length]!);
        }
      await Promise.all(nodes.map(({ resources: own }) => counterOf(own).flush()));
    }
    // Each client has downloaded two of the three projects, one of them on both nodes.
    const projects = await db
      .selectFrom("projects")
      .select("downloads")
      .where(
        "id",
        "in",
        places.map(({ projectId }) => projectId),
      )
      .execute();
    expect(projects.map(({ downloads }) => downloads)).toEqual([400, 400, 400]);
  });
});
