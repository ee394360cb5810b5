// Changes of a folder, all or nothing. A change is a list of moves between the folder and .shelf, where new files wait and
// replaced ones stay. It is written down before its first move; after a crash the next command completes it.
import { linkSync, renameSync, unlinkSync } from "node:fs";
import { readdir, readFile, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { exitCodes, Failure } from "#shelf/failures.js";
import { find, isMissing, makeFolder, makeFolders, syncFolder, writeWhole } from "./files.js";

/** "take" moves a file from the folder into .shelf, "put" in the other direction. */
export interface Step {
  kind: "take" | "put";
  /** Its path in the folder, with "/" on every system. */
  name: string;
  /** The path below .shelf. No other program uses it, so its existence tells whether the step is done. */
  at: string;
  sha512: string;
}

export interface Change {
  /** Changes are ordered by their numbers: the clock may be wrong. */
  number: number;
  date: string;
  command: string;
  steps: Step[];
  /** The number of the change that this one takes back. */
  undoes?: number;
}

/** The places in a folder. */
export const placesIn = (folder: string) => {
  const own = join(folder, ".shelf");
  const below = (name: string) => join(own, name);
  return {
    folder,
    own,
    journal: below("journal.json"),
    changes: below("changes"),
    new: below("new"),
    lock: below("lock"),
  };
};
export type Places = ReturnType<typeof placesIn>;

export const trashFor = (date: string, number: number): string => `trash/${date.slice(0, 10)}.${number}`;

/** Carries a change out. If it fails, the folder is as before. */
export async function carryOut(places: Places, change: Change): Promise<void> {
  const { own, journal, changes } = places;
  const used = placesOf(change);
  for (const place of [changes, join(own, "trash")]) await makeFolder(place);
  for (const place of used) await makeFolders(own, place);
  // The folder is shared through version control, but not its past on this computer.
  if (!find(join(own, ".gitignore"))) await writeFile(join(own, ".gitignore"), "*\n");
  for (const place of [...used, "trash", "."]) await syncFolder(join(own, place));
  await writeWhole(journal, `${JSON.stringify(change, null, 2)}\n`);
  await syncFolder(own);
  const error = await complete(places, change);
  if (error) throw error;
}

/** Completes the change that a crash interrupted, or takes it back where that is not possible. */
export async function recover(places: Places): Promise<{ change: Change; isComplete: boolean } | undefined> {
  const change = await readChange(places.journal);
  return change && { change, isComplete: (await complete(places, change)) === undefined };
}

/** The folders below .shelf that the steps use. */
const placesOf = ({ steps }: Change): string[] => [...new Set(steps.map(({ at }) => dirname(at)))];
/** The folders that files of this kind leave or enter. */
const foldersOf = ({ steps }: Change, ...kinds: Step["kind"][]): string[] => [
  ...new Set(steps.filter(({ kind }) => kinds.includes(kind)).map(({ name }) => dirname(name))),
];

/** Returns the reason if the change had to be taken back. */
async function complete(places: Places, change: Change): Promise<unknown> {
  const { folder, own, journal, changes } = places;
  const { number, steps, undoes } = change;
  try {
    for (const step of steps) await move(places, step);
    for (const place of foldersOf(change, "take", "put")) await syncFolder(join(folder, place));
    for (const place of placesOf(change)) await syncFolder(join(own, place));
    if (undoes === undefined) await rename(journal, join(changes, `${number}.json`));
    else await rm(join(changes, `${undoes}.json`), { force: true });
  } catch (error) {
    for (const { kind, ...step } of steps.toReversed())
      await move(places, { ...step, kind: kind === "take" ? "put" : "take" }, true);
    await syncFolder(folder);
    await rm(journal);
    await tidyUp(places, change, foldersOf(change, "put"));
    return error;
  }
  await syncFolder(changes);
  if (undoes !== undefined) await rm(journal);
  await syncFolder(own);
  await tidyUp(places, change, foldersOf(change, "take"));
  return undefined;
}

/** Removes new files that were not used, and folders that are empty now. Of the trash, the next change does it otherwise. */
async function tidyUp(places: Places, change: Change, left: readonly string[]): Promise<void> {
  await rm(places.new, { recursive: true, force: true }).catch(() => undefined);
  await removeEmpty(join(places.own, "trash"), [
    ...(await list(join(places.own, "trash"))),
    ...placesOf(change).flatMap((place) => (place.startsWith("trash/") ? [place.slice("trash/".length)] : [])),
  ]);
  await removeEmpty(places.folder, left);
}

/** Removes these folders below `base`, and those around them, as far as they are empty. */
async function removeEmpty(base: string, paths: readonly string[]): Promise<void> {
  const all = new Set<string>();
  for (const path of paths) for (let at = path; at !== "." && !all.has(at); at = dirname(at)) all.add(at);
  for (const path of [...all].sort((a, b) => b.length - a.length)) await rmdir(join(base, path)).catch(() => undefined);
}

/**
 * One step. After a crash in the middle of it or later, it does the rest or nothing. Steps are done one after the other, so
 * they do not wait for other threads.
 */
async function move({ folder, own }: Places, { kind, name, at }: Step, isBack = false): Promise<void> {
  const [open, hidden] = [join(folder, name), join(own, at)];
  // A link on the way could lead anywhere.
  await makeFolders(folder, dirname(name), kind === "put");
  const [from, to] = kind === "take" ? [open, hidden] : [hidden, open];
  const [source, target] = [find(from), find(to)];
  // A put ended between its two calls; this completes it or takes it back.
  if (source && target && source.ino === target.ino && source.dev === target.dev) return unlinkSync(from);
  if (kind === "take") {
    // No other program has its files there, so nothing is replaced.
    if (source && !target) renameSync(from, to);
    return;
  }
  if (!source && (target || isBack)) return;
  if (!source) throw new Failure(`${from} is gone.`, { exitCode: exitCodes.conflict, code: "fileGone" });
  if (target) throw inTheWay(to);
  try {
    // A rename would replace a file that another program has just put there.
    linkSync(from, to);
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === "EEXIST") throw inTheWay(to);
    if (code === "ENOSPC" || code === "EACCES" || code === "EROFS") throw error;
    // Some file systems have no links.
    return renameSync(from, to);
  }
  unlinkSync(from);
}

