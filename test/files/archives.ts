// Archives for tests, made from scratch: a ZIP writer that can lie in every field, and small tar and 7z writers.
import { crc32, deflateRawSync } from "node:zlib";

/** The fields of a record. Each value can be replaced by a false one. */
export interface RecordFields {
  name: string | Buffer;
  flags: number;
  method: number;
  crc: number;
  compressedSize: number;
  size: number;
  extra: Buffer;
}

export interface DirectoryFields extends RecordFields {
  offset: number;
  madeBy: number;
  disk: number;
  /** File type and permissions as on Unix. */
  mode: number;
  comment: Buffer;
}

export type DescriptorForm = "marked" | "bare" | "markedWide" | "bareWide";

export interface ZipEntry {
  name: string | Buffer;
  content?: string | Buffer;
  /** Replaces the packed content. */
  packed?: Buffer;
  isStored?: boolean;
  /** Checksum and sizes follow the data. */
  descriptor?: DescriptorForm;
  /** Puts the sizes into an extra field, as if they did not fit. */
  isWide?: boolean;
  /** In both records. */
  fields?: Partial<RecordFields>;
  local?: Partial<RecordFields>;
  listed?: Partial<DirectoryFields>;
  /** Leaves the entry out of the directory. */
  isUnlisted?: boolean;
  /** Bytes before the entry's record and after its data. */
  before?: Buffer;
  after?: Buffer;
}

export interface ZipOptions {
  prefix?: Buffer;
  /** Between the entries and the directory. */
  gap?: Buffer;
  suffix?: Buffer;
  comment?: Buffer;
  isWideEnd?: boolean;
  /** Further records of the directory. */
  listed?: Buffer[];
  isReversed?: boolean;
  end?: Partial<{ disk: number; entries: number; size: number; offset: number; commentLength: number }>;
  wideEnd?: Partial<{
    recordSize: number;
    disk: number;
    entries: number;
    size: number;
    offset: number;
    locatorOffset: number;
  }>;
}

const saturated = 0xffff_ffff;
const utf8Flag = 1 << 11;
const descriptorFlag = 1 << 3;

export function zip(entries: readonly ZipEntry[], options: ZipOptions = {}): Buffer {
  const body: Buffer[] = [options.prefix ?? Buffer.alloc(0)];
  const directory: Buffer[] = [];
  let at = body[0]!.length;
  const write = (bytes: Buffer) => {
    body.push(bytes);
    at += bytes.length;
  };
  for (const entry of entries) {
    write(entry.before ?? Buffer.alloc(0));
    const truth = describe(entry);
    directory.push(entry.isUnlisted ? Buffer.alloc(0) : directoryRecord(entry, truth, at));
    write(localRecord(entry, truth));
    write(truth.packed);
    if (entry.descriptor) write(descriptor(entry.descriptor, { ...truth, ...entry.fields }));
    write(entry.after ?? Buffer.alloc(0));
  }
  write(options.gap ?? Buffer.alloc(0));
  if (options.isReversed) directory.reverse();
  const listed = Buffer.concat([...directory, ...(options.listed ?? [])]);
  const count = directory.filter(({ length }) => length > 0).length + (options.listed?.length ?? 0);
  return Buffer.concat([
    ...body,
    listed,
    endRecords(options, { entries: count, size: listed.length, offset: at }),
    options.suffix ?? Buffer.alloc(0),
  ]);
}

interface Truth {
  name: Buffer;
  packed: Buffer;
  method: number;
  crc: number;
  compressedSize: number;
  size: number;
  flags: number;
}

function describe(entry: ZipEntry): Truth {
  const content = Buffer.from(entry.content ?? "");
  const name = Buffer.from(entry.name);
  const packed = entry.packed ?? (entry.isStored ? content : deflateRawSync(content));
  const flags = (name.some((byte) => byte >= 0x80) ? utf8Flag : 0) | (entry.descriptor ? descriptorFlag : 0);
  const method = entry.isStored ? 0 : 8;
  return { name, packed, method, crc: crc32(content), compressedSize: packed.length, size: content.length, flags };
}

