// Reads a pack in Modrinth's format (.mrpack): a ZIP archive with an index in JSON, and folders with the pack's own files.
import { platformIds } from "./manifest-table.js";
import {
  createPathRegister,
  type FoundPack,
  finishFiles,
  isObject,
  mostIndexBytes,
  mostPackFiles,
  type PackFile,
  type PackRules,
  type PackSide,
  refusePack,
  splitOwn,
  toHash,
  toHost,
  toLine,
} from "./pack-parts.js";
import { quoteName } from "./problems.js";
import type { NestedArchive, OuterFile } from "./walk.js";

export const modrinthIndex = "modrinth.index.json";

interface Contents {
  kept: ReadonlyMap<string, Buffer>;
  outer: readonly OuterFile[];
  nested: readonly NestedArchive[];
}

export function readModrinthPack({ kept, outer, nested }: Contents, rules: PackRules): FoundPack {
  const index = parseIndex(kept.get(modrinthIndex), outer);
  if (index.formatVersion !== 1) refusePack("wrongFormatVersion", show(index.formatVersion));
  if (index.game !== "minecraft") refusePack("wrongGame", show(index.game));
  if (!Array.isArray(index.files)) refusePack("wrongField", "files");
  if (index.files.length > mostPackFiles) refusePack("tooManyFiles", mostPackFiles);
  const register = createPathRegister();
  const listed = index.files.map((file, at) => toFile(file, at, rules, register));
  const { files, own } = splitOwn(listOverrides(outer), nested);
  if (listed.length + files.length + own.files === 0) refusePack("empty");
  const needs = isObject(index.dependencies) ? index.dependencies : {};
  return {
    format: "modrinth",
    name: toLine(index.name),
    version: toLine(index.versionId),
    summary: toLine(index.summary),
    gameVersion: toLine(needs.minecraft),
    loaders: Object.keys(needs).flatMap((id) => (Object.hasOwn(platformIds, id) ? (platformIds[id] ?? []) : [])),
    files: finishFiles([...listed, ...files]),
    own,
  };
}

function parseIndex(bytes: Buffer | undefined, outer: readonly OuterFile[]): Record<string, unknown> {
  if (!bytes) {
    if (!outer.some(({ path }) => path === modrinthIndex)) refusePack("indexMissing", modrinthIndex);
    refusePack("indexTooLarge", modrinthIndex, mostIndexBytes / 1024);
  }
  let index: unknown;
  try {
    index = JSON.parse(bytes.toString("utf8").replace(/^\ufeff/, ""));
  } catch {
    refusePack("notJson", modrinthIndex);
  }
  if (!isObject(index)) refusePack("notJson", modrinthIndex);
  return index;
}

/** A value of the index for people. */
const show = (value: unknown): string =>
  quoteName(value === undefined ? "" : String(JSON.stringify(value)).slice(0, 40));

function toFile(file: unknown, at: number, rules: PackRules, register: (path: string) => void): PackFile {
  if (!isObject(file)) refusePack("wrongField", `files[${at}]`);
  const { path, hashes, env, downloads, fileSize } = file;
  if (typeof path !== "string") refusePack("wrongField", `files[${at}].path`);
  register(path);
  const given = isObject(hashes) ? hashes : {};
  const [sha1, sha512] = [toHash(path, "sha1", given.sha1), toHash(path, "sha512", given.sha512)];
  if (!Number.isSafeInteger(fileSize) || (fileSize as number) < 0) refusePack("sizeMalformed", quoteName(path));
  const sides = isObject(env) ? env : {};
  return {
    ...{ path, sha1, sha512, size: fileSize as number },
    ...{ client: toSide(path, sides.client), server: toSide(path, sides.server) },
    host: toHost(path, downloads, rules),
    isInside: false,
  };
}

/** A file without an environment is for both sides. */
function toSide(path: string, value: unknown): PackSide {
  if (value === undefined || value === null) return "required";
  if (value === "required" || value === "optional" || value === "unsupported") return value;
  return refusePack("sideMalformed", quoteName(path));
}

const overrides = [
  { folder: "overrides/", client: "required", server: "required" },
  { folder: "client-overrides/", client: "required", server: "unsupported" },
  { folder: "server-overrides/", client: "unsupported", server: "required" },
] as const;

const listOverrides = (outer: readonly OuterFile[]) =>
  outer.flatMap(({ path: at, size }) => {
    const rule = overrides.find(({ folder }) => at.startsWith(folder));
    if (!rule) return [];
    const { folder, client, server } = rule;
    return [{ at, path: at.slice(folder.length), size, client, server }];
  });
