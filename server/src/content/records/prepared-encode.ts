// Encodes a project and its versions as a prepared project (prepared-format.ts). Deflating is most of the work, so pieces
// whose content did not change are taken from the record before, and so are whole versions that are the same.
import { crc32 } from "node:zlib";
import type { Memory } from "#lib/gzip-join.js";
import { viewOf } from "#lib/view-of.js";
import { digestOf, type KnownPieces, lengthsIn, type Packed, packText } from "./packed-version.js";
import {
  coreFlag,
  type Details,
  digestBytes,
  fingerprint,
  flag,
  head,
  magic,
  offer,
  piece,
  row,
  rowCheck,
  toBlockRef,
} from "./prepared-format.js";
import type { PreparedProject } from "./prepared-project.js";
import { align, isKept, type NewVersion, toRuns } from "./version-runs.js";

/** JSON objects without their first field, which is `downloads`: it is written when the answer is joined. */
export interface ProjectContent extends Details {
  project: string;
  listItem: string;
  /** HTML. */
  description: string;
  downloads: number;
  /** Newest first. */
  versions: readonly NewVersion[];
}

interface Aids {
  /** The record from which versions are kept. */
  earlier?: PreparedProject | undefined;
  known?: KnownPieces;
  /** For the record. */
  memory?: Memory;
}

