// The format of packwiz: pack.toml names an index, which names files of the pack and descriptions of files to download.
import { parse, TomlError } from "smol-toml";
import {
  type Algorithm,
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

const maxBytes = 1 << 24;

/** The folder with pack.toml in an archive, with its "/": archives of a repository have everything in one folder. */
export const findPackToml = (names: readonly string[]): string | undefined => {
  const found = names.filter((name) => /^(?:[^/]+\/)?pack\.toml$/.test(name)).sort((a, b) => a.length - b.length)[0];
  return found?.slice(0, -"pack.toml".length);
};

export async function readPackwiz(contents: Contents, top: string, side: Side): Promise<PackContent> {
  const readToml = async (path: string): Promise<Record<string, unknown>> => {
    try {
      return parse(await readText(contents, top + path, maxBytes));
    } catch (error) {
      if (!(error instanceof TomlError)) throw missing(error, path);
      throw badPack(`${path} in the pack is not TOML.`);
    }
  };
  const { name, version, index, versions, "pack-format": format } = await readToml("pack.toml");
  if (format !== undefined && !String(format).startsWith("packwiz:1."))
    throw badPack(`The pack has the format ${JSON.stringify(format)}, and shelf knows packwiz:1.`);
  const indexPath = (index as Record<string, unknown> | undefined)?.file;
  if (!isText(name) || !isText(indexPath)) throw badPack("pack.toml lacks the name of the pack or of its index.");
  const check = async (path: string, algorithm: unknown, hash: unknown) => {
    // An empty hash means that the author has turned them off, which is harmless inside of one archive.
    if (hash === "" || hash === undefined) return;
    const known = toAlgorithm(algorithm, hash, path);
    const { hashes } = await digest(contents.read(top + path), [known]).catch((error) => {
      throw missing(error, path);
    });
    if (hashes[known] !== String(hash).toLowerCase())
      throw badPack(`${path} in the pack does not have the hash that the pack names.`);
  };
  checkPath(indexPath);
  const stated = index as Record<string, unknown>;
  await check(indexPath, stated["hash-format"], stated.hash);
  const { files: listed = [], "hash-format": usual } = await readToml(indexPath);
  if (!Array.isArray(listed)) throw badPack(`${indexPath} in the pack lists no files.`);
  checkCount(listed.length);
  const files: PackFile[] = [];
  const folder = indexPath.replace(/[^/]*$/, "");
  for (const one of listed as Record<string, unknown>[]) {
    const { file, hash, metafile, alias, preserve, "hash-format": own = usual } = one;
    if (!isText(file)) throw badPack(`${indexPath} in the pack names a file without a path.`);
    const path = checkPath(folder + file);
    await check(path, own, hash);
    const beside = (other: unknown) => checkPath(path.replace(/[^/]*$/, "") + String(other));
    const found =
      metafile === true
        ? toDownload(await readToml(path), path, beside, side)
        : await toOverride(contents, top, path, alias === undefined ? path : beside(alias));
    if (found) files.push({ ...found, ...(preserve === true && { isPreserved: true }) });
  }
  const requires = Object.entries(versions ?? {}).filter((pair): pair is [string, string] => pair.every(isText));
  const number = isText(version) ? version : "1";
  return { format: "packwiz", name, number, requires: Object.fromEntries(requires), files };
}

/** In a folder, a file that the pack names may not exist. */
const missing = (error: unknown, path: string): unknown =>
  (error as { code?: string }).code === "ENOENT" ? badPack(`The pack has no file ${path}, which it names.`) : error;

function toAlgorithm(algorithm: unknown, hash: unknown, path: string): Algorithm {
  const name = String(algorithm).toLowerCase();
  if (name !== "sha1" && name !== "sha256" && name !== "sha512")
    throw badPack(
      `The pack has only a ${name} hash of ${path}, which proves nothing. shelf needs sha1, sha256 or sha512.`,
    );
  if (!isHash(name, hash)) throw badPack(`The pack lacks the hash of ${path}.`);
  return name;
}

async function toOverride(contents: Contents, top: string, from: string, path: string): Promise<PackFile> {
  const read = () => contents.read(top + from);
  const { hashes, size } = await digest(read(), ["sha512"]);
  return { path, hashes, size, read, urls: [], id: toId(path, []) };
}

/** Undefined if it is not for this side. */
function toDownload(
  description: Record<string, unknown>,
  from: string,
  beside: (name: unknown) => string,
  side: Side,
): PackFile | undefined {
  const { name, filename, download, option, side: only = "both" } = description;
  if (!["both", "client", "server", ""].includes(only as string))
    throw badPack(`${from} in the pack names the side ${JSON.stringify(only)}.`);
  if (only !== "both" && only !== "" && only !== side) return undefined;
  if (!isText(filename)) throw badPack(`${from} in the pack names no file.`);
  const { url, mode = "url", hash, "hash-format": format } = (download ?? {}) as Record<string, unknown>;
  if (mode !== "url" && mode !== "")
    throw badPack(`${filename} has no address in the pack (${String(mode)}), so only its own program can download it.`);
  if (typeof url !== "string" || !URL.canParse(url)) throw badPack(`${from} in the pack names no usable address.`);
  const algorithm = toAlgorithm(format, hash, filename);
  const { optional, default: isDefault } = (option ?? {}) as Record<string, unknown>;
  const path = beside(filename);
  const id = toId(path, [url]);
  return {
    ...{ path, size: undefined, urls: [url], hashes: { [algorithm]: String(hash).toLowerCase() } },
    id: id.startsWith("project ") ? id : from,
    ...(optional === true && { choice: { name: isText(name) ? name : filename, isDefault: isDefault === true } }),
  };
}
