// Encodes a project and its versions as a prepared project (prepared-format.ts). Deflating is most of the work, so pieces
// whose content did not change are taken from the record before.
import { hash } from "node:crypto";
import { crc32 } from "node:zlib";
import { combineCrc, deflatePiece } from "#lib/gzip-join.js";
import {
  blockAlignment,
  coreFlag,
  type Details,
  digestBytes,
  type Form,
  fingerprint,
  flag,
  formNumbers,
  forms,
  head,
  magic,
  type OfferedNames,
  offer,
  piece,
  positionOf,
  row,
  rowCheck,
  sameAsByHash,
  toBlockRef,
} from "./prepared-format.js";

/** JSON objects without their first field, which is `downloads`: it is written when the answer is joined. */
export interface ProjectContent extends Details {
  project: string;
  listItem: string;
  /** HTML. */
  description: string;
  downloads: number;
  /** Newest first. */
  versions: readonly VersionContent[];
}

export interface VersionContent extends Record<Form, string> {
  id: string;
  slug: string;
  datePublished: number;
  /** Index in the list of channels. */
  channel: number;
  featured: boolean;
  yanked: boolean;
  /** It has a required dependency, public or not. */
  needsOthers: boolean;
  offered: OfferedNames;
  downloads: number;
  /** The hashes of all files, by any algorithm. */
  hashes: readonly string[];
}

/** Computes fingerprints of hashes (FingerprintKey). */
export interface Fingerprints {
  readHex(hex: string): boolean;
  high: number;
  low: number;
}

/** The bytes of a text in both encodings. */
interface Packed {
  plain: Uint8Array;
  deflated: Uint8Array;
  crc: number;
}

/** Finds the deflated form of unchanged content in the record before. */
export type KnownPieces = (plain: Buffer) => Uint8Array | undefined;

const digestOf = (...parts: Uint8Array[]): Buffer =>
  hash("sha256", parts.length === 1 ? parts[0]! : Buffer.concat(parts), "buffer").subarray(0, digestBytes);

