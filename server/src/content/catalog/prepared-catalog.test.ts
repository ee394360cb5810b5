// Prepared projects of real servers: every answer contains all changes, after a restart and a failure too.
import { readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { describe, expect, test, vi } from "vitest";
import { hashIndexOf } from "#content/hashes/hash-index.js";
import { write } from "#platform/changes/write.js";
import { publishTo } from "#test/callers/uploads.js";
import { type TestApp, testApp } from "#test/server/harness.js";
import { makeOrg, makeProject, setProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";
import { fileChangeId } from "./catalog.js";
import { preparedOf } from "./prepared-catalog.js";

const world = await testApp({ preparesInThread: true });
const author = await world.make.user();

/** The answers of all kinds of reads about a project. */
async function readAll({ as }: Pick<TestApp, "as">, id: string) {
  const { data } = (await as.anyone.get(`/api/project/${id}/version`)).body;
  const { project } = (await as.anyone.get(`/api/project/${id}`)).body;
  const [item] = (await as.anyone.get(`/api/projects?ids=${id}`)).body;
  return { versions: data, project, item };
}

/** Harms the records that a second server on the same data has opened. */
function damageRecords(): void {
  const folder = join(world.dataDir, "cache", "answers-1");
  for (const name of readdirSync(folder).filter((each) => each.endsWith(".records")))
    writeFileSync(join(folder, name), Buffer.alloc(statSync(join(folder, name)).size, 7));
}

/** All hashes of files that a project has, or had before. */
const hashesOf = new Map<string, Set<string>>();

/** The state of the rows, read without prepared answers: a signed-in caller gets the same from the database. */
async function expectCurrent(server: Pick<TestApp, "as" | "make">, id: string): Promise<void> {
  const shown = await readAll(server, id);
  const member = server.as.user(await server.make.user());
  expect(shown.versions).toEqual((await member.get(`/api/project/${id}/version`)).body.data);
  expect(shown.project).toEqual((await member.get(`/api/project/${id}`)).body.project);
  expect([shown.item]).toEqual((await member.get(`/api/projects?ids=${id}`)).body);
  const hashes = hashesOf.get(id) ?? new Set();
  hashesOf.set(id, hashes);
  for (const { primaryFile } of shown.versions) hashes.add(primaryFile.sha512_hash);
  if (hashes.size === 0) return;
  const body = { hashes: [...hashes] };
  for (const path of ["/api/version-files", "/api/version-files/update"])
    expect((await server.as.anyone.post(path, body)).body).toEqual((await member.post(path, body)).body);
}

describe("a prepared project", () => {
  test("contains every change as soon as the change is made", async () => {
    const owner = await world.make.user();
    const org = await makeOrg(world, owner);
    const { id } = await makeProject(world, owner, { orgId: org.id });
    await expectCurrent(world, id);
    for (const changelog of ["one", "two", "two"]) {
      await makeVersion(world, owner, id, { changelog });
      await expectCurrent(world, id);
    }
    await setProject(world, id, { summary: "Another summary ü 🏮" });
    expect((await readAll(world, id)).item.summary).toBe("Another summary ü 🏮");
    await write(world.resources, { credential: "test" }, async (tx) => {
      await tx.db.updateTable("users").set({ user_name: "renamed" }).where("id", "=", owner.id).execute();
      tx.changed("user", owner.id);
    });
    expect((await readAll(world, id)).versions[0].author.userName).toBe("renamed");
    await write(world.resources, { credential: "test" }, async (tx) => {
      await tx.db.updateTable("organizations").set({ name: "Renamed" }).where("id", "=", org.id).execute();
      tx.changed("organization", org.id);
    });
    expect((await readAll(world, id)).project.organisation.name).toBe("Renamed");
    await setProject(world, id, { visibility: "private" });
    expect((await world.as.anyone.get(`/api/project/${id}`)).status).toBe(404);
    await setProject(world, id, { visibility: "listed" });
    await expectCurrent(world, id);
  });

  test("is found by the hashes of all its files, and of no others, after every change", async () => {
    const { id } = await makeProject(world, author);
    const versions = [];
    for (let index = 0; index < 3; index++) {
      versions.push(await makeVersion(world, author, id));
      await hashIndexOf(world.resources).settled();
      await expectCurrent(world, id);
      const { files, places } = preparedOf(world.resources);
      expect(files!.isKnown(places.find(id)!)).toBe(true);
    }
    // As after a start: the first hash of the project in a look-up makes the places of the others known.
    const { files, places } = preparedOf(world.resources);
    files!.reset();
    await expectCurrent(world, id);
    expect(files!.isKnown(places.find(id)!)).toBe(true);
    const other = await makeProject(world, author);
    await makeVersion(world, author, other.id);
    const hide = (versionId: string, projectId: string) =>
      write(world.resources, { credential: "test" }, async (tx) => {
        await tx.db.updateTable("versions").set({ date_quarantined: 1 }).where("id", "=", versionId).execute();
        tx.changed("project", projectId);
      });
    for (const version of versions) {
      await hide(version.id, id);
      await expectCurrent(world, id);
      await expectCurrent(world, other.id);
    }
    await setProject(world, id, { visibility: "private" });
    await setProject(world, id, { visibility: "listed" });
    await makeVersion(world, author, id);
    await expectCurrent(world, id);
    await expectCurrent(world, id);
  });

  test("is found by a file that was removed and added again before the project was requested", async () => {
    const { id } = await makeProject(world, author);
    const extra = { name: "extra.jar", bytes: Buffer.from(`extra ${id}`) };
    const version = await makeVersion(world, author, id, { additional: [extra] });
    await hashIndexOf(world.resources).settled();
    await expectCurrent(world, id);
    const { files, places } = preparedOf(world.resources);
    expect(files!.isKnown(places.find(id)!)).toBe(true);
    const { db } = world.resources;
    const row = await db
      .selectFrom("version_files")
      .selectAll()
      .where("name", "=", extra.name)
      .executeTakeFirstOrThrow();
    const sha512 = Buffer.from(row.sha512).toString("hex");
    for (const isThere of [false, true]) {
      await write(world.resources, { credential: "test" }, async (tx) => {
        if (isThere) await tx.db.insertInto("version_files").values(row).execute();
        else await tx.db.deleteFrom("version_files").where("id", "=", row.id).execute();
        tx.changed("file", fileChangeId(sha512, Buffer.from(row.sha1).toString("hex")));
        tx.changed("project", id, []);
      });
      await hashIndexOf(world.resources).settled();
    }
    await expectCurrent(world, id);
    expect(files!.isKnown(places.find(id)!)).toBe(true);
    const found = await world.as.anyone.post("/api/version-files", { hashes: [sha512] });
    expect(found.body[sha512].id).toBe(version.id);
  });

  test("is prepared again after the taxonomy has changed", async () => {
    const { id } = await makeProject(world, author);
    const before = (await readAll(world, id)).project;
    await write(world.resources, { credential: "test" }, async (tx) => tx.changed("taxonomy", "test"));
    expect(preparedOf(world.resources).peek(id)).toBeUndefined();
    expect((await readAll(world, id)).project).toEqual(before);
  });

  test("shows new figures at once, with another tag, and without being prepared again", async () => {
    const { id } = await makeProject(world, author);
    const version = await makeVersion(world, author, id);
    const first = await world.as.anyone.get(`/api/project/${id}/version`);
    expect((await readAll(world, id)).item.downloads).toBe(0);
    const project = preparedOf(world.resources).peek(id);
    preparedOf(world.resources).figuresChanged([
      { projectId: id, downloads: 70, versions: [{ versionId: version.id, downloads: 60 }] },
    ]);
    const { versions, item } = await readAll(world, id);
    expect([versions[0].downloads, item.downloads]).toEqual([60, 70]);
    expect(preparedOf(world.resources).peek(id)).toBe(project);
    const tagged = { "if-none-match": first.headers.get("etag")! };
    expect((await world.as.anyone.call("GET", `/api/project/${id}/version`, { headers: tagged })).status).toBe(200);
  });

  test("is used by many requests at the same time while it changes", async () => {
    const { id } = await makeProject(world, author);
    const seen = new Set<number>();
    for (let round = 0; round < 5; round++) {
      const reading = Array.from({ length: 10 }, () => readAll(world, id));
      await makeVersion(world, author, id);
      const { versions } = await readAll(world, id);
      expect(versions).toHaveLength(round + 1);
      for (const { versions } of await Promise.all(reading)) seen.add(versions.length);
    }
    expect(Math.max(...seen)).toBeLessThanOrEqual(5);
  });
});

describe("a server that starts again", () => {
  test("uses its files, with everything that has changed since", async () => {
    const ids = [];
    for (let index = 0; index < 4; index++) ids.push((await makeProject(world, author)).id);
    await makeVersion(world, author, ids[0]!);
    const other = await testApp({ sharedWith: world });
    for (const id of ids) await expectCurrent(other, id);
    preparedOf(other.resources).figuresChanged([{ projectId: ids[3]!, downloads: 5, versions: [] }]);
    await other.stop();

    await makeVersion(world, author, ids[0]!);
    await setProject(world, ids[1]!, { visibility: "private" });
    const again = await testApp({ sharedWith: world });
    const prepared = preparedOf(again.resources);
    expect(ids.map((id) => prepared.peek(id) !== undefined)).toEqual([false, false, true, true]);
    expect((await readAll(again, ids[3]!)).item.downloads).toBe(5);
    for (const id of [ids[0]!, ids[2]!]) await expectCurrent(again, id);
    expect((await again.as.anyone.get(`/api/project/${ids[1]}`)).status).toBe(404);
    await again.stop();
  });

  test("prepares everything again if the change log does not reach back to the end of its last run", async () => {
    const { id } = await makeProject(world, author);
    const other = await testApp({ sharedWith: world });
    await expectCurrent(other, id);
    await other.stop();
    await setProject(world, id, { summary: "Forgotten by the log" });
    await setProject(world, (await makeProject(world, author)).id, { summary: "The last change" });
    const { position } = world.resources.changeLog;
    await world.resources.db.deleteFrom("changes").where("seq", "<", position).execute();
    const again = await testApp({ sharedWith: world });
    expect(preparedOf(again.resources).peek(id)).toBeUndefined();
    expect((await readAll(again, id)).item.summary).toBe("Forgotten by the log");
    await again.stop();
  });

  test("prepares everything again if its files are damaged or deleted", async () => {
    const { id } = await makeProject(world, author);
    const folder = join(world.dataDir, "cache", "answers-1");
    for (const harm of ["damage", "delete"] as const) {
      const other = await testApp({ sharedWith: world });
      await expectCurrent(other, id);
      await other.stop();
      if (harm === "delete") rmSync(folder, { recursive: true });
      else
        for (const name of readdirSync(folder).filter((each) => each.endsWith(".records")))
          writeFileSync(join(folder, name), Buffer.alloc(1_000_000, 7));
      const again = await testApp({ sharedWith: world });
      await expectCurrent(again, id);
      await again.stop();
    }
  });
});

test("every route prepares a project again whose record turns out to be damaged", async () => {
  const ids: string[] = [];
  for (let index = 0; index < 5; index++) {
    ids.push((await makeProject(world, author)).id);
    await makeVersion(world, author, ids[index]!);
  }
  const preparing = await testApp({ sharedWith: world });
  for (const id of ids) await expectCurrent(preparing, id);
  await preparing.stop();

  const other = await testApp({ sharedWith: world });
  const { places } = preparedOf(other.resources);
  expect(ids.every((id) => places.current(places.find(id)!))).toBe(true);
  damageRecords();
  const [project, versions, latest, one, item] = ids;
  const { slug } = (await readAll(world, one!)).versions[0];
  for (const path of [
    `/api/project/${project}`,
    `/api/project/${versions}/version`,
    `/api/project/${latest}/version/latest`,
    `/api/project/${one}/version/${slug}`,
    `/api/projects?ids=${item}`,
  ])
    expect((await other.as.anyone.get(path)).body).toEqual((await world.as.anyone.get(path)).body);
  await other.stop();
});

test.each([true, false])(
  "figures of a project whose record is damaged are read again (in memory: %s)",
  async (isKept) => {
    const { id } = await makeProject(world, author);
    const version = await makeVersion(world, author, id);
    const preparing = await testApp({ sharedWith: world });
    await expectCurrent(preparing, id);
    await preparing.stop();

    const other = await testApp({ sharedWith: world });
    const prepared = preparedOf(other.resources);
    if (isKept) expect(prepared.peek(id)).toBeDefined();
    damageRecords();
    const figures = { projectId: id, downloads: 7, versions: [{ versionId: version.id, downloads: 7 }] };
    expect(() => prepared.figuresChanged([figures])).not.toThrow();
    expect(prepared.peek(id)).toBeUndefined();
    await expectCurrent(other, id);
    await other.stop();
  },
);

test("requests are answered while the thread is dead, and a new thread is started", async () => {
  const started = vi.spyOn(Worker.prototype, "postMessage");
  const { id } = await makeProject(world, author);
  await expectCurrent(world, id);
  const [thread] = started.mock.contexts as unknown as Worker[];
  await setProject(world, id, { summary: "First" });
  const reading = readAll(world, id);
  await thread!.terminate();
  expect((await reading).item.summary).toBe("First");
  await setProject(world, id, { summary: "Second" });
  expect((await readAll(world, id)).item.summary).toBe("Second");
  await expect
    .poll(async () => {
      await setProject(world, id, { summary: "Third" });
      expect((await readAll(world, id)).item.summary).toBe("Third");
      return new Set(started.mock.contexts).size;
    })
    .toBeGreaterThan(1);
  started.mockRestore();
});

test("the thread starts with an upload or a change, and not only when the project is requested", async () => {
  const started = vi.spyOn(Worker.prototype, "postMessage");
  const calls = () => started.mock.calls.map(([call]) => call as { task: string });
  const { id } = await makeProject(world, author);
  const change = () => setProject(world, id, { summary: "Changed" });
  const upload = async () => expect(await publishTo(world.as.user(author), id)).toSucceed();
  for (const [act, expected] of [[change, []] as const, [upload, [id]] as const]) {
    await expectCurrent(world, id);
    await (started.mock.contexts.at(-1) as unknown as Worker).terminate();
    // A thread that dies at once is not started again at once.
    world.clock.advance(2000);
    started.mockClear();
    await act();
    expect(calls()[0]).toMatchObject({ task: "wake", input: [{ ids: expected }, act === change] });
    await expectCurrent(world, id);
    expect(calls().map(({ task }) => task)).toContain("prepare");
  }
  started.mockRestore();
});

test("the threads for answers and for texts start with a change, also of a project that was never requested", async () => {
  const { id } = await makeProject(world, author);
  const known = await makeProject(world, author);
  const started = vi.spyOn(Worker.prototype, "postMessage");
  await expectCurrent(world, known.id);
  await (started.mock.contexts.at(-1) as unknown as Worker).terminate();
  const wakes = async (act: () => Promise<unknown>) => {
    started.mockClear();
    await act();
    const calls = started.mock.calls.map(([call]) => call as { task: string; input: [{ ids: string[] }, boolean] });
    return calls.flatMap(({ task, input: [{ ids }, haveNewTexts] }) => (task === "wake" ? [[ids, haveNewTexts]] : []));
  };
  const change = () => setProject(world, id, { summary: "Changed" });
  world.clock.advance(60_000);
  expect(await wakes(change)).toEqual([[[], true]]);
  expect(await wakes(change), "they run").toEqual([]);
  // The thread that renders ends earlier than the other one, which also has other tasks.
  world.clock.advance(10_000);
  expect(await wakes(() => publishTo(world.as.user(author), known.id)), "versions have no new texts").toEqual([]);
  expect(await wakes(change)).toEqual([[[], true]]);
  started.mockRestore();
});

test("a server without a cache folder answers from memory", async () => {
  const folder = join(world.dataDir, "cache");
  rmSync(folder, { recursive: true });
  writeFileSync(folder, "in the way");
  const other = await testApp({ sharedWith: world });
  const { id } = await makeProject(other, author);
  await expectCurrent(other, id);
  await setProject(other, id, { summary: "Changed" });
  expect((await readAll(other, id)).item.summary).toBe("Changed");
  await other.stop();
});
