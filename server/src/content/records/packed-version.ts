// A version as the bytes that its record will contain (prepared-format.ts), packed from its JSON. Its place in the record is
// filled in later (prepared-encode.ts).
import { hash } from "node:crypto";
import { crc32 } from "node:zlib";
import { combineCrc, deflatePiece } from "#lib/gzip-join.js";
import {
  digestBytes,
  type Form,
  flag,
  formNumbers,
  forms,
  type OfferedNames,
  row,
  sameAsByHash,
} from "./prepared-format.js";

/** JSON objects without their first field, which is `downloads`: it is written when the answer is joined. */
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

export interface PackedVersion {
  id: string;
  slug: string;
  downloads: number;
  /** JSON of its loaders and game versions. */
  offered: string;
  /** The fingerprints of its files. */
  files: readonly { high: number; low: number }[];
  /** Its row without places, then its deflated parts. */
  block: Buffer;
  /** Its uncompressed parts. */
  plain: Buffer;
}

/** Computes fingerprints of hashes (FingerprintKey). */
export interface Fingerprints {
  readHex(hex: string): boolean;
  high: number;
  low: number;
}

/** The bytes of a text in both encodings. */
export interface Packed {
  plain: Uint8Array;
  deflated: Uint8Array;
  crc: number;
}

/** Finds the deflated form of unchanged content in an earlier record. */
export type KnownPieces = (plain: Buffer) => Uint8Array | undefined;

export const digestOf = (content: Uint8Array): Buffer => hash("sha256", content, "buffer").subarray(0, digestBytes);

export function packText(text: string, known: KnownPieces): Packed {
  const plain = Buffer.from(text);
  return { plain, deflated: known(plain) ?? deflatePiece(plain).bytes, crc: crc32(plain) };
}

export function packVersion(version: VersionContent, key: Fingerprints, known: KnownPieces): PackedVersion {
  const { id, slug, downloads, offered, hashes } = version;
  const parts = splitForms(version).map((part) => (part === undefined ? undefined : packText(part, known)));
  const [shared, ...tails] = parts as [Packed, Packed, Packed, Packed | undefined];
  const there = parts.filter((part) => part !== undefined);
  const rowBytes = Buffer.alloc(row.length);
  rowBytes.writeUInt32LE(row.length, row.deflatedAt);
  rowBytes.writeDoubleLE(version.datePublished, row.date);
  rowBytes[row.channel] = version.channel;
  rowBytes[row.flags] =
    (version.featured ? flag.featured : 0) |
    (version.yanked ? flag.yanked : 0) |
    (version.needsOthers ? flag.needsOthers : 0);
  for (const [index, part] of parts.entries()) {
    rowBytes.writeUInt32LE(part?.plain.length ?? sameAsByHash, row.plain + 4 * index);
    rowBytes.writeUInt32LE(part?.deflated.length ?? sameAsByHash, row.deflated + 4 * index);
  }
  for (const form of forms) {
    const tail = tails[formNumbers[form]] ?? tails[formNumbers.byHash]!;
    const crc = combineCrc(shared.crc, tail.crc, tail.plain.length);
    rowBytes.writeUInt32LE(crc, row.crc + 4 * formNumbers[form]);
  }
  const plain = Buffer.concat(there.map((part) => part.plain));
  rowBytes.set(digestOf(plain), row.digest);
  return {
    ...{ id, slug, downloads, offered: JSON.stringify(offered), plain },
    files: hashes.flatMap((hex) => (key.readHex(hex) ? [{ high: key.high >>> 0, low: key.low >>> 0 }] : [])),
    block: Buffer.concat([rowBytes, ...there.map((part) => part.deflated)]),
  };
}

/** The lengths of all parts of a version together, and of those that a hash look-up needs. */
export function lengthsIn(view: DataView, rowAt: number, which: "plain" | "deflated"): { all: number; byHash: number } {
  const at = rowAt + row[which];
  const byHash = view.getUint32(at, true) + view.getUint32(at + 4, true);
  const bulk = view.getUint32(at + 12, true);
  return { byHash, all: byHash + view.getUint32(at + 8, true) + (bulk === sameAsByHash ? 0 : bulk) };
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
