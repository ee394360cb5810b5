// The part of shelf.lock about a pack: its version, its side, and every file that it brought, as it was then.
import { isText, type Side, sides } from "./pack.js";
import { checkPath, checkPaths } from "./paths.js";

export interface LockedFile {
  path: string;
  sha512: string;
  /** Whether the pack contains it, or only its address. */
  source: "download" | "override";
  /** The same in the next version of the pack. */
  id: string;
}

/** All optional files, none, or those with these names. */
export type OptionalChoice = "all" | "none" | string[];

export interface LockedPack {
  /** Ids of the project and the version, and the slug; undefined for a pack that came from a file. */
  project?: string | undefined;
  slug?: string | undefined;
  version?: string | undefined;
  name: string;
  number: string;
  format: string;
  /** Of the pack itself. */
  sha512: string;
  side: Side;
  /** Undefined where the pack's own choice is taken. */
  optional?: OptionalChoice | undefined;
  requires: Record<string, string>;
  /** Also those that the user has removed since: they stay removed. */
  files: LockedFile[];
}

const isHash = (value: unknown): value is string => /^[0-9a-f]{128}$/.test(String(value));

/** The lock file may come from someone else: no path in it may leave the folder. */
export function toLockedPack(document: unknown): LockedPack {
  const { project, slug, version, name, number, format, sha512, side, optional, requires, files } = document as Record<
    string,
    unknown
  >;
  const isOptional = optional === undefined || optional === "all" || optional === "none";
  const listed = Array.isArray(optional) && optional.every(isText);
  const needs = Object.entries(requires ?? {});
  if (
    ![name, number, format].every(isText) ||
    ![project, slug, version].every((text) => text === undefined || isText(text)) ||
    !isHash(sha512) ||
    !sides.includes(side as Side) ||
    !(isOptional || listed) ||
    !needs.every((pair) => pair.every(isText)) ||
    !Array.isArray(files)
  )
    throw new Error("its pack lacks something");
  const known = files.map((one): LockedFile => {
    const file = one as LockedFile;
    if (!isText(file.id) || !isHash(file.sha512) || !["download", "override"].includes(file.source))
      throw new Error("a file of its pack lacks something");
    return { path: checkPath(String(file.path)), sha512: file.sha512, source: file.source, id: file.id };
  });
  checkPaths(known.map(({ path }) => path));
  return {
    ...({ project, slug, version, name, number, format, sha512, side, optional } as LockedPack),
    ...{ requires: Object.fromEntries(needs) as Record<string, string>, files: known },
  };
}

/** Keys and files have a fixed order. */
export const formatLockedPack = ({ files, requires, ...pack }: LockedPack) => {
  const { project, slug, version, name, number, format, sha512, side, optional } = pack;
  return {
    ...{ project, slug, version, name, number, format, sha512, side, optional },
    requires: Object.fromEntries(Object.entries(requires).sort(([a], [b]) => (a < b ? -1 : 1))),
    files: files
      .map(({ path, sha512, source, id }) => ({ path, sha512, source, id }))
      .sort((a, b) => (a.path < b.path ? -1 : 1)),
  };
};