export function localRecord(entry: ZipEntry, truth: Truth = describe(entry)): Buffer {
  const unknown = entry.descriptor ? { crc: 0, compressedSize: 0, size: 0 } : {};
  const said = { extra: Buffer.alloc(0), ...truth, ...unknown, ...entry.fields, ...entry.local };
  const sizes = entry.isWide ? wideSizes([said.size, said.compressedSize]) : Buffer.alloc(0);
  const name = Buffer.from(said.name);
  const record = Buffer.alloc(30);
  record.writeUInt32LE(0x04034b50, 0);
  record.writeUInt16LE(20, 4);
  record.writeUInt16LE(said.flags, 6);
  record.writeUInt16LE(said.method, 8);
  record.writeUInt32LE(said.crc, 14);
  record.writeUInt32LE(entry.isWide ? saturated : said.compressedSize, 18);
  record.writeUInt32LE(entry.isWide ? saturated : said.size, 22);
  record.writeUInt16LE(name.length, 26);
  record.writeUInt16LE(sizes.length + said.extra.length, 28);
  return Buffer.concat([record, name, sizes, said.extra]);
}

export function directoryRecord(entry: ZipEntry, truth: Truth, offset: number): Buffer {
  const defaults = {
    extra: Buffer.alloc(0),
    comment: Buffer.alloc(0),
    offset,
    madeBy: 3 << 8,
    disk: 0,
    mode: 0o100644,
  };
  const said = { ...defaults, ...truth, ...entry.fields, ...entry.listed };
  const sizes = entry.isWide ? wideSizes([said.size, said.compressedSize]) : Buffer.alloc(0);
  const name = Buffer.from(said.name);
  const record = Buffer.alloc(46);
  record.writeUInt32LE(0x02014b50, 0);
  record.writeUInt16LE(said.madeBy, 4);
  record.writeUInt16LE(20, 6);
  record.writeUInt16LE(said.flags, 8);
  record.writeUInt16LE(said.method, 10);
  record.writeUInt32LE(said.crc, 16);
  record.writeUInt32LE(entry.isWide ? saturated : said.compressedSize, 20);
  record.writeUInt32LE(entry.isWide ? saturated : said.size, 24);
  record.writeUInt16LE(name.length, 28);
  record.writeUInt16LE(sizes.length + said.extra.length, 30);
  record.writeUInt16LE(said.comment.length, 32);
  record.writeUInt16LE(said.disk, 34);
  record.writeUInt16LE(said.mode, 40);
  record.writeUInt32LE(said.offset, 42);
  return Buffer.concat([record, name, sizes, said.extra, said.comment]);
}

/** For a directory that lists the same offset twice, or offsets without entries. */
export function listedAgain(entry: ZipEntry, offset: number): Buffer {
  return directoryRecord(entry, describe(entry), offset);
}

function descriptor(
  form: DescriptorForm,
  { crc, compressedSize, size }: { crc: number; compressedSize: number; size: number },
): Buffer {
  const isWide = form.endsWith("Wide");
  const bytes = Buffer.alloc(isWide ? 24 : 16);
  bytes.writeUInt32LE(0x08074b50, 0);
  bytes.writeUInt32LE(crc, 4);
  if (isWide) {
    bytes.writeBigUInt64LE(BigInt(compressedSize), 8);
    bytes.writeBigUInt64LE(BigInt(size), 16);
  } else {
    bytes.writeUInt32LE(compressedSize, 8);
    bytes.writeUInt32LE(size, 12);
  }
  return form.startsWith("marked") ? bytes : bytes.subarray(4);
}

export function extraField(id: number, value: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16LE(id, 0);
  head.writeUInt16LE(value.length, 2);
  return Buffer.concat([head, value]);
}

export function wideSizes(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(8 * values.length);
  for (const [index, value] of values.entries()) bytes.writeBigUInt64LE(BigInt(value), index * 8);
  return extraField(1, bytes);
}

