// The format .mrpack: an index with the files to download, and folders with files that are put over them.
import {
  type Contents,
  checkCount,
  digest,
  isHash,
  isText,
  type PackContent,
  type PackFile,
  readText,
  type Side,
  toId,
} from "./pack.js";
import { badPack, checkPath } from "./paths.js";

const indexName = "modrinth.index.json";
const maxIndexBytes = 1 << 25;
/** Larger than any file that is worth a download. */
const maxFileBytes = 4 * 2 ** 30;

export const isMrpack = (names: readonly string[]): boolean => names.includes(indexName);

export async function readMrpack(contents: Contents, side: Side): Promise<PackContent> {
  let index: Record<string, unknown>;
  try {
    index = JSON.parse(await readText(contents, indexName, maxIndexBytes));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw badPack(`${indexName} in the pack is not JSON.`);
  }
  const { formatVersion, name, versionId, files, dependencies } = index ?? {};
  if (formatVersion !== 1)
    throw badPack(`The pack has the format version ${JSON.stringify(formatVersion)}, and shelf knows 1.`);
  if (!isText(name) || !isText(versionId) || !Array.isArray(files))
    throw badPack("The index of the pack lacks its name, its version or its files.");
  checkCount(files.length);
  const downloads = files.map((one) => toDownload(one, side)).filter((one) => one !== undefined);
  const requires = Object.entries(dependencies ?? {}).filter((pair): pair is [string, string] => pair.every(isText));
  const byPath = new Map(downloads.map((file) => [file.path, file]));
  if (byPath.size < downloads.length) throw badPack("The index of the pack names a file twice.");
  // Files in the pack replace those that are downloaded, and those for one side replace those for both.
  for (const folder of ["overrides/", `${side}-overrides/`])
    for (const one of contents.names.filter((entry) => entry.startsWith(folder))) {
      const path = checkPath(one.slice(folder.length));
      const { hashes, size } = await digest(contents.read(one), ["sha512"]);
      byPath.set(path, { path, hashes, size, urls: [], id: toId(path, []), read: () => contents.read(one) });
    }
  return {
    format: "mrpack",
    name,
    number: versionId,
    requires: Object.fromEntries(requires),
    files: [...byPath.values()],
  };
}

/** Undefined if it is not for this side. */
function toDownload(one: unknown, side: Side): PackFile | undefined {
  const { path, hashes, env, downloads, fileSize } = (one ?? {}) as Record<string, unknown>;
  if (typeof path !== "string") throw badPack("A file of the pack has no path.");
  checkPath(path);
  const { sha1, sha512 } = (hashes ?? {}) as Record<string, unknown>;
  if (!isHash("sha1", sha1) || !isHash("sha512", sha512))
    throw badPack(`The pack lacks the SHA-1 or SHA-512 hash of ${path}.`);
  if (!Number.isSafeInteger(fileSize) || (fileSize as number) < 0 || (fileSize as number) > maxFileBytes)
    throw badPack(`The pack names no usable size for ${path}.`);
  if (!Array.isArray(downloads) || !downloads.every((url) => typeof url === "string" && URL.canParse(url)))
    throw badPack(`The pack names no usable address for ${path}.`);
  const support = ((env ?? {}) as Record<string, unknown>)[side] ?? "required";
  if (!["required", "optional", "unsupported"].includes(support as string))
    throw badPack(`The pack does not say whether ${path} is for the ${side}.`);
  if (support === "unsupported") return undefined;
  return {
    ...{ path, size: fileSize as number, urls: downloads, id: toId(path, downloads) },
    hashes: { sha1: sha1.toLowerCase(), sha512: sha512.toLowerCase() },
    ...(support === "optional" && { choice: { name: path.split("/").at(-1)!, isDefault: true } }),
  };
}
