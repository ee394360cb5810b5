// One file of an archive for people who review it: its text, or the names and strings of a Java class. It runs in the
// process that inspects archives, because the bytes may be hostile.

/** The bytes that are read of a file. */
export const readBytes = 256 * 1024;
/** The characters that are shown of a text, and of one string of a class. */
const mostText = 60_000;
const mostString = 500;
/** The names and strings that are shown of a class. */
const mostShown = 2000;

export type ReadEntry =
  | { kind: "text"; text: string; isCut: boolean }
  | { kind: "class"; names: string[]; strings: string[]; isCut: boolean }
  | { kind: "other" };

/** `isCut`: the file is longer than these bytes. */
export function readEntry(bytes: Buffer, isCut: boolean): ReadEntry {
  const constants = listConstants(bytes);
  if (constants) return toClass(constants);
  const text = toText(bytes, isCut);
  if (text === undefined) return { kind: "other" };
  return { kind: "text", text: text.slice(0, mostText), isCut: isCut || text.length > mostText };
}

/** Undefined if the bytes are not UTF-8, or contain NUL, as programs and pictures do. */
export function toText(bytes: Buffer, isCut: boolean): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    // A cut may be inside a character.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: isCut });
  } catch {
    return undefined;
  }
}

const classMagic = 0xcafebabe;
const utf8Tag = 1;
const classTag = 7;
const stringTag = 8;
/** The bytes of a constant after its tag. */
const sizes: Readonly<Record<number, number>> = {
  ...{ 3: 4, 4: 4, 5: 8, 6: 8, [classTag]: 2, [stringTag]: 2, 9: 4, 10: 4, 11: 4, 12: 4 },
  ...{ 15: 3, 16: 2, 17: 4, 18: 4, 19: 2, 20: 2 },
};
/** long and double count as two constants. */
const isWide = (tag: number): boolean => tag === 5 || tag === 6;

interface Constants {
  /** Each once, sorted. */
  names: string[];
  strings: string[];
  isCut: boolean;
}

/** Reads the constant pool (JVMS 4.4) as far as it is there and well formed. Undefined if the bytes are no class. */
export function listConstants(bytes: Buffer): Constants | undefined {
  if (bytes.length < 10 || bytes.readUInt32BE(0) !== classMagic) return undefined;
  const texts = new Map<number, string>();
  const wanted: [tag: number, index: number][] = [];
  const count = bytes.readUInt16BE(8);
  let at = 10;
  let index = 1;
  for (; index < count && at + 3 <= bytes.length; index++) {
    const tag = bytes[at]!;
    const length = tag === utf8Tag ? 2 + bytes.readUInt16BE(at + 1) : sizes[tag];
    if (length === undefined || at + 1 + length > bytes.length) break;
    if (tag === utf8Tag) texts.set(index, bytes.toString("utf8", at + 3, at + 1 + length));
    if (tag === classTag || tag === stringTag) wanted.push([tag, bytes.readUInt16BE(at + 1)]);
    if (isWide(tag)) index++;
    at += 1 + length;
  }
  const listOf = (tag: number): string[] =>
    [...new Set(wanted.flatMap(([of, to]) => (of === tag ? (texts.get(to) ?? []) : [])))].sort();
  const names = listOf(classTag).map((name) => name.replaceAll("/", "."));
  return { names, strings: listOf(stringTag), isCut: index < count };
}

const toClass = ({ names, strings, isCut }: Constants): ReadEntry => ({
  kind: "class",
  names: names.slice(0, mostShown).map((name) => name.slice(0, mostString)),
  strings: strings.slice(0, mostShown).map((string) => string.slice(0, mostString)),
  isCut: isCut || names.length > mostShown || strings.length > mostShown,
});
