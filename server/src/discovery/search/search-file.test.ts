// The stored index leads to the same results as the rows, whatever has happened since it was written.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { cacheFolderOf } from "#content/hashes/fingerprint-secret.js";
import { announceFigures } from "#content/records/figures.js";
import { write } from "#platform/changes/write.js";
import { testApp } from "#test/server/harness.js";
import { makeProject, setProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";
import { answer } from "./answer.js";
import { liveIndexOf } from "./live-index.js";
import { loadIndex, storeIndex } from "./loading.js";
import { SearchFile } from "./search-file.js";
import type { SearchIndex } from "./search-index.js";
import { toSearchQuery } from "./search-query.js";
import { toKey, toQueryWords } from "./words.js";

const here = await testApp();
const { make, resources } = here;
const { db } = resources;
const owner = await make.user();
const today = 20_000;
const taxonomy = { projectTypes: ["mod"], isCategory: () => true, categories: [] } as never;

/** Loads the index with the file, which is used however small it is. */
const load = async () => (await loadIndex(db, today, new SearchFile(resources, 0))).searchIndex;
const fresh = async () => (await loadIndex(db, today)).searchIndex;

const downloadsOf = (searchIndex: SearchIndex, ids: readonly string[]): number[] =>
  ids.map((id) => searchIndex.orders.store().downloads[searchIndex.findSlot(id)!]!);

/** Everything that some queries answer. */
function askAll(searchIndex: SearchIndex) {
  const parameters = [{}, { q: "lantern" }, { q: "lan", v: "0.4.6" }, { q: "lantrn" }, { c: "magic" }, { l: "fabric" }];
  return parameters.flatMap((each) =>
    ["relevance", "downloads", "recently_updated"].map((sortby) => {
      const query = toSearchQuery({ ...each, sortby, limit: 100, facets: "1" }, taxonomy);
      const text = query.text && {
        words: toQueryWords(query.text),
        key: toKey(query.text),
        described: new Map(),
        tagged: new Map(),
      };
      return answer(searchIndex, query, text || undefined);
    }),
  );
}

describe("the stored index", () => {
  test("gives the same results as the rows, with everything that has changed since", async () => {
    const names = ["Lantern one", "Dusk lanterns", "Lanterns und Fackeln", "Something else"];
    const projects = [];
    for (const name of names) projects.push(await makeProject(here, owner, { name: name }));
    for (let filler = 0; filler < 40; filler++) await makeProject(here, owner);
    await makeVersion(here, owner, projects[0]!.id, { gameVersions: ["0.4.6"] });
    await liveIndexOf(resources).current();
    const first = await load();
    expect(first.slots).toBe(first.size);

    await setProject(here, projects[1]!.id, { name: "Renamed", downloads: 500 });
    await setProject(here, projects[2]!.id, { visibility: "private" });
    const late = await makeProject(here, owner, { name: "A late lantern" });
    await liveIndexOf(resources).current();
    const second = await load();
    // Old slots are dead only if the index came from the file.
    expect(second.slots).toBeGreaterThan(second.size);
    expect(second.findSlot(late.id)).toBeDefined();
    expect(askAll(second)).toEqual(askAll(await fresh()));
  });

  test("has figures after a stop, and only those that have changed since are read", async () => {
    const [same, counted, changed] = [
      await makeProject(here, owner),
      await makeProject(here, owner),
      await makeProject(here, owner),
    ];
    for (const [index, { id }] of [same, counted, changed].entries())
      await setProject(here, id, { downloads: 10 * (index + 1) });
    await liveIndexOf(resources).current();
    const { position } = resources.changeLog;
    await storeIndex(db, await loadIndex(db, today), new SearchFile(resources, 0), position);
    await setProject(here, changed.id, { downloads: 33 });
    const figures = [{ projectId: counted.id, downloads: 22, versions: [] }];
    await write(resources, { credential: "test" }, (tx) => announceFigures(tx, figures));
    // Nothing announces this, so that it shows whether the row is read.
    await db.updateTable("projects").set({ downloads: 11 }).where("id", "=", same.id).execute();
    const order = async (loading: Promise<SearchIndex>) =>
      downloadsOf(await loading, [same.id, counted.id, changed.id]);
    expect(await order(load())).toEqual([10, 22, 33]);
    expect(await order(fresh())).toEqual([11, 20, 33]);
    // Without the changes since then, everything is read.
    await storeIndex(db, await loadIndex(db, today), new SearchFile(resources, 0), position + 1_000_000);
    expect(await order(load())).toEqual([11, 20, 33]);
    await db.updateTable("projects").set({ downloads: 10 }).where("id", "=", same.id).execute();
  });

  test("is replaced if it is damaged, and if it belongs to another database", async () => {
    const path = join(cacheFolderOf(resources.config.dataDir), "search-index");
    await load();
    const whole = await readFile(path);
    const expected = askAll(await fresh());
    for (const damage of [
      (bytes: Buffer) => bytes.fill(7, 200, 300),
      (bytes: Buffer) => bytes.subarray(0, bytes.length - 50),
      (bytes: Buffer) => bytes.fill(0xff, 0, 8),
      () => Buffer.alloc(0),
    ]) {
      await writeFile(path, damage(Buffer.from(whole)));
      expect(askAll(await load())).toEqual(expected);
      expect(await new SearchFile(resources).read()).toBeDefined();
    }
    const other = { ...resources, config: { ...resources.config, database: { engine: "sqlite", path: "other" } } };
    expect(await new SearchFile(other as never).read()).toBeUndefined();
  });
});
