// What changes in an instance when its pack does. Files that the user has changed, disabled or removed stay so, and files
// that the pack did not bring are left alone.
import { join } from "node:path";
import { inTheWay } from "#shelf/folder/changes.js";
import type { FoundFile } from "#shelf/folder/files.js";
import type { Row } from "#shelf/folder/plan.js";
import type { LockedFile } from "./locked-pack.js";
import { type PackFile, toId } from "./pack.js";

export interface PackPlan {
  rows: Row[];
  takes: FoundFile[];
  puts: { file: PackFile; isDisabled: boolean }[];
  /** The files of the next lock, with the hashes of the files that arrived. */
  toLocked(arrived: ReadonlyMap<string, string>): LockedFile[];
}

interface Input {
  folder: string;
  /** The slug or name of the pack, for the rows. */
  pack: string;
  before: readonly LockedFile[];
  wanted: readonly PackFile[];
  found: readonly FoundFile[];
  /** Brings removed files back. */
  isRestored: boolean;
}

export function planPack({ folder, pack, before, wanted, found, isRestored }: Input): PackPlan {
  const [rows, takes, puts]: [Row[], FoundFile[], PackPlan["puts"]] = [[], [], []];
  const add = (change: Row["change"], path: string, size: number | undefined, why: string | null) =>
    rows.push({ change, project: pack, path, from: null, to: null, channel: null, size: size ?? null, why });
  const at = groupByName(found);
  const old = new Map(before.map((one) => [one.path, one]));
  const pairs = findPairs(before, wanted);
  const left = new Map(old);
  const hashesBefore = new Map<PackFile, string>();

  const put = (file: PackFile, here: readonly FoundFile[], replaced: readonly FoundFile[]) => {
    if (here.some(({ sha512 }) => sha512 === file.hashes.sha512)) return;
    if (here.length > 0 && !replaced.includes(here[0]!)) {
      // Settings are often there before the pack is; two files for one mod are not what the user wants.
      if (!file.read) throw inTheWay(join(folder, here[0]!.name));
      add("keep", file.path, undefined, "kept: you have a file of your own there");
      return;
    }
    takes.push(...replaced);
    const isOff = replaced.length > 0 ? replaced.every(({ isDisabled }) => isDisabled) : file.isOff === true;
    puts.push({ file, isDisabled: isOff });
    const from = replaced.find(({ plainName }) => plainName !== file.path)?.plainName;
    const why = from ? `replaces ${from.split("/").at(-1)}` : null;
    add(replaced.length > 0 ? "update" : "add", file.path, file.size, why);
  };

  for (const file of wanted) {
    const before = old.get(file.path) ?? pairs.get(file);
    const here = at.get(file.path) ?? [];
    if (!before) {
      put(file, here, []);
      continue;
    }
    left.delete(before.path);
    hashesBefore.set(file, before.sha512);
    const there = before.path === file.path ? here : (at.get(before.path) ?? []);
    const isNew = before.path !== file.path || before.sha512 !== file.hashes.sha512;
    if (there.length === 0) {
      if (isRestored) put(file, here, []);
      else if (isNew) add("keep", file.path, undefined, "left out: you removed it");
    } else if (there.some(({ sha512 }) => sha512 !== before.sha512)) {
      const isArrived = there.some(({ sha512 }) => sha512 === file.hashes.sha512);
      if (isNew && !isArrived) add("keep", file.path, undefined, "kept: you changed it");
    } else if (isNew && !file.isPreserved)
      put(
        file,
        here.filter((one) => !there.includes(one)),
        there,
      );
  }
  for (const { path, sha512 } of left.values()) {
    const there = at.get(path) ?? [];
    if (there.length === 0) continue;
    if (there.every((one) => one.sha512 === sha512)) {
      takes.push(...there);
      add("remove", path, undefined, null);
    } else add("keep", path, undefined, "kept: you changed it");
  }
  rows.sort((a, b) => (a.path! < b.path! ? -1 : 1));
  const toLocked: PackPlan["toLocked"] = (arrived) =>
    wanted.map((file) => ({
      ...{ path: file.path, id: file.id, source: file.read ? "override" : "download" },
      // Where the pack has another kind of hash and the user keeps the file away, the old one is as good.
      sha512: file.hashes.sha512 ?? arrived.get(file.path) ?? hashesBefore.get(file) ?? "",
    }));
  return { rows, takes, puts, toLocked };
}

/** Map.groupBy needs a newer Node.js. */
function groupByName(found: readonly FoundFile[]): Map<string, FoundFile[]> {
  const groups = new Map<string, FoundFile[]>();
  for (const file of found) groups.set(file.plainName, [...(groups.get(file.plainName) ?? []), file]);
  return groups;
}

/** Files that come in place of others, whose names have another version in them. */
function findPairs(before: readonly LockedFile[], wanted: readonly PackFile[]): Map<PackFile, LockedFile> {
  const paths = new Set(wanted.map(({ path }) => path));
  const leaving = new Set(before.filter(({ path }) => !paths.has(path)));
  const known = new Set(before.map(({ path }) => path));
  const coming = new Set(wanted.filter(({ path }) => !known.has(path)));
  const pairs = new Map<PackFile, LockedFile>();
  const nameOf = ({ path }: { path: string }) => toId(path, []);
  const idOf = ({ id }: { id: string }) => id;
  for (const keyOf of [(one: LockedFile | PackFile) => `${idOf(one)} ${nameOf(one)}`, idOf, nameOf]) {
    const byKey = new Map<string, LockedFile>();
    for (const one of leaving) if (keyOf(one) !== one.path) byKey.set(keyOf(one), one);
    for (const file of coming) {
      const one = byKey.get(keyOf(file));
      if (!one) continue;
      pairs.set(file, one);
      byKey.delete(keyOf(file));
      coming.delete(file);
      leaving.delete(one);
    }
  }
  return pairs;
}
