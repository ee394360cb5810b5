// Archives for tests that unpack to far more than their size: small on disk and quick to create.
import { createHash } from "node:crypto";
import { constants, crc32, deflateRawSync } from "node:zlib";
import { listedAgain, localRecord, type ZipEntry, zip } from "#test/files/archives.js";

const MiB = 1024 * 1024;

/** Incompressible bytes, the same in every run. */
export function noise(length: number, seed = "noise"): Buffer {
  const blocks = Array.from({ length: Math.ceil(length / 64) }, (_, index) =>
    createHash("sha512").update(`${seed} ${index}`).digest(),
  );
  return Buffer.concat(blocks).subarray(0, length);
}

/** This many MiB of zeros, deflated: a piece that ends at a byte boundary can be repeated. */
export function packedZeros(mebibytes: number): Buffer {
  const piece = deflateRawSync(Buffer.alloc(MiB), { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  return Buffer.concat([...Array.from({ length: mebibytes }, () => piece), Buffer.from([3, 0])]);
}

/** One entry of zeros with a false checksum, because computing it would take longer than refusing the archive. */
export function zerosEntry(name: string, mebibytes: number, rest: Partial<ZipEntry> = {}): ZipEntry {
  return { name, packed: packedZeros(mebibytes), fields: { size: mebibytes * MiB }, ...rest };
}

/** Many entries that share one piece of data: all records of the directory lead to the same offset. */
export function sharedDataBomb(entries: number): Buffer {
  const content = Buffer.alloc(MiB);
  const packed = deflateRawSync(content);
  const entry: ZipEntry = { name: "0", packed, fields: { crc: crc32(content), size: content.length } };
  const listed = Array.from({ length: entries - 1 }, (_, index) =>
    listedAgain({ ...entry, listed: { name: `${index + 1}` } }, 0),
  );
  return zip([entry], { listed });
}

/**
 * Overlapping entries: each starts with a stored block that contains the next one's local record, and continues with
 * that one's data. Every record is valid, every entry can be unpacked, and all end at the same offset.
 */
export function overlappingBomb(entries: number): Buffer {
  let content: Buffer = Buffer.alloc(MiB);
  let packed = deflateRawSync(content);
  const records: Buffer[] = [];
  const described: ZipEntry[] = [];
  for (let index = entries - 1; index >= 0; index--) {
    const entry: ZipEntry = {
      name: `${index}`.padStart(5, "0"),
      packed,
      fields: { crc: crc32(content), size: content.length, compressedSize: packed.length },
    };
    const record = localRecord(entry);
    records.unshift(record);
    described.unshift({ ...entry, packed: Buffer.alloc(0) });
    packed = Buffer.concat([storedBlock(record.length), record, packed]);
    content = Buffer.concat([record, content]);
  }
  // The block before the first entry is not needed; each record is inside the previous one.
  const body = packed.subarray(5);
  const offsets: number[] = [];
  let at = 0;
  for (const record of records) {
    offsets.push(at);
    at += record.length + 5;
  }
  const listed = described.map((entry, index) => listedAgain(entry, offsets[index]!));
  return zip([], { prefix: body, listed });
}

function storedBlock(length: number): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt16LE(length, 1);
  head.writeUInt16LE(~length & 0xffff, 3);
  return head;
}

/** A ZIP inside a ZIP inside a ZIP …; 1 is one archive with a file in it. */
export function nestedZip(levels: number, innermost: ZipEntry = { name: "a.txt", content: "hello" }): Buffer {
  let archive = zip([innermost]);
  for (let level = 1; level < levels; level++) {
    archive = zip([{ name: `inner-${level}.zip`, content: archive, isStored: innermost.isStored }]);
  }
  return archive;
}
