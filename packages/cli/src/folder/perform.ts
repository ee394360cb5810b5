// Carries a plan out: downloads the new files beside the folder, checks that it is still as it was, and changes it at once.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { VersionFile } from "modshelf-client";
import { saveFile } from "modshelf-client/node";
import type { Context } from "#shelf/command.js";
import { exitCodes, Failure } from "#shelf/failures.js";
import { countOf, toSize } from "#shelf/figures.js";
import { atOnce, inParallel } from "#shelf/parallel.js";
import { Progress } from "#shelf/progress.js";
import { type Change, carryOut, inTheWay, nextNumber, type Step, trashFor } from "./changes.js";
import { disabledEnding, type FoundFile, find, findStamp, hashFile } from "./files.js";
import { checkLock, checkName, formatLock, type Lock, lockName } from "./lock-file.js";
import type { OpenFolder } from "./open-folder.js";

/** A file that comes into the folder. */
export interface NewFile {
  file: VersionFile;
  isDisabled: boolean;
}

export interface Work {
  /** As the user wrote it, for messages about it later. */
  command: string;
  takes: readonly FoundFile[];
  puts: readonly NewFile[];
  /** The new lock file; undefined where there is to be none. */
  lock: Lock | undefined;
}

const nameOf = ({ file, isDisabled }: NewFile): string => file.name + (isDisabled ? disabledEnding : "");

export async function perform(
  { terminal, signal }: Pick<Context, "terminal" | "signal">,
  folder: OpenFolder,
  { command, takes, puts, lock }: Work,
): Promise<void> {
  const { places } = folder;
  await checkNames(folder, takes, puts);
  const lockText = lock ? formatLock(checkLock(lock)) : folder.lockText;
  const isLockNew = lockText !== undefined && lockText !== folder.lockText;
  if (takes.length + puts.length === 0 && !isLockNew) return;

  await mkdir(places.new, { recursive: true });
  const sizes = puts.map(({ file }) => file.size);
  const all = sizes.reduce((sum, size) => sum + size, 0);
  if (puts.length > 0) terminal.note(`Downloading ${countOf(puts.length, "file")}, ${toSize(all)}`);
  const progress = new Progress(terminal, sizes);
  await inParallel(puts, atOnce, async (put) => {
    const onProgress = progress.follow();
    await saveFile(folder.registry, put.file, places.new, {
      ...{ name: nameOf(put), replace: true, resume: true, onProgress, signal },
    });
    progress.count();
  });
  const number = await nextNumber(places);
  const date = new Date().toISOString();
  const trash = trashFor(date, number);
  const steps: Step[] = [
    ...takes.map(({ name, sha512 }): Step => ({ kind: "take", name, at: `${trash}/${name}`, sha512 })),
    ...puts.map((put): Step => {
      const name = nameOf(put);
      return { kind: "put", name, at: `new/${name}`, sha512: put.file.sha512_hash.toLowerCase() };
    }),
  ];
  if (isLockNew) {
    const place = join(places.new, lockName);
    await writeFile(place, lockText, { flush: true });
    if (folder.lockText !== undefined) {
      const { sha512 } = await hashFile(join(places.folder, lockName));
      steps.push({ kind: "take", name: lockName, at: `${trash}/${lockName}`, sha512 });
    }
    steps.push({ kind: "put", name: lockName, at: `new/${lockName}`, sha512: (await hashFile(place)).sha512 });
  }
  signal.throwIfAborted();
  // Downloads take a while, in which other programs may have worked in the folder.
  for (const { name, stamp } of takes)
    if ((await findStamp(join(places.folder, name))) !== stamp)
      throw new Failure(`${join(places.folder, name)} was changed by another program.`, {
        advice: "Try again.",
        exitCode: exitCodes.conflict,
        code: "fileChanged",
      });
  await checkNames(folder, takes, puts);
  await carryOut(places, { number, date, command, steps } satisfies Change);
}

/** New files must not meet in one name, nor with a file that stays: also on systems where A and a are the same. */
async function checkNames(
  { places }: OpenFolder,
  takes: readonly FoundFile[],
  puts: readonly NewFile[],
): Promise<void> {
  const taken = new Set(takes.map(({ name }) => name));
  const names = new Set<string>();
  for (const put of puts) {
    checkName(put.file.name);
    const name = nameOf(put);
    if (names.has(name.toLowerCase()))
      throw new Failure(`The registry has two files for this folder with the name ${name}.`, {
        advice: "Install one of them in another folder, or ask its author to rename it.",
        exitCode: exitCodes.conflict,
        code: "sameName",
      });
    names.add(name.toLowerCase());
    const path = join(places.folder, name);
    if (!taken.has(name) && (await find(path))) throw inTheWay(path);
  }
}