export function encodeProject(
  content: ProjectContent,
  builtAt: number,
  key: Fingerprints,
  known: KnownPieces = () => undefined,
): Buffer {
  const pack = (text: string): Packed => {
    const plain = Buffer.from(text);
    const found = known(plain);
    return found
      ? { plain, deflated: found, crc: crc32(plain) }
      : { plain, deflated: deflateOf(plain), crc: crc32(plain) };
  };
  const { versions } = content;
  const project = pack(content.project);
  const listItem = pack(content.listItem);
  const packed = versions.map((version) =>
    splitForms(version).map((part) => (part === undefined ? undefined : pack(part))),
  );

  const sets = new Map<string, number>();
  const setOf = versions.map(({ offered }) => {
    const text = JSON.stringify(offered);
    const at = sets.get(text) ?? sets.size;
    sets.set(text, at);
    return at;
  });
  const setTexts = Buffer.from(`[${[...sets.keys()].join(",")}]`);
  const names = Buffer.from(`\n${versions.map(({ id, slug }) => `${id}\t${slug}\n`).join("")}`);
  const details = Buffer.from(JSON.stringify(toDetails(content)));
  const fingerprints = listFingerprints(versions, key);
  const offers = listOffers(versions, setOf);

  const detailsAt = head.length;
  const slugAt = detailsAt + details.indexOf(slugField) + slugField.length;
  const setsAt = detailsAt + details.length;
  const offersAt = setsAt + digestBytes * sets.size;
  const coreLength = offersAt + offer.length * offers.length;
  const description: Packed = { plain: Buffer.from(content.description), deflated: new Uint8Array(0), crc: 0 };
  const blocks = placeBlocks(coreLength + listItem.deflated.length, packed);
  const plainAt = blocks.end + project.deflated.length;
  const all = [listItem, ...packed.flat(), project, description].filter((each) => each !== undefined);
  const setTextsAt = plainAt + all.reduce((sum, { plain }) => sum + plain.length, 0);
  const tablesAt = setTextsAt + setTexts.length;
  const namesAt = tablesAt;
  const fingerprintsAt = namesAt + names.length;
  const rowsAt = fingerprintsAt + fingerprint.length * fingerprints.length;
  const figuresAt = rowsAt + row.length * versions.length;
  const tablesLength = figuresAt + 8 * versions.length - tablesAt;
  const record = Buffer.alloc(align(tablesAt + tablesLength));
  const view = new DataView(record.buffer, record.byteOffset, record.length);

  const put = (at: number, value: number) => record.writeUInt32LE(value, at);
  const at = { plain: plainAt, deflated: coreLength };
  const append = ({ plain, deflated }: Packed): void => {
    record.set(plain, at.plain);
    record.set(deflated, at.deflated);
    at.plain += plain.length;
    at.deflated += deflated.length;
  };
  const putPiece = (where: number, each: Packed): void => {
    put(where + piece.plainAt, at.plain);
    put(where + piece.plainLength, each.plain.length);
    put(where + piece.deflatedAt, at.deflated);
    put(where + piece.deflatedLength, each.deflated.length);
    put(where + piece.crc, each.crc);
    record.set(digestOf(each.plain), where + piece.digest);
    append(each);
  };
  putPiece(head.listItem, listItem);

  let nameAt = namesAt + 1;
  for (const [index, version] of versions.entries()) {
    const start = positionOf(blocks.refs[index]!);
    at.deflated = start + row.length;
    const [shared, ...tails] = packed[index] as [Packed, Packed, Packed, Packed | undefined];
    put(start + row.ordinal, index);
    record.writeDoubleLE(version.downloads, start + row.downloads);
    record.writeDoubleLE(version.datePublished, start + row.date);
    put(start + row.nameAt, nameAt);
    nameAt += Buffer.byteLength(version.id) + Buffer.byteLength(version.slug) + 2;
    record.writeUInt16LE(setOf[index]!, start + row.set);
    record[start + row.channel] = version.channel;
    record[start + row.flags] =
      (version.featured ? flag.featured : 0) |
      (version.yanked ? flag.yanked : 0) |
      (version.needsOthers ? flag.needsOthers : 0);
    put(start + row.plainAt, at.plain);
    put(start + row.deflatedAt, at.deflated);
    put(start + row.plain, shared.plain.length);
    put(start + row.deflated, shared.deflated.length);
    append(shared);
    for (const form of forms) {
      const number = formNumbers[form];
      const tail = tails[number] ?? tails[formNumbers.byHash]!;
      put(start + row.crc + 4 * number, combineCrc(shared.crc, tail.crc, tail.plain.length));
      put(start + row.plain + 4 * (number + 1), tails[number]?.plain.length ?? sameAsByHash);
      put(start + row.deflated + 4 * (number + 1), tails[number]?.deflated.length ?? sameAsByHash);
      if (tails[number]) append(tail);
    }
    record.set(digestOf(...packed[index]!.flatMap((part) => part?.plain ?? [])), start + row.digest);
    put(start + row.check, rowCheck(view, start));
    record.copy(record, rowsAt + row.length * index, start, start + row.length);
    record.writeDoubleLE(0, rowsAt + row.length * index + row.downloads);
    record.writeDoubleLE(version.downloads, figuresAt + 8 * index);
  }
  at.deflated = blocks.end;
  putPiece(head.project, project);
  putPiece(head.description, description);

  for (const [index, { high, low, ordinal }] of fingerprints.entries()) {
    const start = fingerprintsAt + fingerprint.length * index;
    put(start + fingerprint.high, high);
    put(start + fingerprint.low, low);
    put(start + fingerprint.ordinal, ordinal);
    put(start + fingerprint.block, blocks.refs[ordinal]!);
  }
  for (const [index, ordinal] of offers.entries()) {
    const start = offersAt + offer.length * index;
    put(start + offer.ordinal, ordinal);
    put(start + offer.block, blocks.refs[ordinal]!);
    record.writeUInt16LE(setOf[ordinal]!, start + offer.set);
    record[start + offer.channel] = versions[ordinal]!.channel;
  }
  record.set(names, namesAt);
  record.set(details, detailsAt);
  for (const [text, index] of sets) record.set(digestOf(Buffer.from(text)), setsAt + digestBytes * index);
  record.set(setTexts, setTextsAt);

  const places = {
    ...{ magic, coreLength, recordLength: record.length, versionCount: versions.length },
    ...{ detailsAt, detailsLength: details.length, slugAt, slugLength: Buffer.byteLength(content.slug) },
    ...{
      flags: content.isListed ? coreFlag.listed : 0,
      setsAt,
      setCount: sets.size,
      offersAt,
      offerCount: offers.length,
    },
    ...{ setTextsAt, setTextsLength: setTexts.length, tablesAt, tablesLength },
    ...{ namesAt, namesLength: names.length, fingerprintsAt, fingerprintCount: fingerprints.length, rowsAt, figuresAt },
  };
  for (const [name, value] of Object.entries(places)) put(head[name as keyof typeof head], value);
  record.writeDoubleLE(content.downloads, head.downloads);
  record.writeDoubleLE(builtAt, head.builtAt);
  record.set(digestOf(record.subarray(plainAt, setTextsAt)), head.digest);
  put(head.tablesCrc, crc32(record.subarray(tablesAt, figuresAt)));
  put(head.crc, crc32(record.subarray(head.coreLength, coreLength)));
  return record;
}

