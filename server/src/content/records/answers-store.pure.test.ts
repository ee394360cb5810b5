import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, describe, expect, test } from "vitest";
import { BlockCache } from "#content/catalog/block-cache.js";
import { Places } from "#content/catalog/places.js";
import { ReadPace } from "#content/catalog/read-pace.js";
import { UnwrittenFigures } from "#content/catalog/unwritten-figures.js";
import { systemClock } from "#lib/clock.js";
import { FingerprintKey } from "#lib/fingerprint-key.js";
import type { ChangeLog } from "#platform/changes/change-log.js";
import { ServerMemory } from "#platform/changes/server-memory.js";
import { AnswersStore, openFolder } from "./answers-store.js";
import { type JournalContent, journalPath, readJournal, segmentPath, staleLine } from "./journal.js";
import { encodeProject, type ProjectContent } from "./prepared-encode.js";
import { head } from "./prepared-format.js";
import { openRecord, PreparedProject } from "./prepared-project.js";

const root = mkdtempSync(join(tmpdir(), "modshelf-store-"));
afterAll(() => rmSync(root, { recursive: true }));
let folders = 0;
const newFolder = (): string => join(root, String(folders++));

const content = (id: string, downloads = 0): ProjectContent => ({
  ...{ id, slug: id.toLowerCase(), oldSlugs: [], userIds: ["User0001", "User0002"], orgId: "Org00001", isListed: true },
  ...{ description: "", descriptionSource: "" },
  ...{ project: `"name":"${id}"}`, listItem: "}", downloads, versions: [] },
});
const record = (id: string, builtAt = 0): Buffer => encodeProject(content(id), builtAt);

/** A folder with two projects after a mark. */
function filled(): { folder: string; store: AnswersStore } {
  const folder = newFolder();
  expect(openFolder(folder, "stamp")).toBeUndefined();
  const store = new AnswersStore(folder);
  store.append(record("Alpha001", 5));
  store.append(record("Beta0001", 6));
  store.mark(7);
  return { folder, store };
}

const memory = new ServerMemory({ changeLog: {} as ChangeLog, clock: systemClock });
const openPlaces = (folder: string): Places =>
  new Places(folder, new FingerprintKey(new Uint8Array(32)), {
    events: { onFailure: () => {}, onHold: () => {} },
    blocks: new BlockCache({ memory }),
    unwritten: new UnwrittenFigures(pino({ level: "silent" })),
    pace: new ReadPace(systemClock),
  });

const placesIn = (content: JournalContent | undefined) => new Map(content?.places ?? []);
const namesIn = (folder: string): string[] => [...placesIn(readJournal(folder)).keys()].sort();

