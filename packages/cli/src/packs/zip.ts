// Reads ZIP archives from anyone. Entries are those of the directory at the end. What the directory says about sizes is
// bounded, and no entry yields more than it says; so neither memory nor the disk is filled by a small file.
import { type FileHandle, open } from "node:fs/promises";
import { Readable } from "node:stream";
import { countOf, toSize } from "#shelf/figures.js";
import { badPack } from "./paths.js";

export interface Entry {
  name: string;
  size: number;
  packedSize: number;
  crc: number;
  isDeflated: boolean;
  offset: number;
}

/** More than the largest packs have. */
export const maxFiles = 50_000;
const maxEntryBytes = 1 << 30;
const maxTotalBytes = 4 * 2 ** 30;
/** Texts become a tenth of their size; ten times more is made to fill a disk. */
const maxRatio = 100;
const freeBytes = 1 << 26;
const maxDirectoryBytes = 1 << 26;
const pieceBytes = 1 << 16;
const saturated = 0xffff_ffff;

const broken = (what: string): Error => badPack(`The ZIP archive is damaged: ${what}.`);
const toNumber = (bytes: Buffer, at: number): number => Number(bytes.readBigUInt64LE(at));

export class ZipFile {
  readonly entries = new Map<string, Entry>();
  readonly #handle: FileHandle;
  readonly #size: number;

  private constructor(handle: FileHandle, size: number) {
    this.#handle = handle;
    this.#size = size;
  }