const align = (position: number): number => Math.ceil(position / blockAlignment) * blockAlignment;

/** Where the blocks of all versions are (toBlockRef), and where the next piece may begin. */
function placeBlocks(from: number, packed: readonly (readonly (Packed | undefined)[])[]) {
  let end = from;
  const refs = packed.map((parts) => {
    const position = align(end);
    const [shared, byHash] = parts as [Packed, Packed];
    end = position + row.length + parts.reduce((sum, part) => sum + (part?.deflated.length ?? 0), 0);
    return toBlockRef(position, row.length + shared.deflated.length + byHash.deflated.length);
  });
  return { refs, end };
}

const deflateOf = (plain: Buffer): Uint8Array => deflatePiece(plain).bytes;

/** Neither the id before it nor the slug contains a character that JSON escapes. */
const slugField = '"slug":"';

const toDetails = ({ id, slug, oldSlugs, userIds, orgId, isListed, descriptionSource }: ProjectContent): Details => ({
  ...{ id, slug, oldSlugs, userIds, orgId, isListed, descriptionSource },
});

function listFingerprints(versions: readonly VersionContent[], key: Fingerprints) {
  const found = new Map<string, { high: number; low: number; ordinal: number }>();
  for (const [ordinal, { hashes }] of versions.entries())
    for (const hex of hashes) {
      if (found.has(hex) || !key.readHex(hex)) continue;
      found.set(hex, { high: key.high >>> 0, low: key.low >>> 0, ordinal });
    }
  return [...found.values()].sort((a, b) => a.low - b.low);
}

/** The numbers of the versions that are offered. */
function listOffers(versions: readonly VersionContent[], setOf: readonly number[]): number[] {
  const offers = new Map<string, number>();
  for (const [ordinal, { yanked, channel }] of versions.entries()) {
    const combination = `${setOf[ordinal]} ${channel}`;
    if (!yanked && !offers.has(combination)) offers.set(combination, ordinal);
  }
  return [...offers.values()];
}

/** The part that all forms begin with, then their tails; the bulk form is left out if it is the same as another. */
function splitForms(version: VersionContent): (string | undefined)[] {
  const [first, ...others] = forms.map((form) => version[form]) as [string, string, string];
  let length = first.length;
  for (const other of others) {
    let same = 0;
    while (same < length && first.charCodeAt(same) === other.charCodeAt(same)) same++;
    length = same;
  }
  // A character outside of the basic plane must not be split.
  if (isHighSurrogate(first.charCodeAt(length - 1))) length--;
  const shared = first.slice(0, length);
  const bulk = version.bulk === version.byHash ? undefined : version.bulk.slice(length);
  return [shared, version.byHash.slice(length), version.own.slice(length), bulk];
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;