describe("stored records", () => {
  test("are found at the next start, and their files are private", () => {
    const { folder, store } = filled();
    store.close();
    const found = openFolder(folder, "stamp");
    expect(found?.mark).toBe(7);
    const stored = placesIn(found);
    expect([...stored.keys()]).toEqual(["Alpha001", "Beta0001"]);
    expect(stored.get("Alpha001")).toMatchObject({
      builtAt: 5,
      dependsOn: ["User0001", "User0002", "Org00001"],
    });
    const places = openPlaces(folder);
    places.put("Alpha001", stored.get("Alpha001")!);
    const place = places.current(places.find("Alpha001")!)!;
    const header = Buffer.alloc(place.headerLength);
    const source = places.open(places.find("Alpha001")!, place);
    source.read(header, 0, 0, header.length);
    expect(new PreparedProject(header, source).id).toBe("Alpha001");
    places.close();
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
  });

  test("that were written after the last mark are ignored, and so is a line that is not complete", () => {
    const { folder, store } = filled();
    store.append(record("Gamma001", 8));
    expect(namesIn(folder)).toEqual(["Alpha001", "Beta0001"]);
    store.mark(9);
    expect(namesIn(folder)).toEqual(["Alpha001", "Beta0001", "Gamma001"]);
    appendFileSync(journalPath(folder), "put Delta001 0 0 1");
    expect(namesIn(folder)).toEqual(["Alpha001", "Beta0001", "Gamma001"]);
    store.close();
  });

  test("are ignored once they are stale, or if their file is missing or too short", () => {
    const { folder, store } = filled();
    store.noteStale(["Alpha001"], 6);
    store.noteStale(["Beta0001"], 6);
    store.mark(8);
    expect(namesIn(folder)).toEqual(["Beta0001"]);
    store.noteStale(["*"], 9);
    store.append(record("Gamma001", 9));
    store.mark(9);
    expect(namesIn(folder)).toEqual(["Gamma001"]);
    truncateSync(segmentPath(folder, 0), 10);
    expect(namesIn(folder)).toEqual([]);
    store.close();
  });

  test("are dropped if they were made with other settings", () => {
    const { folder, store } = filled();
    store.close();
    expect(openFolder(folder, "other")).toBeUndefined();
    expect(readdirSync(folder).sort()).toEqual(["journal", "stamp"]);
  });

  test("are never written to a file of an earlier run, but to one of an earlier thread", () => {
    const { folder, store } = filled();
    store.close();
    openFolder(folder, "stamp");
    const next = new AnswersStore(folder);
    expect(next.append(record("Gamma001")).segment).toBe(1);
    next.close();
    const later = new AnswersStore(folder, 1);
    const place = later.append(record("Delta001"));
    expect(place).toMatchObject({ segment: 1, offset: statSync(segmentPath(folder, 1)).size - place.length });
    expect(place.offset).toBeGreaterThan(0);
    expect(openRecord(later.read(place)!).id).toBe("Delta001");
    later.close();
  });

  test("move to another file, so that one that is mostly garbage can be removed", () => {
    const { folder, store } = filled();
    store.close();
    const found = openFolder(folder, "stamp")!;
    const places = openPlaces(folder);
    for (const [id, place] of found.places) places.put(id, place);
    const next = new AnswersStore(folder);
    expect(places.takeWasteful()).toBeUndefined();
    for (const id of ["Beta0001", "Gamma001"]) places.put(id, next.append(record(id)));
    const wasteful = places.takeWasteful()!;
    expect(wasteful.segment).toBe(0);
    expect(wasteful.records.map(({ id }) => id)).toEqual(["Alpha001"]);
    for (const { id, from, to } of next.move(wasteful.records)) places.move(id, from, to);
    next.mark(8);
    next.removeSegment(0);
    places.removeSegment(0);
    expect(places.current(places.find("Alpha001")!)).toMatchObject({ segment: 1 });
    expect(namesIn(folder)).toEqual(["Alpha001", "Beta0001", "Gamma001"]);
    expect(places.takeWasteful()).toBeUndefined();
    next.close();
    places.close();
  });

  test("stay current after a change that they contain, which is still counted, also with other files", () => {
    const { folder, store } = filled();
    const places = openPlaces(folder);
    const slot = places.put("Alpha001", placesIn(readJournal(folder)).get("Alpha001")!);
    const edition = places.editionOf("Alpha001")!;
    expect(places.setStale("Alpha001", 5)).toBe(false);
    places.setAllStale(5);
    expect(places.current(slot)).toBeDefined();
    expect(places.editionOf("Alpha001")).toBe(edition + 2);
    expect(places.setStale("Alpha001", 6)).toBe(true);
    expect(places.current(slot)).toBeUndefined();
    places.reset(folder);
    expect(places.any("Alpha001")).toBeUndefined();
    expect([places.find("Alpha001"), places.editionOf("Alpha001")]).toEqual([slot, edition + 3]);
    store.close();
  });

  test("take new figures in place", () => {
    const { folder, store } = filled();
    const place = placesIn(readJournal(folder)).get("Beta0001")!;
    store.setFigures([
      { segment: place.segment, position: place.offset + head.downloads, value: 12 },
      { segment: 99, position: 0, value: 1 },
    ]);
    expect(openRecord(store.read(place)!).downloads).toBe(12);
    store.close();
  });
});

test("the journal becomes shorter at a mark when it has become long", () => {
  const { folder, store } = filled();
  const line = staleLine("Gamma001", 1);
  const many = Array(1000).fill("Gamma001");
  for (let bytes = 0; bytes < 5_000_000; bytes += 1000 * line.length) store.noteStale(many, 1);
  store.mark(8);
  expect(readFileSync(journalPath(folder), "utf8").split("\n")).toHaveLength(5);
  store.append(record("Gamma001", 8));
  store.mark(9);
  expect(namesIn(folder)).toEqual(["Alpha001", "Beta0001", "Gamma001"]);
  store.close();
});