/** The Unicode form of a name, as an extra field in addition to the name in another code page. */
export function unicodePath(name: Buffer, unicodeName: string): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(1, 0);
  head.writeUInt32LE(crc32(name), 1);
  return extraField(0x7075, Buffer.concat([head, Buffer.from(unicodeName)]));
}

function endRecords(options: ZipOptions, truth: { entries: number; size: number; offset: number }): Buffer {
  const comment = options.comment ?? Buffer.alloc(0);
  const full = options.isWideEnd ? { entries: 0xffff, size: saturated, offset: saturated } : {};
  const said = { disk: 0, commentLength: comment.length, ...truth, ...full, ...options.end };
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(said.disk, 4);
  end.writeUInt16LE(said.entries & 0xffff, 8);
  end.writeUInt16LE(said.entries & 0xffff, 10);
  end.writeUInt32LE(said.size, 12);
  end.writeUInt32LE(said.offset, 16);
  end.writeUInt16LE(said.commentLength, 20);
  const wide = options.isWideEnd ? wideEndRecords(options, truth) : Buffer.alloc(0);
  return Buffer.concat([wide, end, comment]);
}

function wideEndRecords({ wideEnd }: ZipOptions, truth: { entries: number; size: number; offset: number }): Buffer {
  const said = { recordSize: 44, disk: 0, locatorOffset: truth.offset + truth.size, ...truth, ...wideEnd };
  const record = Buffer.alloc(56);
  record.writeUInt32LE(0x06064b50, 0);
  record.writeBigUInt64LE(BigInt(said.recordSize), 4);
  record.writeUInt16LE(45, 12);
  record.writeUInt16LE(45, 14);
  record.writeUInt32LE(said.disk, 16);
  record.writeBigUInt64LE(BigInt(said.entries), 24);
  record.writeBigUInt64LE(BigInt(said.entries), 32);
  record.writeBigUInt64LE(BigInt(said.size), 40);
  record.writeBigUInt64LE(BigInt(said.offset), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(said.locatorOffset), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([record, locator]);
}

export interface TarEntry {
  name: string;
  content?: string | Buffer;
  type?: string;
  prefix?: string;
  size?: number;
  isChecksumWrong?: boolean;
}

export function tar(entries: readonly TarEntry[], ending: Buffer = Buffer.alloc(1024)): Buffer {
  const parts = entries.flatMap((entry) => {
    const content = Buffer.from(entry.content ?? "");
    return [tarHeader(entry, content.length), content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return Buffer.concat([...parts, ending]);
}

function tarHeader({ name, type = "0", prefix = "", size, isChecksumWrong = false }: TarEntry, length: number): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0, 100);
  header.write("0000644\0", 100);
  header.write(`${(size ?? length).toString(8).padStart(11, "0")}\0`, 124);
  header.write("        ", 148);
  header.write(type, 156);
  header.write("ustar\x0000", 257);
  header.write(prefix, 345, 155);
  const sum = header.reduce((total, byte) => total + byte, 0) + (isChecksumWrong ? 1 : 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return header;
}

/** One value of a pax header: its length, which counts itself, its key and its value. */
export function paxRecord(key: string, value: string): string {
  const bare = Buffer.byteLength(` ${key}=${value}\n`);
  const length = [1, 2, 3, 4].map((digits) => bare + digits).find((total) => `${total}`.length + bare === total)!;
  return `${length} ${key}=${value}\n`;
}

/** The outside of a 7z archive around any bytes. */
export function sevenZip(packed: Buffer, directory: Buffer): Buffer {
  const header = Buffer.alloc(32);
  header.write("7z\xbc\xaf\x27\x1c", 0, "latin1");
  header.writeUInt8(4, 7);
  header.writeBigUInt64LE(BigInt(packed.length), 12);
  header.writeBigUInt64LE(BigInt(directory.length), 20);
  header.writeUInt32LE(crc32(directory), 28);
  header.writeUInt32LE(crc32(header.subarray(12)), 8);
  return Buffer.concat([header, packed, directory]);
}
