// Three ways to read an archive in memory, for tests: as the server inspects it, forward, and by its directory.
import { inflateRawSync } from "node:zlib";
import { ByteInput, type ByteSource } from "#platform/archives/byte-input.js";
import type { ArchiveType } from "#platform/archives/file-types.js";
import { createWalk, type Inspection, inspectSource } from "#platform/archives/inspection.js";
import type { ArchiveLimits } from "#platform/archives/limits.js";
import { walkZip } from "#platform/archives/zip.js";

/** Like a slow disk: never returns more than the length of a piece. */
export function fromBytes(bytes: Buffer, pieceLength = Infinity): ByteSource {
  let at = 0;
  return async (target) => {
    const copied = bytes.copy(target, 0, at, Math.min(bytes.length, at + pieceLength));
    at += copied;
    return copied;
  };
}

export function inspectBytes(
  bytes: Buffer,
  type: ArchiveType = "zip",
  limits: Partial<ArchiveLimits> = {},
): Promise<Inspection> {
  return inspectSource(fromBytes(bytes), bytes.length, type, limits);
}

/** "ok", or the code of the fault. */
export async function judge(bytes: Buffer, type?: ArchiveType, limits?: Partial<ArchiveLimits>): Promise<string> {
  const inspection = await inspectBytes(bytes, type, limits);
  return inspection.ok ? "ok" : inspection.reason;
}

export type Contents = Record<string, string>;

/** Reads like the inspection, but keeps everything. Throws if the inspection refuses. */
export async function readForward(bytes: Buffer, pieceLength?: number): Promise<Contents> {
  const walk = { ...createWalk(bytes.length), wanted: () => Infinity };
  await walkZip(new ByteInput(fromBytes(bytes, pieceLength)), walk);
  return Object.fromEntries([...walk.kept].map(([path, content]) => [path, content.toString("hex")]));
}

/** Reads as most programs do: from the end record to the directory to the data, without checks. */
export function readByDirectory(bytes: Buffer): Contents {
  const end = bytes.lastIndexOf("PK\x05\x06");
  const found: Contents = {};
  let at = bytes.readUInt32LE(end + 16);
  if (at === 0xffff_ffff) at = Number(bytes.readBigUInt64LE(bytes.lastIndexOf("PK\x06\x06") + 48));
  while (bytes.readUInt32LE(at) === 0x02014b50) {
    const lengths = [28, 30, 32].map((field) => bytes.readUInt16LE(at + field));
    const name = bytes.toString("utf8", at + 46, at + 46 + lengths[0]!);
    const local = bytes.readUInt32LE(at + 42);
    const dataAt = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const isWide = bytes.readUInt32LE(at + 20) === 0xffff_ffff;
    const size = isWide ? Number(bytes.readBigUInt64LE(at + 46 + lengths[0]! + 12)) : bytes.readUInt32LE(at + 20);
    const data = bytes.subarray(dataAt, dataAt + size);
    const content = bytes.readUInt16LE(at + 10) === 0 || size === 0 ? data : inflateRawSync(data);
    found[name] = content.toString("hex");
    at += lengths.reduce((sum, length) => sum + length, 46);
  }
  return found;
}
