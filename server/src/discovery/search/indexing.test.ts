// The index of the search: written no more often than necessary, rebuilt if it is wrong, the same on every server.
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { getTaxonomy } from "#content/taxonomy/read.js";
import { toJson } from "#lib/json.js";
import { write } from "#platform/changes/write.js";
import { plainCall } from "#test/callers/plain-call.js";
import { run, useProcesses } from "#test/process/program.js";
import { engine, type TestApp, testApp, uniqueName } from "#test/server/harness.js";
import { makeProject, setProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";
import { findTexts } from "./full-text.js";
import { readAhead, rewriteProjects } from "./indexing.js";
import { rebuildSearch } from "./jobs.js";
import { liveIndexOf } from "./live-index.js";
import { findHits } from "./read.js";
import { needsRebuild, rebuildIndex } from "./rebuild.js";
import { toSearchQuery } from "./search-query.js";

useProcesses();
const here = await testApp();
const { make, resources } = here;
const { db } = resources;
const owner = await make.user();

const uniqueWord = () => uniqueName("w").replaceAll(/[-0-9]/g, (sign) => "ghijklmnopq"[Number(sign)] ?? "x");
const find = async (text: string, { as }: Pick<TestApp, "as"> = here): Promise<string[]> => {
  const { body } = await as.anyone.get(`/api/search?q=${text}&limit=100`);
  return body.hits.map(({ id }: { id: string }) => id);
};
const findRow = (projectId: string) =>
  db.selectFrom("search_documents").selectAll().where("project_id", "=", projectId).executeTakeFirstOrThrow();

/** Deletes the text without updating the index, to simulate damage. */
async function loseText(projectId: string): Promise<void> {
  const { doc } = await findRow(projectId);
  await (engine === "postgres"
    ? sql`delete from search_text where doc = ${doc}`
    : sql`delete from search_text where rowid = ${doc}`
  ).execute(db);
}

describe("the index", () => {
  test("is not written for a download, which is counted anyway", async () => {
    const word = uniqueWord();
    const [first, second] = [
      await makeProject(here, owner, { name: word }),
      await makeProject(here, owner, { name: word }),
    ];
    await find(word);
    const rows = [await findRow(first.id), await findRow(second.id)];
    for (const [downloads, project] of [
      [1, first],
      [2, second],
      [3, first],
    ] as const) {
      await setProject(here, project.id, { downloads });
      expect((await find(`${word}&sortby=downloads`))[0]).toBe(project.id);
    }
    expect([await findRow(first.id), await findRow(second.id)]).toEqual(rows);
  });

  test("is asked once for equal searches, until a project or its downloads change", async () => {
    const word = uniqueWord();
    const [first, second] = [
      await makeProject(here, owner, { name: word }),
      await makeProject(here, owner, { name: word }),
    ];
    for (const [index, { id }] of [first, second].entries()) await setProject(here, id, { downloads: 2 - index });
    const findHot = async (): Promise<string[]> => {
      const { text } = await plainCall(here.origin, "GET", `/api/search?q=${word}&sortby=downloads`, {});
      return JSON.parse(text).hits.map(({ id }: { id: string }) => id);
    };
    const countHits = () => resources.memory.listCaches().find(({ name }) => name === "searches")?.hits ?? 0;
    const before = countHits();
    expect(await findHot()).toEqual([first.id, second.id]);
    expect(await findHot()).toEqual([first.id, second.id]);
    expect(countHits()).toBe(before + 1);

    const third = await makeProject(here, owner, { name: word });
    expect(await findHot()).toEqual([first.id, second.id, third.id]);
    await setProject(here, first.id, { visibility: "unlisted" });
    expect(await findHot()).toEqual([second.id, third.id]);

    liveIndexOf(resources).known!.setDownloads(third.id, 100);
    expect(await findHot()).toEqual([third.id, second.id]);
  });

  test("writes the full text of a description only when it has changed", async () => {
    const [word, other] = [uniqueWord(), uniqueWord()];
    const { id } = await makeProject(here, owner, { name: uniqueWord(), description: word });
    // Its words are searched only after the loss, so that they are not cached.
    await find("anything");
    await loseText(id);
    const { revision } = await findRow(id);
    await makeVersion(here, owner, id, { gameVersions: ["0.4.6"] });
    expect(await find(`${word}&v=0.4.6`)).toEqual([]);
    expect((await findRow(id)).revision).toBeGreaterThan(revision);
    await setProject(here, id, { description: `${word} ${other}` });
    expect(await find(`${word}&v=0.4.6`)).toEqual([id]);
  });

  test("has no row for a project that was never listed, and keeps the number of one that is listed again", async () => {
    const hidden = await makeProject(here, owner, { status: "draft" });
    const { id } = await makeProject(here, owner);
    await find("anything");
    expect(await db.selectFrom("search_documents").select("doc").where("project_id", "=", hidden.id).execute()).toEqual(
      [],
    );
    const { doc } = await findRow(id);
    for (const [visibility, listed] of [
      ["private", 0],
      ["listed", 1],
    ] as const) {
      await setProject(here, id, { visibility });
      await find("anything");
      expect(await findRow(id)).toMatchObject({ doc, listed });
    }
  });

  test("reads only new versions after a publication, and all of them after any other change of versions", async () => {
    const me = here.as.user(owner);
    const { id } = await makeProject(here, owner, { name: uniqueWord() });
    const first = await makeVersion(here, owner, id, { gameVersions: ["0.4.6"], loaders: ["quilt"] });
    const fitsOf = async () => {
      await find("anything");
      return JSON.parse((await findRow(id)).entry)?.fits;
    };
    await fitsOf();
    // The change log does not name this change, so that it shows which versions are read.
    const set = (gameVersion: string) =>
      db
        .updateTable("versions")
        .set({ game_versions: toJson([gameVersion]) })
        .where("id", "=", first.id)
        .execute();
    await set("0.4.7");
    const beta = await makeVersion(here, owner, id, { channel: "beta", gameVersions: ["0.5.0"], loaders: [] });
    await makeVersion(here, owner, id, { gameVersions: ["0.4.8"] });
    await me.patch(`/api/project/${id}`, { summary: "Something else" });
    const ofBeta = { channel: "beta", loaders: [], gameVersions: ["0.5.0"] };
    const ofRelease = { channel: "release", loaders: ["quilt"], gameVersions: ["0.4.6", "0.4.8"] };
    expect(await fitsOf()).toEqual([ofBeta, ofRelease]);
    // In one batch, a withdrawal comes after a publication.
    await makeVersion(here, owner, id, { gameVersions: ["0.4.6"], loaders: ["forge"] });
    expect(await me.post(`/api/project/${id}/version/${beta.id}/yank`)).toSucceed();
    const read = [
      { channel: "release", loaders: ["forge"], gameVersions: ["0.4.6"] },
      { ...ofRelease, gameVersions: ["0.4.7", "0.4.8"] },
    ];
    expect(await fitsOf()).toEqual(read);
    await set("0.4.6");
    await setProject(here, id, { visibility: "private" });
    await fitsOf();
    await setProject(here, id, { visibility: "listed" });
    const last = await fitsOf();
    expect(last).toEqual([read[0], ofRelease]);
    await rebuildIndex(resources, { fromScratch: true });
    expect(await fitsOf()).toEqual(last);
  });

  test("caches the projects of a word, and adds new ones", async () => {
    const word = uniqueWord();
    const ids: string[] = [];
    const add = async () => ids.push((await makeProject(here, owner, { name: uniqueWord(), description: word })).id);
    for (const count of [0, 1, 3, 70]) {
      while (ids.length < count) await add();
      expect((await find(word)).sort(), `${count} projects`).toEqual(ids.toSorted());
    }
    await setProject(here, ids[0]!, { description: "no more" });
    expect((await find(word)).sort()).toEqual(ids.slice(1).sort());
  });

  test("is rebuilt in memory once most of its slots are dead, and gives the same results", async () => {
    const word = uniqueWord();
    const ids: string[] = [];
    for (let n = 0; n < 30; n++) ids.push((await makeProject(here, owner, { name: `${word} ${n}` })).id);
    await find(word);
    const before = (await liveIndexOf(resources).current()).slots;
    for (let round = 0; round < 50; round++) {
      await write(resources, {}, async (tx) => {
        await sql`update search_documents set revision = (select max(revision) + 1 from search_documents)
          where entry like ${`%${word}%`}`.execute(tx.db);
        tx.changed("search", "index");
      });
      expect((await find(word)).sort()).toEqual(ids.toSorted());
    }
    await expect.poll(async () => (await liveIndexOf(resources).current()).slots).toBeLessThan(before + 1000);
    expect((await find(word)).sort()).toEqual(ids.toSorted());
  });
});

describe("two servers", () => {
  test("find projects that either of them has created, changed and hidden", async () => {
    const there = await testApp({ sharedWith: here });
    const [word, inText] = [uniqueWord(), uniqueWord()];
    const everywhere = (text: string, ids: string[]) =>
      expect.poll(async () => [await find(text, here), await find(text, there)]).toEqual([ids, ids]);
    await everywhere(inText, []);
    const { id } = await makeProject(here, owner, { name: word, description: inText });
    await everywhere(word, [id]);
    await everywhere(inText, [id]);
    await setProject(there, id, { description: "other" });
    await everywhere(inText, []);
    await setProject(there, id, { visibility: "unlisted" });
    await everywhere(word, []);
    await there.stop();
  });
});

describe("a rebuild", () => {
  const damage = async () => {
    const [lost, stale, gone] = [uniqueWord(), uniqueWord(), uniqueWord()];
    const ids: string[] = [];
    for (const name of [lost, stale, gone])
      ids.push((await makeProject(here, owner, { name, description: `${name}text` })).id);
    await find("anything");
    await loseText(ids[0]!);
    // Changes that are not in the change log.
    await db
      .updateTable("projects")
      .set({ name: `new${stale}` })
      .where("id", "=", ids[1]!)
      .execute();
    await db.deleteFrom("projects").where("id", "=", ids[2]!).execute();
    return { lost, stale, gone, ids };
  };
  const expectRight = async ({ lost, stale, gone, ids }: Awaited<ReturnType<typeof damage>>) => {
    expect(await find(`${lost}text`)).toEqual([ids[0]]);
    expect(await find(`new${stale}`)).toEqual([ids[1]]);
    expect(await find(gone)).toEqual([]);
  };

  test("corrects every error, for a running server", async () => {
    const damaged = await damage();
    await rebuildIndex(resources, { fromScratch: true });
    await expectRight(damaged);
    expect(await needsRebuild(db)).toBe(false);
  });

  test("is what `modshelf search rebuild` does, next to a running server", async () => {
    const damaged = await damage();
    const { config, dataDir } = here;
    const settings = {
      MODSHELF_DATA_DIR: dataDir,
      ...(config.database.engine === "postgres" && { MODSHELF_DATABASE_URL: config.database.url }),
    };
    const done = await run(["search", "rebuild"], { settings });
    expect([done.code, done.stderr]).toEqual([0, expect.stringMatching(/rebuilt from \d+ projects\.\n$/)]);
    await expect.poll(() => find(`new${damaged.stale}`)).toEqual([damaged.ids[1]]);
    await expectRight(damaged);
  });

  test("runs in parts, each continuing where the last one ended", async () => {
    const damaged = await damage();
    const done: number[] = [];
    expect(await rebuildIndex(resources, { fromScratch: true, most: 1, onProgress: (count) => done.push(count) })).toBe(
      false,
    );
    expect(await needsRebuild(db)).toBe(true);
    await rebuildIndex(resources, { fromScratch: false, onProgress: (count) => done.push(count) });
    const { count } = await db
      .selectFrom("projects")
      .select((select) => select.fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    // The first part, then the rest: no project twice.
    expect(done[0]! + done.at(-1)!).toBe(count);
    expect(await needsRebuild(db)).toBe(false);
    await expectRight(damaged);
  });

  test.runIf(engine === "postgres")("collects words until its end, and then leaves no pending entries", async () => {
    const isCollecting = async () => {
      const { rows } = await sql<{ options: string[] }>`
        select reloptions as options from pg_class where relname = 'search_text_words'`.execute(db);
      return rows[0]!.options.includes("fastupdate=on");
    };
    const damaged = await damage();
    await rebuildIndex(resources, { fromScratch: true, most: 1 });
    expect(await isCollecting()).toBe(true);
    expect(await find(`${damaged.lost}text`)).toEqual([damaged.ids[0]]);
    await rebuildIndex(resources, { fromScratch: false });
    expect(await isCollecting()).toBe(false);
    // Another request to continue comes too late, and has no effect.
    await rebuildIndex(resources, { fromScratch: false });
    expect(await isCollecting()).toBe(false);
    const { rows } = await sql<{ pages: string }>`select gin_clean_pending_list('search_text_words') as pages`.execute(
      db,
    );
    expect(Number(rows[0]!.pages)).toBe(0);
  });

  test.runIf(engine === "postgres")("does not try to compress the words of descriptions", async () => {
    const { rows } = await sql<{ storage: string }>`select attstorage as storage from pg_attribute
      where attrelid = 'search_text'::regclass and attname = 'words'`.execute(db);
    expect(rows).toEqual([{ storage: "e" }]);
  });

  test("does not undo a change that was made after a project was read for it", async () => {
    const [before, after] = [uniqueWord(), uniqueWord()];
    const { id } = await makeProject(here, owner, { name: before, description: `${before}text` });
    await find("anything");
    const ahead = await readAhead(db, [id]);
    await setProject(here, id, { name: after, description: `${after}text` });
    expect(await find(after)).toEqual([id]);
    await write(resources, {}, async (tx) => {
      await rewriteProjects(tx, [id], ahead);
      tx.changed("search", "index");
    });
    for (const [word, found] of [
      [after, [id]],
      [`${after}text`, [id]],
      [before, []],
      [`${before}text`, []],
    ] as const)
      expect(await find(word)).toEqual(found);
  });

  test.runIf(engine === "postgres")("indexes the first words at its end, also after an interruption", async () => {
    const other = await testApp();
    const otherDb = other.resources.db;
    const word = uniqueWord();
    const { id } = await makeProject(other, await other.make.user(), { name: word, description: `${word}text` });
    await find("anything", other);
    const stateOfIndex = async () => {
      const { rows } = await sql<{ valid: boolean; options: string[] }>`
        select indisvalid as valid, reloptions as options
        from pg_class join pg_index on indexrelid = oid where relname = 'search_text_words'`.execute(otherDb);
      return rows;
    };
    const findInTexts = async () => (await findTexts(otherDb, [`${word}text`])).get(`${word}text`);
    expect(await findInTexts()).toHaveLength(1);
    await sql`truncate search_documents, search_text`.execute(otherDb);

    await rebuildIndex(other.resources, { fromScratch: true, most: 1 });
    expect(await stateOfIndex()).toEqual([]);
    expect(await findInTexts()).toBeUndefined();
    expect(await find(`${word}text`, other)).toEqual([]);
    // Results without an edition are not remembered.
    const query = toSearchQuery({ q: `${word}text` }, await getTaxonomy(other.resources));
    expect(await findHits(other.resources, query)).toMatchObject({ ids: [], edition: undefined });
    // As after an end in the middle of the work.
    await sql`create index search_text_words on search_text using gin (words)`.execute(otherDb);
    await sql`update pg_index set indisvalid = false where indexrelid = 'search_text_words'::regclass`.execute(otherDb);
    expect(await findInTexts()).toBeUndefined();

    await rebuildIndex(other.resources, { fromScratch: false });
    expect(await stateOfIndex()).toEqual([{ valid: true, options: ["fastupdate=off"] }]);
    expect(await findInTexts()).toHaveLength(1);
    expect(await find(`${word}text`, other)).toEqual([id]);
    expect(await findHits(other.resources, query)).toMatchObject({ ids: [id], edition: expect.any(Number) });
    await other.stop();
  });

  test("is needed again once words are split in another way", async () => {
    await db
      .updateTable("settings")
      .set({ value: JSON.stringify({ format: 0 }) })
      .where("name", "=", "search.index")
      .execute();
    expect(await needsRebuild(db)).toBe(true);
    await rebuildSearch(resources);
    expect(await needsRebuild(db)).toBe(false);
  });

  test("starts at the first start on a database without an index", async () => {
    const word = uniqueWord();
    const { id } = await makeProject(here, owner, { name: word });
    await find(word);
    await db.deleteFrom("settings").where("name", "=", "search.index").execute();
    await db.deleteFrom("search_documents").execute();
    const there = await testApp({ sharedWith: here });
    await expect.poll(() => find(word, there)).toEqual([id]);
    await expect.poll(() => needsRebuild(db)).toBe(false);
    await there.stop();
  });
});
