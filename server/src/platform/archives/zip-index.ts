// A ZIP archive read through the directory at its end, entry by entry, without decompressing the others. Only for
// archives that were accepted before (zip.ts): this trusts the directory to list every entry.
import { readSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { ByteInput, fromFile } from "./byte-input.js";
import type { ArchiveLimits, Budget } from "./limits.js";
import { refuse } from "./problems.js";
import { openEntryData } from "./zip-data.js";
import { readWide, saturated } from "./zip-fields.js";
import {
  type DirectoryRecord,
  readDirectoryRecord,
  readLocalRecord,
  readSignature,
  signatures,
} from "./zip-records.js";

export interface ZipIndex extends AsyncDisposable {
  /** In bytes. */
  size: number;
  /** Every file in the order of the directory; folders are left out. */
  listFiles(): AsyncGenerator<DirectoryRecord, void>;
  /** The decompressed content of a file. Its size and checksum are verified if it is read to the end. */
  openFile(record: DirectoryRecord, budget: Budget): AsyncGenerator<Buffer, void>;
  /** The bytes of a file as they are stored, in pieces of the buffer's length. Each is valid until the next one. */
  readStored(record: DirectoryRecord, buffer: Buffer): Generator<Buffer, void>;
}

const endBytes = 22;
/** The end record with the longest comment, and the two records of ZIP64 before it. */
const mostTail = endBytes + 0xffff + 56 + 20;

export async function openIndex(path: string, limits: Pick<ArchiveLimits, "maxEntries">): Promise<ZipIndex> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const offset = await findDirectory(file, size);
    return {
      size,
      async *listFiles() {
        const input = new ByteInput(fromFile(file, offset));
        for (let count = 1; (await readSignature(input)) === signatures.directory; count++) {
          if (count > limits.maxEntries) refuse("tooManyEntries", undefined, ["limit", limits.maxEntries]);
          const record = await readDirectoryRecord(input);
          if (!record.name.endsWith("/")) yield record;
        }
      },
      async *openFile(record, budget) {
        budget.announce(record.size, record.name);
        const input = new ByteInput(fromFile(file, record.offset));
        if ((await readSignature(input)) !== signatures.entry) refuse("missingEntry", record.name);
        const { nameDigest } = await readLocalRecord(input);
        if (nameDigest !== record.nameDigest) refuse("recordsDisagree", record.name, ["name"]);
        const { pieces, facts } = openEntryData(input, { ...record, hasDescriptor: false }, budget);
        yield* pieces;
        if (facts.size !== record.size) refuse("wrongSize", record.name);
        if (facts.crc !== record.crc) refuse("wrongChecksum", record.name);
      },
      // Synchronous, because most entries are small and there may be 65,535 of them.
      *readStored(record, buffer) {
        const header = buffer.subarray(0, readSync(file.fd, buffer, 0, 30, record.offset));
        if (header.length < 30 || header.readUInt32LE(0) !== signatures.entry) refuse("missingEntry", record.name);
        let position = record.offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
        for (let left = record.compressedSize; left > 0; ) {
          const count = readSync(file.fd, buffer, 0, Math.min(left, buffer.length), position);
          if (count === 0) refuse("truncated", record.name);
          yield buffer.subarray(0, count);
          left -= count;
          position += count;
        }
      },
      [Symbol.asyncDispose]: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** The offset of the directory, as the end records say it. */
async function findDirectory(file: FileHandle, size: number): Promise<number> {
  const start = Math.max(0, size - mostTail);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start);
  const tail = buffer.subarray(0, bytesRead);
  const end = tail.lastIndexOf("PK\x05\x06", "latin1");
  if (end < 0 || tail.length - end < endBytes) refuse("notAnArchive");
  const offset = tail.readUInt32LE(end + 16);
  if (offset !== saturated) return offset;
  const wideEnd = tail.lastIndexOf("PK\x06\x06", end, "latin1");
  if (wideEnd < 0 || end - wideEnd < 56) refuse("brokenRecord", undefined, ["zip64End"]);
  return readWide(tail, wideEnd + 48);
}
