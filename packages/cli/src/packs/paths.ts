// Paths that a pack gives to its files. They must stay inside of the instance, on every system, and out of shelf's own files.
import { exitCodes, Failure } from "#shelf/failures.js";

/** Something in a pack that makes it unusable. */
export const badPack = (sentence: string): Failure =>
  new Failure(sentence, { advice: "Tell the author of the pack. Nothing was changed.", code: "badPack" });

/** Windows opens devices under these names, with any extension. */
const devices = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$)(?:\.|$)/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be in a name.
const unsafe = /[\u0000-\u001f\u007f-\u009f\\:*?"<>|]/;
/** Characters without a shape: some file systems ignore them, so that another name is meant. */
const unseen = /[\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/;
/** Our own files, in any folder, because each may be one of shelf; also under the short names of Windows. */
const own = /^(?:\.shelf|shelf\.lock|shelf~\d+.*)$/i;
/** Windows has little more for the whole path, and an id in the lock file must be shorter than 300 characters. */
const maxBytes = 250;

/** The same path. Throws where it would leave the instance, or mean something else on another system. */
export function checkPath(path: string): string {
  const parts = path.split("/");
  const reason =
    path.startsWith("/") || /^[a-z]:/i.test(path)
      ? "it is an absolute path"
      : path.includes("\\")
        ? "it has a backslash"
        : parts.includes("..")
          ? "it leads out of the folder"
          : parts.some((part) => part === "" || part === ".")
            ? "a part of it is empty"
            : unsafe.test(path) || unseen.test(path) || parts.some((part) => /^\s|[.\s]$/.test(part))
              ? "it has characters that not every system can store"
              : parts.some((part) => devices.test(part))
                ? "Windows means a device by it"
                : parts.some((part) => own.test(part))
                  ? "shelf uses it itself"
                  : Buffer.byteLength(path) > maxBytes || parts.some((part) => Buffer.byteLength(part) > 200)
                    ? "it is too long"
                    : "";
  if (reason) throw badPack(`The pack names a file ${JSON.stringify(path.slice(0, maxBytes))}, but ${reason}.`);
  return path;
}

/** The same for all paths that differ only by case, or by the way in which accents are written. */
export const toKey = (path: string): string => path.normalize("NFC").toLowerCase();

/** No two paths may mean one file, and none may be the folder of another. */
export function checkPaths(paths: Iterable<string>): void {
  const files = new Map<string, string>();
  for (const path of paths) {
    const other = files.get(toKey(path));
    if (other !== undefined)
      throw badPack(`The pack names ${path} and ${other}, which are the same file on some systems.`);
    files.set(toKey(path), path);
  }
  // Folders that differ only by case are one on some systems, where shelf could not tell them apart.
  const folders = new Map<string, string>();
  for (const path of files.values())
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
      const folder = path.slice(0, at);
      const before = folders.get(toKey(folder));
      if (before === folder) break;
      if (before !== undefined)
        throw badPack(`The pack names the folders ${folder} and ${before}, which are the same on some systems.`);
      if (files.has(toKey(folder))) throw badPack(`The pack names ${folder} both as a file and as a folder.`);
      folders.set(toKey(folder), folder);
    }
}

/** A file of the instance that a file of the pack cannot replace. */
export const conflict = (sentence: string, advice: string, code: string): Failure =>
  new Failure(sentence, { advice, exitCode: exitCodes.conflict, code });
