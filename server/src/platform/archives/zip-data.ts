// The data of one ZIP entry: decompressed in pieces, counted, and compared with everything the archive says about it.
import { crc32 } from "node:zlib";
import type { ByteInput } from "./byte-input.js";
import { inflate } from "./inflate.js";
import type { Budget } from "./limits.js";
import { refuse } from "./problems.js";
import { deflated, type LocalRecord, signatures } from "./zip-records.js";

/** The values computed from the data itself. */
export interface DataFacts {
  crc: number;
  size: number;
  compressedSize: number;
}

export interface EntryData {
  pieces: AsyncGenerator<Buffer, void>;
  /** Complete after the last piece. */
  facts: DataFacts;
}

export function openEntryData(input: ByteInput, record: LocalRecord, budget: Budget): EntryData {
  const facts: DataFacts = { crc: 0, size: 0, compressedSize: 0 };
  return { pieces: countPieces(input, record, budget, facts), facts };
}

async function* countPieces(
  input: ByteInput,
  record: LocalRecord,
  budget: Budget,
  facts: DataFacts,
): AsyncGenerator<Buffer, void> {
  const start = input.position;
  for await (const piece of openPieces(input, record, facts)) {
    facts.size += piece.length;
    facts.crc = crc32(piece, facts.crc);
    if (!record.hasDescriptor && facts.size > record.size) refuse("wrongSize", record.name);
    budget.checkEntrySize(facts.size, record.name);
    budget.spend(piece.length, record.name);
    yield piece;
  }
  facts.compressedSize = input.position - start;
}

function openPieces(input: ByteInput, record: LocalRecord, facts: DataFacts): AsyncGenerator<Buffer, void> {
  const { name, size, compressedSize, hasDescriptor } = record;
  if (record.method === deflated) {
    // Some tools write empty deflated data for an empty file.
    if (!hasDescriptor && compressedSize === 0 && size === 0) return input.takePieces(0);
    return inflate(input, { compressedSize: hasDescriptor ? Infinity : compressedSize, size, entry: name });
  }
  return hasDescriptor ? takeUntilDescriptor(input, facts) : input.takePieces(compressedSize);
}

const descriptorMark = Buffer.alloc(4);
descriptorMark.writeUInt32LE(signatures.descriptor);

/** Stored data of unknown length ends at a descriptor that matches all bytes before it. */
async function* takeUntilDescriptor(input: ByteInput, facts: DataFacts): AsyncGenerator<Buffer, void> {
  while (true) {
    const bytes = await input.peek(64 * 1024);
    if (bytes.length < descriptorMark.length) refuse("truncated");
    const candidate = findCandidate(bytes, facts.size);
    if (candidate === 0 && findDescriptor(bytes, { ...facts, compressedSize: facts.size })) return;
    // A false descriptor is ordinary data.
    const length = Math.max(1, candidate);
    yield bytes.subarray(0, length);
    input.skip(length);
  }
}

/** The possible start of a descriptor by its mark and size, or the length that certainly contains none. */
function findCandidate(bytes: Buffer, sizeBefore: number): number {
  for (let at = bytes.indexOf(descriptorMark); at >= 0; at = bytes.indexOf(descriptorMark, at + 1)) {
    const isCut = at + 12 > bytes.length;
    if (isCut || bytes.readUInt32LE(at + 8) === sizeBefore + at) return at;
  }
  return bytes.length - (descriptorMark.length - 1);
}

/** A descriptor has one of four forms, and only the bytes themselves show which one. */
function listDescriptors({ crc, compressedSize, size }: DataFacts): Buffer[] {
  const wide = Buffer.alloc(24);
  wide.writeUInt32LE(signatures.descriptor, 0);
  wide.writeUInt32LE(crc, 4);
  wide.writeBigUInt64LE(BigInt(compressedSize), 8);
  wide.writeBigUInt64LE(BigInt(size), 16);
  const narrow = Buffer.concat([wide.subarray(0, 12), wide.subarray(16, 20)]);
  // The longest form is first: a shorter form can be a prefix of it.
  return [wide, wide.subarray(4), narrow, narrow.subarray(4)];
}

function findDescriptor(bytes: Buffer, facts: DataFacts): Buffer | undefined {
  return listDescriptors(facts).find((form) => bytes.subarray(0, form.length).equals(form));
}

/** After the last piece, the record, the data and the descriptor must agree. */
export async function checkEntryData(input: ByteInput, record: LocalRecord, facts: DataFacts): Promise<void> {
  const { name } = record;
  if (!record.hasDescriptor) {
    if (facts.size !== record.size) refuse("wrongSize", name);
    if (facts.compressedSize !== record.compressedSize) refuse("hiddenData", name);
    if (facts.crc !== record.crc) refuse("wrongChecksum", name);
    return;
  }
  for (const [what, said, found] of [
    ["checksum", record.crc, facts.crc],
    ["size", record.size, facts.size],
    ["compressedSize", record.compressedSize, facts.compressedSize],
  ] as const) {
    if (said !== 0 && said !== found) refuse("recordsDisagree", name, [what]);
  }
  const bytes = await input.peek(24);
  const descriptor = findDescriptor(bytes, facts);
  if (descriptor) input.skip(descriptor.length);
  else refuseDescriptor(bytes, facts, name);
}

function refuseDescriptor(bytes: Buffer, facts: DataFacts, name: string): never {
  if (bytes.length < 16) refuse("truncated", name);
  const isMarked = bytes.readUInt32LE(0) === signatures.descriptor;
  refuse(bytes.readUInt32LE(isMarked ? 4 : 0) === facts.crc ? "wrongSize" : "wrongChecksum", name);
}
