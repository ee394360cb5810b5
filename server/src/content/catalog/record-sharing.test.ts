// Two workers that share the files with prepared projects: the first one writes them, and both answer with every change.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { announceFigures } from "#content/catalog/figures.js";
import { preparedOf } from "#content/catalog/prepared-catalog.js";
import { write } from "#platform/changes/write.js";
import { testApp } from "#test/server/harness.js";
import { type TestWorker, WorkerPair } from "#test/server/worker-pair.js";
import { makeProject, setProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";

/** It has the database and the files; the workers are started and ended. */
const base = await testApp();
const pair = new WorkerPair();
const start = (number: 1 | 2) => pair.start(number, { sharedWith: base });
let first: TestWorker;
let second: TestWorker;
let author: Awaited<ReturnType<TestWorker["make"]["user"]>>;

beforeAll(async () => {
  first = await start(1);
  second = await start(2);
  author = await first.make.user();
});

afterAll(async () => {
  await second.end();
  await first.end();
});

const catalogOf = ({ resources }: TestWorker) => preparedOf(resources);

/** Where the worker reads the current record of a project. */
function placeOf(worker: TestWorker, id: string) {
  const { places } = catalogOf(worker);
  return places.current(places.find(id) ?? -1);
}

const read = async (worker: TestWorker, id: string) => (await worker.as.anyone.get(`/api/project/${id}`)).body.project;

/** New totals, as the counting of downloads announces them. */
const setDownloads = (worker: TestWorker, projectId: string, downloads: number) =>
  write(worker.resources, { credential: "test" }, async (tx) => {
    await tx.db.updateTable("projects").set({ downloads }).where("id", "=", projectId).execute();
    await announceFigures(tx, [{ projectId, downloads, versions: [] }]);
  });

describe("two workers", () => {
  test("use the same record, which the first one has written, whichever of them is asked", async () => {
    for (const asked of [first, second]) {
      const { id } = await makeProject(asked, author);
      expect((await read(asked, id)).id).toBe(id);
      await expect.poll(() => placeOf(second, id)).toBeDefined();
      expect(placeOf(second, id)).toEqual(placeOf(first, id));
    }
    const folders = readdirSync(join(base.dataDir, "cache")).filter((name) => name.startsWith("answers"));
    // That of the server that is not one of the workers, and theirs.
    expect(folders).toEqual(["answers-0", "answers-1"]);
  });

  test("show every change in the next answer, whichever of them made it", async () => {
    const { id } = await makeProject(first, author);
    for (let turn = 0; turn < 6; turn++) {
      const [writer, reader] = turn % 2 === 0 ? [first, second] : [second, first];
      await setProject(writer, id, { summary: `Summary ${turn}` });
      expect((await read(reader, id)).summary).toBe(`Summary ${turn}`);
      expect((await read(writer, id)).summary).toBe(`Summary ${turn}`);
      await makeVersion(writer, author, id);
      const { data } = (await reader.as.anyone.get(`/api/project/${id}/version`)).body;
      expect(data).toHaveLength(turn + 1);
    }
    await write(second.resources, { credential: "test" }, async (tx) => {
      await tx.db.updateTable("users").set({ user_name: "renamed" }).where("id", "=", author.id).execute();
      tx.changed("user", author.id);
    });
    const [version] = (await second.as.anyone.get(`/api/project/${id}/version`)).body.data;
    expect(version.author.userName).toBe("renamed");
    await setProject(second, id, { visibility: "private" });
    for (const { as } of [first, second]) expect((await as.anyone.get(`/api/project/${id}`)).status).toBe(404);
  });

  test("show new figures, also after the record was moved and is read from the file again", async () => {
    const { id } = await makeProject(first, author);
    await read(second, id);
    await setDownloads(second, id, 5);
    for (const worker of [first, second]) await expect.poll(async () => (await read(worker, id)).downloads).toBe(5);
    const before = placeOf(first, id)!;
    await catalogOf(first).move([{ id, place: before }]);
    expect(placeOf(first, id)).not.toEqual(before);
    await expect.poll(() => placeOf(second, id)).toEqual(placeOf(first, id));
    await setDownloads(first, id, 6);
    for (const worker of [first, second]) await expect.poll(async () => (await read(worker, id)).downloads).toBe(6);
    // A worker that starts now has nothing in memory.
    await second.end();
    second = await start(2);
    expect((await read(second, id)).downloads).toBe(6);
  });
});

test("if the first worker ends, the second one answers with every change, and uses the files of the replacement", async () => {
  const ids: string[] = [];
  for (let count = 0; count < 3; count++) ids.push((await makeProject(second, author)).id);
  for (const id of ids) await read(second, id);
  await first.end();
  await setProject(second, ids[0]!, { summary: "While the first one was away" });
  expect((await read(second, ids[0]!)).summary).toBe("While the first one was away");
  expect((await read(second, ids[1]!)).id).toBe(ids[1]);
  expect(placeOf(second, ids[1]!)).toBeDefined();
  first = await start(1);
  for (const id of ids)
    await expect
      .poll(async () => {
        await read(second, id);
        return placeOf(second, id);
      })
      .toEqual((await read(first, id)) && placeOf(first, id));
  await setProject(first, ids[2]!, { summary: "After that" });
  expect((await read(second, ids[2]!)).summary).toBe("After that");
});
