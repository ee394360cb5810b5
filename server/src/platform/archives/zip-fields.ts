// The extra fields of a ZIP record: sizes too large for the record itself, and a Unicode form of the name.
import { crc32 } from "node:zlib";
import { decodeName } from "./entry-names.js";
import { refuse } from "./problems.js";

const wideSizes = 0x0001;
const unicodePath = 0x7075;
/** Replaces a value that does not fit. */
export const saturated = 0xffff_ffff;

export interface ExtraFields {
  wideSizes?: Buffer;
  unicodePath?: Buffer;
}

export function readExtraFields(bytes: Buffer, entry: string): ExtraFields {
  const found = new Map<number, Buffer>();
  let at = 0;
  while (bytes.length - at >= 4) {
    const id = bytes.readUInt16LE(at);
    const end = at + 4 + bytes.readUInt16LE(at + 2);
    if (end > bytes.length) refuse("brokenRecord", entry, ["longExtraField"]);
    // Readers disagree on which of two fields counts.
    if (found.has(id) && (id === wideSizes || id === unicodePath)) {
      refuse("brokenRecord", entry, ["sameExtraField"]);
    }
    found.set(id, bytes.subarray(at + 4, end));
    at = end;
  }
  // Tools that align entries pad with zeros.
  if (bytes.subarray(at).some((byte) => byte !== 0)) refuse("brokenRecord", entry, ["longExtraField"]);
  return { wideSizes: found.get(wideSizes), unicodePath: found.get(unicodePath) };
}

/** The values of a record, with the saturated ones replaced by those of the extra field. */
export function widen(narrow: readonly number[], extra: Buffer | undefined, entry: string): number[] {
  if (!extra) return [...narrow];
  let at = 0;
  const wide = narrow.map((value) => {
    if (value !== saturated) return value;
    at += 8;
    if (at > extra.length) refuse("brokenRecord", entry, ["zip64SizeMissing"]);
    return readWide(extra, at - 8);
  });
  if (at < extra.length && !repeats(extra, wide)) refuse("recordsDisagree", entry, ["zip64Sizes"]);
  return wide;
}

/** Some tools write all values to the extra field; then they must be the same. */
function repeats(extra: Buffer, values: readonly number[]): boolean {
  const count = Math.floor(extra.length / 8);
  const rest = extra.subarray(count * 8);
  return (
    count <= values.length &&
    values.slice(0, count).every((value, index) => readWide(extra, index * 8) === value) &&
    rest.every((byte) => byte === 0)
  );
}

/** Not exact above 2^53, which is far above every limit. */
export function readWide(bytes: Buffer, at: number): number {
  return Number(bytes.readBigUInt64LE(at));
}

/**
 * The name that every reader must find. Readers that know the Unicode form prefer it. It may replace a name in the DOS
 * code page, but must equal a name that is valid UTF-8.
 */
export function readName(bytes: Buffer, isMarkedUtf8: boolean, unicode: Buffer | undefined): string {
  const name = decodeName(bytes, isMarkedUtf8);
  if (!unicode) return name;
  if (unicode.length < 6 || unicode[0] !== 1 || unicode.readUInt32LE(1) !== crc32(bytes)) {
    refuse("recordsDisagree", name, ["unicodeName"]);
  }
  const better = decodeName(unicode.subarray(5), true);
  const needsHelp = !isMarkedUtf8 && !Buffer.from(name).equals(bytes);
  if (better !== name && !needsHelp) refuse("recordsDisagree", name, ["unicodeName"]);
  return better;
}
