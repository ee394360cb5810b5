// Words in descriptions are found in the file as in the database, whatever has changed since it was written.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { testApp } from "#test/server/harness.js";
import { makeProject, setProject } from "#test/worlds/content.js";
import { Bits } from "./bits.js";
import { type DescribedPlace, DescribedWords } from "./described.js";
import { findDescribed } from "./description-words.js";
import { liveIndexOf } from "./live-index.js";
import { type LoadedIndex, loadIndex, refreshIndex } from "./loading.js";
import { SearchFile } from "./search-file.js";
import type { SlotSet } from "./slot-set.js";
import { toTextWords } from "./words.js";

const here = await testApp();
const { make, resources } = here;
const { db } = resources;
const owner = await make.user();
const today = 20_000;
const path = join(resources.config.dataDir, "words");
const place: DescribedPlace = {
  path,
  stamp: "one",
  isWriter: true,
  newPair: () => resources.random.bytes(8).toString("hex"),
};

// The server itself uses a file too, however few projects there are. At its start it had found that it needs none.
await liveIndexOf(resources).current();
vi.spyOn(SearchFile.prototype, "placeOfWords").mockResolvedValue({ ...place, path: `${path}-live` });

/** Enough words for several blocks. */
const common = Array.from({ length: 300 }, (_, number) => `w${number.toString(36)}`);
const special = [
  "日本語の説明",
  "don't l’eau",
  "🔥 Ærø",
  "x".repeat(60),
  "<b>tag</b> [link](https://example.org/hidden)",
];
const asked = new Set(["unknown", "hidden", "a", "zzzz"]);

const describing = async (description: string) => {
  for (const word of toTextWords(description)) asked.add(word);
  return makeProject(here, owner, { description });
};

const load = async (described?: DescribedWords): Promise<LoadedIndex> => {
  // The rows of the index are written by this.
  await liveIndexOf(resources).current();
  return loadIndex(db, today, undefined, described);
};

const open = async (how: Partial<DescribedPlace> = {}): Promise<DescribedWords> => {
  const described = new DescribedWords(() => {});
  await described.open(db, { ...place, ...how });
  return described;
};

async function find({ searchIndex }: LoadedIndex, described?: DescribedWords) {
  const usual = searchIndex.described;
  searchIndex.described = described;
  const listed = (set: SlotSet) => {
    const bits = new Bits(searchIndex.slots);
    set.orInto(bits);
    return [...bits.list()];
  };
  const found = await findDescribed(db, searchIndex, [...asked]);
  searchIndex.described = usual;
  return Object.fromEntries([...found].map(([word, set]) => [word, listed(set)]).sort());
}

const projects: { id: string }[] = [];
for (let number = 0; number < 40; number++)
  projects.push(
    await describing(common.filter((_, index) => index % (number + 1) === 0 || index % 7 === number % 7).join(" ")),
  );
for (const text of special) await describing(text);

describe("the words in descriptions", () => {
  test("are the same in the file and in the database, also after changes", async () => {
    const loaded = await load();
    const { searchIndex } = loaded;
    const described = await open();
    const before = await find(loaded, described);
    expect(before.w0!.length).toBeGreaterThan(10);
    expect(before.unknown).toEqual([]);
    expect(before).toEqual(await find(loaded));

    searchIndex.described = described;
    await setProject(here, projects[0]!.id, { description: "fresh words" });
    await setProject(here, projects[1]!.id, { name: "Renamed" });
    await setProject(here, projects[2]!.id, { visibility: "private" });
    await setProject(here, projects[3]!.id, { description: "fresh once" });
    const late = await describing("fresh w0");
    for (const word of ["fresh", "once", "words"]) asked.add(word);
    await liveIndexOf(resources).current();
    const refresh = async () => {
      const { position: from } = loaded;
      loaded.position = await refreshIndex(db, searchIndex, { from, changed: new Set(), today });
    };
    await refresh();
    await setProject(here, projects[3]!.id, { description: "fresh twice" });
    await liveIndexOf(resources).current();
    await refresh();
    const after = await find(loaded, described);
    expect(after.fresh).toHaveLength(3);
    expect(after.once).toEqual([]);
    expect(after.w0).toContain(searchIndex.findSlot(late.id));
    expect(after).toEqual(await find(loaded));

    // A server that starts now uses the old file, with the changes since.
    const files = await readFile(path);
    const later = await load();
    const again = await open({ isWriter: false });
    expect(await find(later, again)).toEqual(await find(later));
    expect(await readFile(path)).toEqual(files);
    // It is written again by the one that has used it for a while.
    await described.open(db, place);
    expect(await readFile(path)).not.toEqual(files);
    expect(described.bytes).toBeLessThan(again.bytes);
    expect(await find(loaded, described)).toEqual(await find(loaded));
    for (const each of [described, again]) each.close();
  });

  test("are found in the database if the file is missing, damaged or of another database", async () => {
    const loaded = await load();
    const expected = await find(loaded);
    const without = await open({ path: `${path}-none`, isWriter: false });
    expect(without.find(loaded.searchIndex, ["w0"])).toBeUndefined();
    expect(await find(loaded, without)).toEqual(expected);
    const other = await open({ stamp: "other", isWriter: false });
    expect(other.find(loaded.searchIndex, ["w0"])).toBeUndefined();
    const damages = [
      (bytes: Buffer) => bytes.subarray(0, bytes.length >> 1),
      (bytes: Buffer) => bytes.fill(7, bytes.length >> 1),
    ];
    for (const name of [path, `${path}-blocks`])
      for (const damage of damages) {
        await writeFile(name, damage(await readFile(name)));
        let noticed = 0;
        const described = new DescribedWords(() => noticed++);
        await described.open(db, { ...place, isWriter: false });
        expect(await find(loaded, described)).toEqual(expected);
        expect(noticed).toBe(name === path ? 0 : 1);
        // It is written again.
        await described.open(db, place);
        expect(described.find(loaded.searchIndex, ["w0"])).toBeDefined();
        expect(await find(loaded, described)).toEqual(expected);
        expect(noticed).toBe(name === path ? 0 : 1);
        described.close();
      }
  });

  test("are found by the next search after a change", async () => {
    const live = liveIndexOf(resources);
    const { id } = await describing("unchanged w1");
    const search = async (word: string): Promise<string[]> => {
      const { body } = await here.as.anyone.get(`/api/search?q=${word}&limit=100`);
      return body.hits.map((hit: { id: string }) => hit.id);
    };
    // It asks for a place again after a minute.
    here.clock.advance(60_000);
    await search("anything");
    await expect.poll(() => live.known?.described?.find(live.known, ["w0"])?.get("w0")?.size).toBeGreaterThan(10);
    expect(await search("unchanged")).toEqual([id]);
    for (const word of ["earlier", "later"]) {
      await setProject(here, id, { description: `${word} w1` });
      expect(await search(word)).toEqual([id]);
    }
    expect(await search("earlier")).toEqual([]);
    expect(await search("unchanged")).toEqual([]);
    await setProject(here, id, { visibility: "private" });
    expect(await search("later")).toEqual([]);
    await setProject(here, id, { visibility: "listed" });
    expect(await search("later")).toEqual([id]);
    expect(await search("w1")).toContain(id);
  });
});
