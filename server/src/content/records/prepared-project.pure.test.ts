import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { OfferTable } from "#content/catalog/offer-table.js";
import { GzipJoiner, type Joiner, PlainJoiner } from "#lib/gzip-join.js";
import { OfferedSets, SetFilter } from "./offered-sets.js";
import { type Fingerprints, packVersion, type VersionContent } from "./packed-version.js";
import { headerLengthOf } from "./prepared-core.js";
import { encodeProject as encodePacked, type ProjectContent } from "./prepared-encode.js";
import { forms, head, positionOf, row } from "./prepared-format.js";
import { PreparedProject } from "./prepared-project.js";
import { addBlock } from "./prepared-version.js";
import { type Block, MemoryRecord } from "./record-source.js";

class Key implements Fingerprints {
  high = 0;
  low = 0;
  readHex(hex: string): boolean {
    const digest = createHash("sha256").update(hex).digest();
    [this.high, this.low] = [digest.readUInt32LE(0), digest.readUInt32LE(4)];
    return true;
  }
}
const key = new Key();
const allChannels = 0b1111;

type Content = Omit<ProjectContent, "versions"> & { versions: readonly VersionContent[] };
const pack = (version: VersionContent) => packVersion(version, key, () => undefined);
const encodeProject = (given: Content, builtAt: number): Buffer =>
  encodePacked({ ...given, versions: given.versions.map(pack) }, builtAt);

/** A record that gives no more bytes than it is asked for, as a file does. */
class FileLike extends MemoryRecord {
  override block(from: number, length: number): Block {
    const bytes = Buffer.from(this.bytes.subarray(from, from + length));
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    return { bytes, view, at: 0, length: bytes.length, isNew: true };
  }
}

const open = (record: Buffer): PreparedProject =>
  new PreparedProject(Buffer.from(record.subarray(0, headerLengthOf(record))), new FileLike(record));

/** The same text in both encodings. */
function joined(add: (to: Joiner) => void): string {
  const [plain, packed] = [new PlainJoiner(10), new GzipJoiner(10)];
  add(plain);
  add(packed);
  const text = plain.end().toString();
  expect(gunzipSync(packed.end()).toString()).toBe(text);
  return text;
}

const text = fc.string({ unit: "grapheme", maxLength: 300 });
const version: fc.Arbitrary<Omit<VersionContent, "id">> = fc
  .record({
    slug: fc.stringMatching(/^[a-z0-9.+-]{1,10}$/),
    datePublished: fc.nat(),
    channel: fc.nat(3),
    featured: fc.boolean(),
    yanked: fc.boolean(),
    needsOthers: fc.boolean(),
    offered: fc.tuple(fc.subarray(["quilt", "fabric"]), fc.subarray(["1.0", "1.1", "1.2"])),
    downloads: fc.nat(),
    // Several versions have the same file.
    hashes: fc.array(fc.constantFrom(..."0123456789abcdef"), { maxLength: 3 }),
    shared: text,
    tails: fc.tuple(text, text, fc.option(text)),
  })
  .map(({ shared, tails: [byHash, own, bulk], ...rest }) => ({
    ...rest,
    byHash: shared + byHash,
    own: shared + own,
    bulk: shared + (bulk ?? byHash),
  }));
const content: fc.Arbitrary<Content> = fc
  .record({
    ...{ id: fc.constant("Project1"), slug: fc.constant("lamps"), oldSlugs: fc.constant(["old-lamps"]) },
    ...{ userIds: fc.constant(["User0001"]), orgId: fc.constant(null), isListed: fc.boolean() },
    ...{ description: text, descriptionSource: fc.constant("source") },
    ...{ project: text, listItem: text, downloads: fc.nat() },
    versions: fc.array(version, { maxLength: 8 }),
  })
  .map((each) => ({ ...each, versions: each.versions.map((one, index) => ({ ...one, id: `Version${index}` })) }));

/** By fingerprint. */
function blocksOf(prepared: PreparedProject): Map<string, number> {
  const blocks = new Map<string, number>();
  prepared.eachFile((high, low, block) => blocks.set(`${high} ${low}`, block));
  return blocks;
}

const toJson = (downloads: number, rest: string) => `{"downloads":${downloads},${rest}`;