export const inTheWay = (path: string): Failure =>
  new Failure(`${path} is in the way, and it is not a file that shelf put there.`, {
    advice: "Move it away, and try again.",
    exitCode: exitCodes.conflict,
    code: "fileExists",
  });

async function list(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** The changes that can be taken back, the last one first. */
export async function listChanges({ changes }: Places): Promise<Change[]> {
  const all = await Promise.all(
    (await list(changes)).filter((name) => /^\d+\.json$/.test(name)).map((name) => readChange(join(changes, name))),
  );
  return all.filter((change) => change !== undefined).sort((a, b) => b.number - a.number);
}

/** Larger than every number that the folder remembers. */
export async function nextNumber({ own, changes }: Places): Promise<number> {
  const names = [...(await list(changes)), ...(await list(join(own, "trash")))];
  return 1 + Math.max(0, ...names.map((name) => Number(/(\d+)(?:\.json)?$/.exec(name)?.[1] ?? 0)));
}

/** Files that the user has named may have names that no registry may choose, but not those of other places. */
const isInside = (path: string): boolean =>
  path.split("/").every((part) => part !== "" && part === basename(part) && !/^\.{1,2}$/.test(part));

async function readChange(path: string): Promise<Change | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  try {
    const change = JSON.parse(text) as Change;
    for (const { kind, name, at } of change.steps) {
      // The folder may come from someone else: no step may leave it.
      const isOurs = /^(?:new|trash)\//.test(at) && !/^\.shelf(?:\/|$)/i.test(name);
      if (!isOurs || ![name, at].every(isInside) || !["take", "put"].includes(kind)) throw new Error("unsafe");
    }
    if (!Number.isSafeInteger(change.number)) throw new Error("no number");
    return change;
  } catch {
    throw new Failure(`${path} is damaged.`, {
      advice: "Delete it. Files in .shelf/trash stay.",
      code: "damagedChange",
    });
  }
}