  static async open(path: string): Promise<ZipFile> {
    const handle = await open(path, "r");
    try {
      const file = new ZipFile(handle, (await handle.stat()).size);
      await file.#readDirectory();
      return file;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  close = (): Promise<void> => this.#handle.close();

  /** The content, which is as long as its entry says and has its checksum. */
  async *read({ name, offset, size, packedSize, isDeflated, crc }: Entry): AsyncGenerator<Buffer> {
    const header = await this.#take(offset, 30);
    if (header.readUInt32LE(0) !== 0x0403_4b50) throw broken(`there is no entry ${name} where its directory says`);
    const start = offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
    if (start + packedSize > this.#size) throw broken(`${name} is cut off`);
    // Since Node.js 20.15; before, only the size of an entry is compared.
    const { crc32 } = (await import("node:zlib")) as { crc32?: (data: Uint8Array, value?: number) => number };
    let [length, sum] = [0, 0];
    for await (const piece of isDeflated ? this.#inflate(start, packedSize, name) : this.#slice(start, packedSize)) {
      length += piece.length;
      if (length > size) break;
      if (crc32) sum = crc32(piece, sum);
      yield piece;
    }
    if (length !== size) throw broken(`${name} is ${length > size ? "longer" : "shorter"} than its directory says`);
    if (crc32 && sum !== crc) throw broken(`${name} has another checksum than its directory says`);
  }

  async *#inflate(start: number, length: number, name: string): AsyncGenerator<Buffer> {
    const { createInflateRaw } = await import("node:zlib");
    const { pipeline } = await import("node:stream/promises");
    const inflate = createInflateRaw();
    const done = pipeline(Readable.from(this.#slice(start, length)), inflate).catch(() => undefined);
    try {
      for await (const piece of inflate) yield piece;
    } catch {
      throw broken(`${name} cannot be unpacked`);
    }
    await done;
  }

  async *#slice(start: number, length: number): AsyncGenerator<Buffer> {
    for (let at = 0; at < length; at += pieceBytes)
      yield await this.#take(start + at, Math.min(pieceBytes, length - at));
  }

  async #take(at: number, length: number): Promise<Buffer> {
    if (at < 0 || !Number.isSafeInteger(at) || at + length > this.#size) throw broken("it is cut off");
    const bytes = Buffer.alloc(length);
    for (let done = 0; done < length; ) {
      const { bytesRead } = await this.#handle.read(bytes, done, length - done, at + done);
      if (bytesRead === 0) throw broken("it is cut off");
      done += bytesRead;
    }
    return bytes;
  }

  async #readDirectory(): Promise<void> {
    const { count, size, offset } = await this.#findDirectory();
    if (count > maxFiles)
      throw badPack(`The pack has ${count} files, which are more than ${countOf(maxFiles, "file")}.`);
    if (size > maxDirectoryBytes) throw broken("its directory is too large");
    const bytes = await this.#take(offset, size);
    let [at, total] = [0, 0];
    for (let n = 0; n < count; n++) {
      if (at + 46 > size || bytes.readUInt32LE(at) !== 0x0201_4b50) throw broken("its directory is incomplete");
      const end = at + 46 + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
      if (end > size) throw broken("its directory is incomplete");
      const entry = readEntry(bytes.subarray(at, end));
      at = end;
      if (entry.name.endsWith("/") && entry.size === 0) continue;
      if (this.entries.has(entry.name)) throw broken(`it has two files with the name ${entry.name}`);
      this.entries.set(entry.name, entry);
      total += entry.size;
      if (entry.size > maxEntryBytes)
        throw badPack(`${entry.name} in the pack is larger than ${toSize(maxEntryBytes)}.`);
    }
    const most = Math.min(maxTotalBytes, maxRatio * this.#size + freeBytes);
    if (total > most)
      throw badPack(
        `The pack of ${toSize(this.#size)} would become ${toSize(total)}, which is more than ${toSize(most)}.`,
      );
  }

  async #findDirectory(): Promise<{ count: number; size: number; offset: number }> {
    const length = Math.min(this.#size, 22 + 0xffff);
    const tail = await this.#take(this.#size - length, length);
    const end = tail.lastIndexOf("PK\u0005\u0006", tail.length - 22, "latin1");
    if (end < 0) throw badPack("The pack is not a ZIP archive, or its end is missing.");
    const found = {
      ...{ count: tail.readUInt16LE(end + 10), size: tail.readUInt32LE(end + 12), offset: tail.readUInt32LE(end + 16) },
    };
    const isWide = found.count === 0xffff || found.size === saturated || found.offset === saturated;
    if (!isWide) return found;
    const locator = this.#size - length + end - 20;
    const wide = await this.#take(toNumber(await this.#take(locator, 20), 8), 56);
    if (wide.readUInt32LE(0) !== 0x0606_4b50) throw broken("its end cannot be read");
    return { count: toNumber(wide, 32), size: toNumber(wide, 40), offset: toNumber(wide, 48) };
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function readEntry(record: Buffer): Entry {
  const nameEnd = 46 + record.readUInt16LE(28);
  let name: string;
  try {
    name = utf8.decode(record.subarray(46, nameEnd));
  } catch {
    throw badPack("The ZIP archive has a name that is not UTF-8.");
  }
  if (name.includes("\\")) throw badPack(`The ZIP archive has a name with a backslash: ${JSON.stringify(name)}.`);
  const method = record.readUInt16LE(10);
  if (record.readUInt16LE(8) & 1) throw badPack(`${name} in the pack is encrypted.`);
  if (method !== 0 && method !== 8) throw badPack(`${name} in the pack is compressed in a way that shelf cannot read.`);
  // The kind of file as on Unix: none, a file or a folder.
  const kind = (record.readUInt32LE(38) >>> 16) & 0o170000;
  if (![0, 0o100000, 0o040000].includes(kind)) throw badPack(`${name} in the pack is a link or a device.`);
  const [size, packedSize, offset] = widen(record, nameEnd, [24, 20, 42]);
  return {
    name,
    size: size!,
    packedSize: packedSize!,
    offset: offset!,
    crc: record.readUInt32LE(16),
    isDeflated: method === 8,
  };
}

/** Values that do not fit into their field are in an extra field, in this order. */
function widen(record: Buffer, nameEnd: number, fields: readonly number[]): number[] {
  const end = nameEnd + record.readUInt16LE(30);
  let wide: Buffer = Buffer.alloc(0);
  for (let at = nameEnd; at + 4 <= end; at += 4 + record.readUInt16LE(at + 2))
    if (record.readUInt16LE(at) === 1)
      wide = record.subarray(at + 4, Math.min(end, at + 4 + record.readUInt16LE(at + 2)));
  let next = 0;
  return fields.map((at) => {
    const value = record.readUInt32LE(at);
    if (value !== saturated) return value;
    if (next + 8 > wide.length) throw broken("a size is missing");
    next += 8;
    return toNumber(wide, next - 8);
  });
}