describe("a prepared project", () => {
  test("gives back every piece and every field, in both encodings", () => {
    fc.assert(
      fc.property(content, (given) => {
        const prepared = open(encodeProject(given, 7));
        expect(prepared.builtAt).toBe(7);
        expect(prepared.details).toMatchObject({ id: "Project1", userIds: ["User0001"], orgId: null });
        expect(joined((to) => prepared.addPiece(to, Buffer.from("["), "project"))).toBe(
          `[${toJson(given.downloads, given.project)}`,
        );
        expect(joined((to) => prepared.addPiece(to, Buffer.alloc(0), "listItem"))).toBe(
          toJson(given.downloads, given.listItem),
        );
        expect(prepared.pageTexts()).toEqual({
          project: toJson(given.downloads, given.project),
          description: Buffer.from(given.description).toString(),
        });
        for (const form of forms) {
          const texts = given.versions.map((one) => toJson(one.downloads, one[form]));
          for (const [ordinal, each] of texts.entries()) {
            expect(joined((to) => prepared.addVersion(to, Buffer.from("x"), ordinal, form))).toBe(`x${each}`);
            expect(prepared.versionLength(ordinal, form)).toBe(Buffer.byteLength(given.versions[ordinal]![form]));
          }
          expect(joined((to) => prepared.addVersions(to, texts.keys(), form))).toBe(texts.join(","));
          expect(prepared.versionsLength([...texts.keys()], form)).toBe(
            given.versions.reduce((sum, one) => sum + Buffer.byteLength(one[form]), 0),
          );
        }
        for (const [ordinal, one] of given.versions.entries()) {
          expect(prepared.datePublished(ordinal)).toBe(one.datePublished);
          for (const name of ["featured", "yanked", "needsOthers"] as const)
            expect(prepared.hasFlag(ordinal, name)).toBe(one[name]);
          expect([prepared.versionSlug(ordinal), prepared.channel(ordinal)]).toEqual([one.slug, one.channel]);
          expect(prepared.versionText(ordinal)).toBe(toJson(one.downloads, one.own));
          expect(toJson(0, one.own)).toContain(prepared.versionStart(ordinal));
          const { loaders, gameVersions } = prepared.offered(prepared.setOf(ordinal), new OfferedSets());
          expect([[...loaders], [...gameVersions]]).toEqual(one.offered.map((names) => [...new Set(names)]));
        }
      }),
      { numRuns: 50 },
    );
  });

  test("is the same whether its versions are packed or kept from an earlier record", () => {
    fc.assert(
      fc.property(content, content, fc.array(fc.nat(7)), (given, older, changed) => {
        // The earlier record lacks the newest versions, and some of the others were different.
        const isNew = ({ id }: VersionContent) => changed.includes(Number(id.slice("Version".length)));
        const earlierVersions = given.versions.flatMap((one, index) => {
          if (!isNew(one)) return [one];
          const before = older.versions[index];
          return before ? [{ ...before, id: one.id, hashes: [] }] : [];
        });
        const record = encodeProject({ ...older, versions: earlierVersions }, 3);
        const earlier = open(record);
        const ids = earlier.listIds();
        const versions = given.versions.map((one) =>
          isNew(one) ? pack(one) : { ordinal: ids.indexOf(one.id), downloads: one.downloads },
        );
        // The bytes that were in the memory before must not remain.
        const memory = (length: number) => Buffer.alloc(length + 20, 0xaa);
        const made = encodePacked({ ...given, versions }, 9, { earlier, known: earlier.findPiece, memory });
        expect(made.equals(encodeProject(given, 9))).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  test("finds versions by id, slug, file and filter as a plain search does", () => {
    const sets = new OfferedSets();
    fc.assert(
      fc.property(content, fc.constantFrom("quilt", "fabric", "forge"), fc.nat(15), (given, loader, channels) => {
        const prepared = open(encodeProject(given, 0));
        const { versions } = given;
        for (const one of versions) {
          expect(prepared.findVersion(one.id)).toBe(versions.indexOf(one));
          const bySlug = versions.findIndex(({ slug }) => slug === one.slug);
          expect(prepared.findVersion(one.slug.toUpperCase())).toBe(bySlug);
          for (const hash of one.hashes) {
            key.readHex(hash);
            const byFile = versions.findIndex(({ hashes }) => hashes.includes(hash));
            expect(prepared.findByFile(key.high, key.low)).toBe(byFile);
            const block = blocksOf(prepared).get(`${key.high} ${key.low}`)!;
            const found = versions[byFile]!;
            expect(joined((to) => addBlock(to, Buffer.alloc(0), prepared.source, block, "byHash"))).toBe(
              toJson(found.downloads, found.byHash),
            );
            expect(prepared.blockOf(byFile)).toBe(block);
          }
        }
        for (const wrong of ["nothing", "", "\n", "Version0\t", "version0"])
          expect(prepared.findVersion(wrong)).toBe(-1);
        expect(prepared.findByFile(1, 2)).toBe(-1);
        const filter = new SetFilter(channels, ({ loaders }) => loaders.has(loader));
        const fits = (one: VersionContent) =>
          !one.yanked && (1 << one.channel) & channels && one.offered[0].includes(loader);
        expect(prepared.findFitting(filter, sets)).toBe(versions.findIndex(fits));
        const offers = new OfferTable(sets);
        offers.add(3, prepared);
        const fitting = versions.findIndex(fits);
        expect(offers.find(3, filter)).toBe(fitting < 0 ? 0 : prepared.blockOf(fitting));
        const newest = versions.findIndex(({ yanked }) => !yanked);
        expect(prepared.findFitting(new SetFilter(allChannels), sets)).toBe(newest);
        const kindOf = ({ channel, offered: [named, gameVersions] }: VersionContent) =>
          JSON.stringify([channel, named, gameVersions]);
        expect(prepared.listOffered()).toEqual(
          versions.flatMap((one, at) => {
            const isNewest = versions.findIndex((each) => !each.yanked && kindOf(each) === kindOf(one)) === at;
            return isNewest ? [at] : [];
          }),
        );
      }),
      { numRuns: 50 },
    );
  });

  test("takes new figures, which change tags and nothing else", () => {
    const [given] = fc.sample(
      content.filter(({ versions }) => versions.length > 1),
      { numRuns: 1, seed: 1 },
    );
    const prepared = open(encodeProject(given!, 0));
    const [digest, tag, figures] = [prepared.digest, prepared.versionTag(1), Buffer.from(prepared.figures)];
    const versions = [
      { versionId: "Version1", downloads: 2 ** 40 },
      { versionId: "Unknown0", downloads: 1 },
    ];
    prepared.setFigures({ projectId: "Project1", downloads: 2 ** 41, versions });
    expect([prepared.downloads, prepared.downloadsOf(0), prepared.downloadsOf(1)]).toEqual([
      ...[2 ** 41, given!.versions[0]!.downloads, 2 ** 40],
    ]);
    expect(prepared.digest).toEqual(digest);
    expect(prepared.versionTag(1)).not.toBe(tag);
    expect(joined((to) => prepared.addVersion(to, Buffer.alloc(0), 1, "own"))).toContain(String(2 ** 40));
    expect(prepared.figures.equals(figures)).toBe(false);
  });

  test("is refused if the part that is needed is damaged", () => {
    const some = content.filter(({ versions }) => versions[0]?.yanked === false);
    const record = encodeProject(fc.sample(some, { numRuns: 1, seed: 2 })[0]!, 0);
    record[head.rowsAt]! ^= 1;
    expect(() => open(record)).toThrow("damaged");
    record[head.rowsAt]! ^= 1;
    const prepared = open(record);
    record[record.readUInt32LE(head.rowsAt)]! ^= 1;
    expect(() => prepared.versionId(0)).toThrow("damaged");
    const block = prepared.blockOf(0);
    record[positionOf(block, record.length) + row.date]! ^= 1;
    expect(() => addBlock(new PlainJoiner(10), Buffer.alloc(0), prepared.source, block, "own")).toThrow("damaged");
    expect(() => open(Buffer.alloc(200))).toThrow("A prepared project is damaged");
  });
});

describe("a list of versions that is longer than the window of reading", () => {
  test("is joined completely", () => {
    const versions = Array.from({ length: 40 }, (_, index): VersionContent => {
      const shared = `"id":${index},"text":"${String(index % 10).repeat(index === 20 ? 300_000 : 20_000)}",`;
      return {
        ...{ id: `V${index}`, slug: `${index}`, datePublished: 0, channel: 0, featured: false, yanked: false },
        needsOthers: false,
        ...{ offered: [[], []], downloads: index, hashes: [] },
        ...{ own: `${shared}"own":1}`, bulk: `${shared}"bulk":1}`, byHash: `${shared}"byHash":1}` },
      };
    });
    const details = {
      id: "P",
      slug: "p",
      oldSlugs: [],
      userIds: [],
      orgId: null,
      isListed: true,
      description: "",
      descriptionSource: "",
    };
    const prepared = open(encodeProject({ ...details, project: "", listItem: "", downloads: 0, versions }, 0));
    const expected = versions.map((one) => toJson(one.downloads, one.own)).join(",");
    expect(joined((to) => prepared.addVersions(to, versions.keys(), "own")) === expected).toBe(true);
  });
});