/** Throws if a version that is kept cannot be read. */
export function encodeProject(
  content: ProjectContent,
  builtAt: number,
  { earlier, known = () => undefined, memory = Buffer.allocUnsafeSlow }: Aids = {},
): Buffer {
  const { versions } = content;
  const project = packText(content.project, known);
  const listItem = packText(content.listItem, known);
  const description: Packed = { plain: Buffer.from(content.description), deflated: new Uint8Array(0), crc: 0 };

  const runs = toRuns(versions, earlier);
  const names = Buffer.concat([Buffer.from("\n"), ...runs.map((run) => run.names)]);
  const rows = Buffer.concat(runs.map((run) => run.rows));
  const { sets, setOf } = numberSets(versions, earlier);
  const setTexts = Buffer.from(`[${[...sets.keys()].join(",")}]`);
  const details = Buffer.from(JSON.stringify(toDetails(content)));
  const fingerprints = listFingerprints(versions, earlier);
  const offers = listOffers(rows, setOf);

  const detailsAt = head.length;
  const slugAt = detailsAt + details.indexOf(slugField) + slugField.length;
  const setsAt = detailsAt + details.length;
  const offersAt = setsAt + digestBytes * sets.size;
  const coreLength = offersAt + offer.length * offers.length;
  const plainAt = coreLength + listItem.deflated.length + project.deflated.length;
  const setTextsAt = plainAt + listItem.plain.length + project.plain.length + description.plain.length;
  const namesAt = setTextsAt + setTexts.length;
  const fingerprintsAt = namesAt + names.length;
  const rowsAt = fingerprintsAt + fingerprints.length;
  const figuresAt = rowsAt + rows.length;
  const tablesEnd = figuresAt + 8 * versions.length;
  const plainLength = runs.reduce((sum, run) => sum + run.plainLength, 0);
  const blocksAt = align(tablesEnd + plainLength);
  const versionsAt = blocksAt - plainLength;
  const recordLength = blocksAt + runs.reduce((sum, run) => sum + run.blocksLength, 0);
  const record = memory(recordLength).subarray(0, recordLength);
  const view = viewOf(record);
  record.fill(0, 0, versionsAt);

  const put = (at: number, value: number) => view.setUint32(at, value, true);
  const at = { plain: plainAt, deflated: coreLength };
  const putPiece = (where: number, { plain, deflated, crc }: Packed): void => {
    put(where + piece.plainAt, at.plain);
    put(where + piece.plainLength, plain.length);
    put(where + piece.deflatedAt, at.deflated);
    put(where + piece.deflatedLength, deflated.length);
    put(where + piece.crc, crc);
    record.set(digestOf(plain), where + piece.digest);
    record.set(plain, at.plain);
    record.set(deflated, at.deflated);
    at.plain += plain.length;
    at.deflated += deflated.length;
  };
  putPiece(head.listItem, listItem);
  putPiece(head.project, project);
  putPiece(head.description, description);

  record.set(names, namesAt);
  record.set(fingerprints, fingerprintsAt);
  record.set(rows, rowsAt);
  const blocks = new Uint32Array(versions.length);
  const next = { name: namesAt + 1, plain: versionsAt, block: blocksAt };
  let ordinal = 0;
  for (const run of runs) {
    run.write(record, next.plain, next.block);
    const [nameBy, plainBy] = [next.name - run.from.name, next.plain - run.from.plain];
    const blockBy = next.block - run.from.block;
    for (const end = ordinal + run.rows.length / row.length; ordinal < end; ordinal++) {
      const { downloads } = versions[ordinal]!;
      const rowAt = rowsAt + row.length * ordinal;
      const block = view.getUint32(rowAt + row.deflatedAt, true) + blockBy - row.length;
      put(rowAt + row.nameAt, view.getUint32(rowAt + row.nameAt, true) + nameBy);
      put(rowAt + row.plainAt, view.getUint32(rowAt + row.plainAt, true) + plainBy);
      put(rowAt + row.deflatedAt, block + row.length);
      view.setUint16(rowAt + row.set, setOf[ordinal]!, true);
      put(rowAt + row.check, rowCheck(view, rowAt));
      record.copyWithin(block, rowAt, rowAt + row.length);
      view.setFloat64(block + row.downloads, downloads, true);
      view.setFloat64(figuresAt + 8 * ordinal, downloads, true);
      blocks[ordinal] = toBlockRef(recordLength - block, row.length + lengthsIn(view, rowAt, "deflated").byHash);
    }
    next.name += run.names.length;
    next.plain += run.plainLength;
    next.block += run.blocksLength;
  }

  for (let start = fingerprintsAt; start < rowsAt; start += fingerprint.length)
    put(start + fingerprint.block, blocks[view.getUint32(start + fingerprint.ordinal, true)]!);
  for (const [index, ordinal] of offers.entries()) {
    const start = offersAt + offer.length * index;
    put(start + offer.ordinal, ordinal);
    put(start + offer.block, blocks[ordinal]!);
    view.setUint16(start + offer.set, setOf[ordinal]!, true);
    record[start + offer.channel] = rows[row.length * ordinal + row.channel]!;
  }
  record.set(details, detailsAt);
  for (const [text, index] of sets) record.set(digestOf(Buffer.from(text)), setsAt + digestBytes * index);
  record.set(setTexts, setTextsAt);

  const places = {
    ...{ magic, coreLength, recordLength, versionCount: versions.length },
    ...{ detailsAt, detailsLength: details.length, slugAt, slugLength: Buffer.byteLength(content.slug) },
    ...{
      flags: content.isListed ? coreFlag.listed : 0,
      setsAt,
      setCount: sets.size,
      offersAt,
      offerCount: offers.length,
    },
    ...{ setTextsAt, setTextsLength: setTexts.length, tablesAt: namesAt, tablesLength: tablesEnd - namesAt },
    ...{ namesAt, namesLength: names.length, fingerprintsAt },
    ...{ fingerprintCount: fingerprints.length / fingerprint.length, rowsAt, figuresAt, blocksAt },
  };
  for (const [name, value] of Object.entries(places)) put(head[name as keyof typeof head], value);
  record.writeDoubleLE(content.downloads, head.downloads);
  record.writeDoubleLE(builtAt, head.builtAt);
  record.set(digestOfAll(record, rows), head.digest);
  put(head.tablesCrc, crc32(record.subarray(namesAt, figuresAt)));
  put(head.crc, crc32(record.subarray(head.coreLength, coreLength)));
  return record;
}

/** Neither the id before it nor the slug contains a character that JSON escapes. */
const slugField = '"slug":"';

