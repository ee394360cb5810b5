// An uncompressed ZIP archive: its headers and directory as bytes, and its length before the first byte is sent. Above
// 4 GiB it uses ZIP64.

export interface ZipEntry {
  /** A relative path without colons (entry-names.ts, pack.ts). */
  name: string;
  size: number;
  /** When the content was created. */
  time: number;
}

export interface PlacedEntry extends ZipEntry {
  crc32: number;
  /** Where the header starts. */
  offset: number;
}

const most32 = 0xffff_ffff;
const most16 = 0xffff;
const localSize = 30;
const centralSize = 46;
const endSize = 22;
const end64Size = 56;
const locator64Size = 20;

/** Names are UTF-8. */
const flags = 0x0800;
const versionPlain = 20;
const version64 = 45;
/** Created on Unix, where the mode makes the file readable and not executable. */
const madeOnUnix = 3 << 8;
const plainFile = 0o100644;

const isLarge = (size: number): boolean => size >= most32;
const nameBytes = (name: string): Buffer => Buffer.from(name, "utf8");

/** The fields that do not fit into 32 bits, with 64 bits each. */
function extra64(values: readonly number[]): Buffer {
  if (values.length === 0) return Buffer.alloc(0);
  const extra = Buffer.alloc(4 + 8 * values.length);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(8 * values.length, 2);
  for (const [at, value] of values.entries()) extra.writeBigUInt64LE(BigInt(value), 4 + 8 * at);
  return extra;
}

/** Date and time in the MS-DOS format, with a precision of two seconds; the earliest year is 1980. */
function dosTime(time: number): { time: number; date: number } {
  const moment = new Date(Math.max(time, Date.UTC(1980, 0, 1)));
  return {
    time: (moment.getUTCHours() << 11) | (moment.getUTCMinutes() << 5) | (moment.getUTCSeconds() >> 1),
    date: ((moment.getUTCFullYear() - 1980) << 9) | ((moment.getUTCMonth() + 1) << 5) | moment.getUTCDate(),
  };
}

export function localHeader({ name, size, time, crc32 }: Omit<PlacedEntry, "offset">): Buffer {
  const header = Buffer.alloc(localSize);
  const bytes = nameBytes(name);
  const extra = extra64(isLarge(size) ? [size, size] : []);
  const moment = dosTime(time);
  header.writeUInt32LE(0x0403_4b50, 0);
  header.writeUInt16LE(isLarge(size) ? version64 : versionPlain, 4);
  header.writeUInt16LE(flags, 6);
  // Method 0: not compressed.
  header.writeUInt16LE(moment.time, 10);
  header.writeUInt16LE(moment.date, 12);
  header.writeUInt32LE(crc32, 14);
  header.writeUInt32LE(Math.min(size, most32), 18);
  header.writeUInt32LE(Math.min(size, most32), 22);
  header.writeUInt16LE(bytes.length, 26);
  header.writeUInt16LE(extra.length, 28);
  return Buffer.concat([header, bytes, extra]);
}

const centralExtra = ({ size, offset }: Pick<PlacedEntry, "size" | "offset">): Buffer =>
  extra64([...(isLarge(size) ? [size, size] : []), ...(isLarge(offset) ? [offset] : [])]);

function centralHeader(entry: PlacedEntry): Buffer {
  const { name, size, time, crc32, offset } = entry;
  const header = Buffer.alloc(centralSize);
  const bytes = nameBytes(name);
  const extra = centralExtra(entry);
  const moment = dosTime(time);
  header.writeUInt32LE(0x0201_4b50, 0);
  header.writeUInt16LE(madeOnUnix | version64, 4);
  header.writeUInt16LE(extra.length > 0 ? version64 : versionPlain, 6);
  header.writeUInt16LE(flags, 8);
  header.writeUInt16LE(moment.time, 12);
  header.writeUInt16LE(moment.date, 14);
  header.writeUInt32LE(crc32, 16);
  header.writeUInt32LE(Math.min(size, most32), 20);
  header.writeUInt32LE(Math.min(size, most32), 24);
  header.writeUInt16LE(bytes.length, 28);
  header.writeUInt16LE(extra.length, 30);
  header.writeUInt32LE(plainFile * 0x1_0000, 38);
  header.writeUInt32LE(Math.min(offset, most32), 42);
  return Buffer.concat([header, bytes, extra]);
}

const needs64 = (count: number, start: number, size: number): boolean =>
  count >= most16 || start >= most32 || size >= most32;

/** The end of the archive: the directory of all entries, and where it starts. */
export function directory(entries: readonly PlacedEntry[], start: number): Buffer {
  const headers = Buffer.concat(entries.map(centralHeader));
  const end = Buffer.alloc(endSize);
  end.writeUInt32LE(0x0605_4b50, 0);
  end.writeUInt16LE(Math.min(entries.length, most16), 8);
  end.writeUInt16LE(Math.min(entries.length, most16), 10);
  end.writeUInt32LE(Math.min(headers.length, most32), 12);
  end.writeUInt32LE(Math.min(start, most32), 16);
  if (!needs64(entries.length, start, headers.length)) return Buffer.concat([headers, end]);
  return Buffer.concat([headers, end64(entries.length, start, headers.length), end]);
}

function end64(count: number, start: number, size: number): Buffer {
  const end = Buffer.alloc(end64Size + locator64Size);
  end.writeUInt32LE(0x0606_4b50, 0);
  end.writeBigUInt64LE(BigInt(end64Size - 12), 4);
  end.writeUInt16LE(madeOnUnix | version64, 12);
  end.writeUInt16LE(version64, 14);
  end.writeBigUInt64LE(BigInt(count), 24);
  end.writeBigUInt64LE(BigInt(count), 32);
  end.writeBigUInt64LE(BigInt(size), 40);
  end.writeBigUInt64LE(BigInt(start), 48);
  end.writeUInt32LE(0x0706_4b50, end64Size);
  end.writeBigUInt64LE(BigInt(start + size), end64Size + 8);
  end.writeUInt32LE(1, end64Size + 16);
  return end;
}

/** The length of the whole archive, computed before any file is read. */
export function archiveSize(entries: readonly Pick<ZipEntry, "name" | "size">[]): number {
  let offset = 0;
  let central = 0;
  for (const { name, size } of entries) {
    const bytes = nameBytes(name).length;
    central += centralSize + bytes + centralExtra({ size, offset }).length;
    offset += localSize + bytes + (isLarge(size) ? 20 : 0) + size;
  }
  const more = needs64(entries.length, offset, central) ? end64Size + locator64Size : 0;
  return offset + central + more + endSize;
}
