// Two workers that share the files with prepared projects: the first one writes them, and both answer with every change.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { hashIndexOf } from "#content/hashes/hash-index.js";
import { announceFigures } from "#content/records/figures.js";
import { segmentPath } from "#content/records/journal.js";
import { write } from "#platform/changes/write.js";
import { testApp } from "#test/server/harness.js";
import { type TestWorker, WorkerPair } from "#test/server/worker-pair.js";
import { makeProject, setProject } from "#test/worlds/content.js";
import { makeVersion, type TestVersion } from "#test/worlds/versions.js";
import { preparedOf } from "./prepared-catalog.js";

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

/** The second worker uses the record that the first one has written. It may have read more changes than the news of it. */
const expectShared = (id: string) =>
  expect
    .poll(async () => {
      await read(second, id);
      const place = placeOf(second, id);
      return place !== undefined && isDeepStrictEqual(place, placeOf(first, id));
    })
    .toBe(true);

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
      await expectShared(id);
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
  for (const id of ids) await expectShared(id);
  await setProject(first, ids[2]!, { summary: "After that" });
  expect((await read(second, ids[2]!)).summary).toBe("After that");
});

describe("look-ups by hash in the second worker", () => {
  const post = async (worker: TestWorker, path: string, versions: readonly TestVersion[]) =>
    (await worker.as.anyone.post(path, { hashes: versions.map(({ sha512 }) => sha512) })).body;

  /** Each of these versions, and no other, is found by its hash, and the update of each is the last one. */
  async function expectFound(all: readonly TestVersion[], found: readonly TestVersion[]): Promise<void> {
    for (const worker of [second, first]) {
      await hashIndexOf(worker.resources).settled();
      // The second time, the places that are in the index are used.
      for (let time = 0; time < 2; time++) {
        const versions = await post(worker, "/api/version-files", all);
        expect(Object.keys(versions).sort()).toEqual(found.map(({ sha512 }) => sha512).sort());
        for (const { sha512, id } of found) expect(versions[sha512].id).toBe(id);
        const updates = await post(worker, "/api/version-files/update", all);
        expect(Object.keys(updates).sort()).toEqual(found.map(({ sha512 }) => sha512).sort());
        for (const { sha512 } of found) expect(updates[sha512].id).toBe(found.at(-1)!.id);
      }
    }
  }

  const isKnown = (worker: TestWorker, id: string) => {
    const { files, places } = catalogOf(worker);
    return files!.isKnown(places.find(id) ?? -1);
  };

  const hide = (worker: TestWorker, projectId: string, versionId: string) =>
    write(worker.resources, { credential: "test" }, async (tx) => {
      await tx.db.updateTable("versions").set({ date_quarantined: 1 }).where("id", "=", versionId).execute();
      tx.changed("project", projectId);
    });

  async function makeVersions(id: string): Promise<TestVersion[]> {
    const versions: TestVersion[] = [];
    for (let count = 0; count < 3; count++) {
      base.clock.advance(1000);
      versions.push(await makeVersion(first, author, id));
    }
    return versions;
  }

  /** Moves all records of the segment, as the upkeep does, and removes it. */
  async function removeSegment(segment: number): Promise<void> {
    const catalog = catalogOf(first);
    await catalog.move(catalog.places.recordsIn(segment));
    await catalog.tasks!.mark(first.resources.changeLog.position);
    catalog.removeSegment(segment);
    await catalog.tasks!.removeSegment(segment);
  }

  test("find the versions of a record that the first one has stored, and those of each later record", async () => {
    const { id } = await makeProject(first, author);
    const all = await makeVersions(id);
    await expectFound(all, all);
    expect(isKnown(second, id)).toBe(true);
    const expecting = vi.spyOn(catalogOf(first), "expectChange");
    catalogOf(second).expectChange([id]);
    await vi.waitFor(() => expect(expecting).toHaveBeenCalledWith([id]));
    all.push(await makeVersion(second, author, id));
    // The first worker prepares it, and tells the second one.
    await read(first, id);
    await expectShared(id);
    await expectFound(all, all);
    for (const [index, version] of all.slice(0, 3).entries()) {
      await hide(index % 2 === 0 ? first : second, id, version.id);
      await expectFound(all, all.slice(index + 1));
      expect(isKnown(second, id)).toBe(true);
    }
    await setProject(first, id, { visibility: "private" });
    await expectFound(all, []);
  });

  test("find them after the record was moved and its file was removed, with new figures", async () => {
    const { id } = await makeProject(first, author);
    const all = await makeVersions(id);
    await expectFound(all, all);
    const before = placeOf(first, id)!;
    // Another file is written from here on.
    await first.end();
    first = await start(1);
    await expectFound(all, all);
    expect(placeOf(first, id)).toEqual(before);
    await expectShared(id);
    await removeSegment(before.segment);
    const after = placeOf(first, id)!;
    expect(after.segment).not.toBe(before.segment);
    await expect.poll(() => placeOf(second, id)).toEqual(after);
    expect(existsSync(segmentPath(join(base.dataDir, "cache", "answers-1"), before.segment))).toBe(false);
    await expectFound(all, all);
    expect(isKnown(second, id)).toBe(true);
    const counted = all[0]!;
    await write(second.resources, { credential: "test" }, async (tx) => {
      await tx.db.updateTable("versions").set({ downloads: 9 }).where("id", "=", counted.id).execute();
      await announceFigures(tx, [{ projectId: id, downloads: 9, versions: [{ versionId: counted.id, downloads: 9 }] }]);
    });
    for (const worker of [first, second])
      await expect
        .poll(async () => (await post(worker, "/api/version-files", [counted]))[counted.sha512].downloads)
        .toBe(9);
  });

  test("find the current versions while the first one is away, and after it was replaced", async () => {
    const [one, other] = [await makeProject(first, author), await makeProject(first, author)];
    const [ones, others] = [await makeVersions(one.id), await makeVersions(other.id)];
    await expectFound([...ones], ones);
    await expectFound([...others], others);
    await first.end();
    await hide(second, one.id, ones[0]!.id);
    // Nothing asks for the other project in this time.
    await hide(second, other.id, others[0]!.id);
    const versions = await post(second, "/api/version-files", ones);
    expect(Object.keys(versions).sort()).toEqual(
      ones
        .slice(1)
        .map(({ sha512 }) => sha512)
        .sort(),
    );
    first = await start(1);
    for (const [{ id }, all] of [[one, ones] as const, [other, others] as const]) {
      await expectShared(id);
      await expectFound(all, all.slice(1));
      expect(isKnown(second, id)).toBe(true);
      await hide(first, id, all[1]!.id);
      await expectFound(all, all.slice(2));
    }
  });
});