const toDetails = ({ id, slug, oldSlugs, userIds, orgId, isListed, descriptionSource }: ProjectContent): Details => ({
  ...{ id, slug, oldSlugs, userIds, orgId, isListed, descriptionSource },
});

/** The distinct sets of loaders and game versions, and the number of the set of each version. */
function numberSets(versions: readonly NewVersion[], earlier: PreparedProject | undefined) {
  const sets = new Map<string, number>();
  const before = earlier?.setTexts() ?? [];
  const setOf = Uint16Array.from(versions, (version) => {
    const text = isKept(version) ? before[earlier!.setOf(version.ordinal)]! : version.offered;
    const number = sets.get(text) ?? sets.size;
    sets.set(text, number);
    return number;
  });
  return { sets, setOf };
}

/** Without blocks. If several versions have the same file, the newest has its fingerprint. */
function listFingerprints(versions: readonly NewVersion[], earlier: PreparedProject | undefined): Buffer {
  const before = earlier?.fingerprintBytes() ?? Buffer.alloc(0);
  /** By their numbers in the earlier record; versions that are not kept have none. */
  const ordinals = new Int32Array(earlier?.versionCount ?? 0).fill(-1);
  const added: { high: number; low: number; ordinal: number }[] = [];
  for (const [ordinal, version] of versions.entries())
    if (isKept(version)) ordinals[version.ordinal] = ordinal;
    else for (const { high, low } of version.files) added.push({ high, low, ordinal });
  added.sort((a, b) => a.low - b.low || a.high - b.high || a.ordinal - b.ordinal);

  const merged = Buffer.alloc(before.length + fingerprint.length * added.length);
  const [from, to] = [viewOf(before), viewOf(merged)];
  let end = 0;
  const put = (high: number, low: number, ordinal: number): void => {
    const last = end - fingerprint.length;
    if (
      end > 0 &&
      to.getUint32(last + fingerprint.low, true) === low &&
      to.getUint32(last + fingerprint.high, true) === high
    )
      return;
    to.setUint32(end + fingerprint.high, high, true);
    to.setUint32(end + fingerprint.low, low, true);
    to.setUint32(end + fingerprint.ordinal, ordinal, true);
    end += fingerprint.length;
  };
  let next = 0;
  for (let start = 0; start < before.length; start += fingerprint.length) {
    const ordinal = ordinals[from.getUint32(start + fingerprint.ordinal, true)]!;
    if (ordinal < 0) continue;
    const [high, low] = [from.getUint32(start + fingerprint.high, true), from.getUint32(start + fingerprint.low, true)];
    for (; next < added.length; next++) {
      const one = added[next]!;
      if ((one.low - low || one.high - high || one.ordinal - ordinal) > 0) break;
      put(one.high, one.low, one.ordinal);
    }
    put(high, low, ordinal);
  }
  for (; next < added.length; next++) put(added[next]!.high, added[next]!.low, added[next]!.ordinal);
  return merged.subarray(0, end);
}

/** The numbers of the versions that are offered. */
function listOffers(rows: Buffer, setOf: Uint16Array): number[] {
  const offers = new Map<number, number>();
  for (const [ordinal, set] of setOf.entries()) {
    const start = row.length * ordinal;
    const combination = 256 * set + rows[start + row.channel]!;
    if (!(rows[start + row.flags]! & flag.yanked) && !offers.has(combination)) offers.set(combination, ordinal);
  }
  return [...offers.values()];
}

/** Made of the digests of its parts: reading the content of thousands of versions would take longer. */
function digestOfAll(record: Buffer, rows: Buffer): Buffer {
  const digests = Buffer.alloc((digestBytes * rows.length) / row.length);
  for (let at = 0; digestBytes * at < digests.length; at++)
    rows.copy(digests, digestBytes * at, row.length * at + row.digest, row.length * at + row.digest + digestBytes);
  const pieces = [head.listItem, head.project, head.description].map((start) =>
    record.subarray(start + piece.digest, start + piece.digest + digestBytes),
  );
  return digestOf(Buffer.concat([...pieces, digests]));
}
