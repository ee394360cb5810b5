// Parses a path in the repository. Pure: it does not check whether the object exists.

export const checksumKinds = ["md5", "sha1", "sha256", "sha512"] as const;
export type ChecksumKind = (typeof checksumKinds)[number];

export interface Address {
  artifact: string;
  /** Absent for files in the artifact's own folder. */
  version: string | undefined;
  fileName: string;
  /** The request is for the file's checksum, not for the file. */
  checksum: ChecksumKind | undefined;
}

/** Undefined for everything outside of the group, and for folders: no caller can find anything there. */
export function parseAddress(path: string, group: string): Address | undefined {
  const folder = `${group.replaceAll(".", "/")}/`;
  if (!path.startsWith(folder)) return undefined;
  const [artifact = "", ...rest] = path.slice(folder.length).split("/");
  const last = rest.pop();
  const [version, ...deeper] = rest;
  if (last === undefined || deeper.length > 0 || [artifact, last, version].includes("")) return undefined;
  const checksum = checksumKinds.find((kind) => last.endsWith(`.${kind}`));
  return { artifact, version, fileName: checksum ? last.slice(0, -checksum.length - 1) : last, checksum };
}
