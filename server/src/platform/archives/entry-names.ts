// Names of entries: how bytes are decoded, which paths are safe on every system, and which names are the same file.
import { hash } from "node:crypto";
import { crc32 } from "node:zlib";
import type { ArchiveLimits } from "./limits.js";
import { refuse } from "./problems.js";

const codePage437 =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0";
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * A name marked as UTF-8 must be UTF-8. An unmarked name is read as UTF-8 if possible (Java and macOS omit the mark),
 * otherwise as the DOS code page. ASCII is the same in both, so no path rule depends on the choice.
 */
export function decodeName(bytes: Buffer, isMarkedUtf8: boolean): string {
  try {
    return utf8.decode(bytes);
  } catch {
    const text = [...bytes]
      .map((byte) => (byte < 0x80 ? String.fromCharCode(byte) : codePage437[byte - 0x80]!))
      .join("");
    if (isMarkedUtf8) refuse("invalidName", text, ["notUtf8"]);
    return text;
  }
}

/** Control characters, and characters that reverse the direction of text. */
const invisible = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;
const reservedOnWindows = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$) *(?:\.|$)/i;

/** Refuses paths that no legitimate tool writes. The path of a folder ends in a slash. */
export function checkPath(path: string, limits: ArchiveLimits): void {
  if (Buffer.byteLength(path) > limits.maxPathBytes) {
    refuse("pathTooLong", path, ["maxBytes", limits.maxPathBytes]);
  }
  if (path === "") refuse("invalidName", path, ["emptyName"]);
  if (invisible.test(path)) refuse("invalidName", path, ["controlCharacters"]);
  if (path.includes("\\")) refuse("unsafePath", path, ["backslash"]);
  if (path.startsWith("/")) refuse("unsafePath", path, ["absolutePath"]);
  if (/^[a-z]:/i.test(path)) refuse("unsafePath", path, ["driveLetter"]);
  const parts = path.split("/");
  if (parts.at(-1) === "") parts.pop();
  if (parts.length > limits.maxPathDepth) refuse("pathTooDeep", path, ["limit", limits.maxPathDepth]);
  for (const part of parts) checkPart(part, path);
}

function checkPart(part: string, path: string): void {
  if (part === "") refuse("invalidName", path, ["folderWithoutName"]);
  if (part === "." || part === "..") refuse("unsafePath", path, ["contains", part]);
  if (/[. ]$/.test(part)) refuse("invalidName", path, ["endsInDot"]);
  if (reservedOnWindows.test(part)) refuse("invalidName", path, ["reservedName"]);
}

export interface NameRegister {
  /** Refuses a name that is taken. Only digests are kept: 65,535 long names would use most of the memory. */
  add(path: string): void;
}

export function createNameRegister(limits: ArchiveLimits): NameRegister {
  /** Maps the digest of the case-folded name to a checksum of the exact name. */
  const files = new Map<string, number>();
  const folders = new Set<string>();
  const listedFolders = new Set<string>();

  function addFolder(folder: string, path: string): void {
    for (let rest = folder; rest !== ""; rest = rest.slice(0, Math.max(0, rest.lastIndexOf("/")))) {
      const key = digest(rest);
      if (folders.has(key)) return;
      folders.add(key);
      if (files.get(digest(foldCase(rest))) === crc32(rest)) refuse("duplicateEntry", path, ["folderIsFile"]);
    }
    if (folders.size > limits.maxEntries) refuse("tooManyEntries", path, ["maxFolders", limits.maxEntries]);
  }

  function addListedFolder(folder: string, path: string): void {
    const key = digest(foldCase(folder));
    if (listedFolders.has(key)) refuse("duplicateEntry", path);
    listedFolders.add(key);
    addFolder(folder, path);
  }

  function addFile(file: string, path: string): void {
    const key = digest(foldCase(file));
    if (files.has(key)) refuse("duplicateEntry", path);
    files.set(key, crc32(file));
    addFolder(file.slice(0, Math.max(0, file.lastIndexOf("/"))), path);
    // Only exact matches: many legitimate jars have META-INF/LICENSE beside META-INF/license/….
    if (folders.has(digest(file))) refuse("duplicateEntry", path, ["fileIsFolder"]);
  }

  return {
    add(path) {
      const name = path.normalize("NFC");
      if (name.endsWith("/")) addListedFolder(name.slice(0, -1), path);
      else addFile(name, path);
    },
  };
}

/** Folds in both directions, because one direction alone keeps pairs such as ß and SS apart. */
function foldCase(text: string): string {
  return text.toUpperCase().toLowerCase().normalize("NFC");
}

/** SHA-1 is strong enough: a collision only gets the author's own archive refused. */
function digest(text: string): string {
  return hash("sha1", text, "latin1");
}
