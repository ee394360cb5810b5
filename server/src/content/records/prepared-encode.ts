// Encodes a project and its versions as a prepared project (prepared-format.ts). Deflating is most of the work, so pieces
// whose content did not change are taken from the record before.
import { crc32 } from "node:zlib";
import { digestOf, type KnownPieces, lengthsIn, type Packed, type PackedVersion, packText } from "./packed-version.js";
import {
  blockAlignment,
  coreFlag,
  type Details,
  digestBytes,
  fingerprint,
  flag,
  head,
  magic,
  offer,
  piece,
  positionOf,
  row,
  rowCheck,
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
  versions: readonly PackedVersion[];
}

export function encodeProject(content: ProjectContent, builtAt: number, known: KnownPieces = () => undefined): Buffer {
  const { versions } = content;
  const project = packText(content.project, known);
  const listItem = packText(content.listItem, known);

  const sets = new Map<string, number>();
  const setOf = versions.map(({ offered }) => {
    const at = sets.get(offered) ?? sets.size;
    sets.set(offered, at);
    return at;
  });
  const setTexts = Buffer.from(`[${[...sets.keys()].join(",")}]`);
  const names = Buffer.from(`\n${versions.map(({ id, slug }) => `${id}\t${slug}\n`).join("")}`);
  const details = Buffer.from(JSON.stringify(toDetails(content)));
  const fingerprints = listFingerprints(versions);
  const offers = listOffers(versions, setOf);

  const detailsAt = head.length;
  const slugAt = detailsAt + details.indexOf(slugField) + slugField.length;
  const setsAt = detailsAt + details.length;
  const offersAt = setsAt + digestBytes * sets.size;
  const coreLength = offersAt + offer.length * offers.length;
  const description: Packed = { plain: Buffer.from(content.description), deflated: new Uint8Array(0), crc: 0 };
  const blocks = placeBlocks(coreLength + listItem.deflated.length, versions);
  const plainAt = blocks.end + project.deflated.length;
  const setTextsAt =
    plainAt + [listItem, ...versions, project, description].reduce((sum, { plain }) => sum + plain.length, 0);
  const tablesAt = setTextsAt + setTexts.length;
  const namesAt = tablesAt;
  const fingerprintsAt = namesAt + names.length;
  const rowsAt = fingerprintsAt + fingerprint.length * fingerprints.length;
  const figuresAt = rowsAt + row.length * versions.length;
  const tablesLength = figuresAt + 8 * versions.length - tablesAt;
  const record = Buffer.alloc(align(tablesAt + tablesLength));
  const view = new DataView(record.buffer, record.byteOffset, record.length);

  const put = (at: number, value: number) => view.setUint32(at, value, true);
  const at = { plain: plainAt, deflated: coreLength };
  const append = ({ plain, deflated }: { plain: Uint8Array; deflated: Uint8Array }): void => {
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
  for (const [index, { id, slug, downloads, block, plain }] of versions.entries()) {
    const start = positionOf(blocks.refs[index]!);
    at.deflated = start;
    const places = { ordinal: index, nameAt, plainAt: at.plain, deflatedAt: start + row.length };
    append({ plain, deflated: block });
    for (const [name, value] of Object.entries(places)) put(start + row[name as keyof typeof places], value);
    view.setUint16(start + row.set, setOf[index]!, true);
    view.setFloat64(start + row.downloads, downloads, true);
    put(start + row.check, rowCheck(view, start));
    record.copy(record, rowsAt + row.length * index, start, start + row.length);
    view.setFloat64(rowsAt + row.length * index + row.downloads, 0, true);
    view.setFloat64(figuresAt + 8 * index, downloads, true);
    nameAt += Buffer.byteLength(id) + Buffer.byteLength(slug) + 2;
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
    record[start + offer.channel] = versions[ordinal]!.block[row.channel]!;
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
function placeBlocks(from: number, versions: readonly PackedVersion[]) {
  let end = from;
  const refs = versions.map(({ block }) => {
    const position = align(end);
    end = position + block.length;
    const view = new DataView(block.buffer, block.byteOffset, block.length);
    return toBlockRef(position, row.length + lengthsIn(view, 0, "deflated").byHash);
  });
  return { refs, end };
}

/** Neither the id before it nor the slug contains a character that JSON escapes. */
const slugField = '"slug":"';

const toDetails = ({ id, slug, oldSlugs, userIds, orgId, isListed, descriptionSource }: ProjectContent): Details => ({
  ...{ id, slug, oldSlugs, userIds, orgId, isListed, descriptionSource },
});

/** If several versions have the same file, the newest has its fingerprint. */
function listFingerprints(versions: readonly PackedVersion[]) {
  const all = versions.flatMap(({ files }, ordinal) => files.map(({ high, low }) => ({ high, low, ordinal })));
  all.sort((a, b) => a.low - b.low || a.high - b.high || a.ordinal - b.ordinal);
  return all.filter(({ high, low }, index) => all[index - 1]?.low !== low || all[index - 1]?.high !== high);
}

/** The numbers of the versions that are offered. */
function listOffers(versions: readonly PackedVersion[], setOf: readonly number[]): number[] {
  const offers = new Map<string, number>();
  for (const [ordinal, { block }] of versions.entries()) {
    const combination = `${setOf[ordinal]} ${block[row.channel]}`;
    if (!(block[row.flags]! & flag.yanked) && !offers.has(combination)) offers.set(combination, ordinal);
  }
  return [...offers.values()];
}
