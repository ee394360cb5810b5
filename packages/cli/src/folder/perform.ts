// Carries a plan out: downloads the new files beside the folder, checks that it is still as it was, and changes it at once.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { TransferOptions } from "modshelf-client";
import type { Context } from "#shelf/command.js";
import { exitCodes, Failure } from "#shelf/failures.js";
import { countOf, toSize } from "#shelf/figures.js";
import { atOnce, inParallel } from "#shelf/parallel.js";
import { Progress } from "#shelf/progress.js";
import { type Change, carryOut, inTheWay, nextNumber, type Step, trashFor } from "./changes.js";
import { disabledEnding, type FoundFile, find, findStamp, hashFile, makeFolders } from "./files.js";
import { checkLock, formatLock, type Lock, lockName } from "./lock-file.js";
import type { OpenFolder } from "./open-folder.js";

/** A file that comes into the folder. */
export interface NewFile {
  /** Its path in the folder, without the ending of disabled files. */
  name: string;
  /** Bytes, as far as they are known before. */
  size: number;
  isDisabled: boolean;
  /** It is on this computer already. */
  isLocal?: boolean;
  /** Puts the verified file at this path, and returns its SHA-512 hash. */
  bring(path: string, options: TransferOptions): Promise<string>;
}

export interface Work {
  /** As the user wrote it, for messages about it later. */
  command: string;
  takes: readonly FoundFile[];
  puts: readonly NewFile[];
  /** The new lock file, with the hashes of the new files by their names. Without the function, it stays. */
  lock: ((arrived: ReadonlyMap<string, string>) => Lock | undefined) | undefined;
}

const nameOf = ({ name, isDisabled }: NewFile): string => name + (isDisabled ? disabledEnding : "");

export async function perform(
  { terminal, signal }: Pick<Context, "terminal" | "signal">,
  folder: OpenFolder,
  { command, takes, puts, lock }: Work,
): Promise<void> {
  const { places } = folder;
  checkNames(folder, takes, puts);
  const arrived = new Map<string, string>();
  const toLockText = () => {
    if (!lock) return folder.lockText;
    const next = lock(arrived);
    return next && formatLock(checkLock(next));
  };
  if (takes.length + puts.length === 0 && toLockText() === folder.lockText) return;

  await mkdir(places.new, { recursive: true });
  const sizes = puts.map(({ size }) => size);
  const far = puts.filter(({ isLocal }) => !isLocal);
  const all = far.reduce((sum, { size }) => sum + size, 0);
  // A packwiz folder does not name the sizes of its files.
  const size = all > 0 ? `, ${toSize(all)}` : "";
  if (far.length > 0) terminal.note(`Downloading ${countOf(far.length, "file")}${size}`);
  const progress = new Progress(terminal, sizes);
  for (const place of new Set(puts.map((put) => dirname(`new/${nameOf(put)}`)))) await makeFolders(places.own, place);
  await inParallel(puts, atOnce, async (put, leave) => {
    const follow = progress.follow();
    const onProgress: TransferOptions["onProgress"] = (transferred) => {
      follow(transferred);
      if (transferred.bytes === put.size) leave();
    };
    arrived.set(put.name, await put.bring(join(places.new, nameOf(put)), { onProgress, signal }));
    progress.count();
  });
  const lockText = toLockText();
  const number = await nextNumber(places);
  const date = new Date().toISOString();
  const trash = trashFor(date, number);
  const steps: Step[] = [
    ...takes.map(({ name, sha512 }): Step => ({ kind: "take", name, at: `${trash}/${name}`, sha512 })),
    ...puts.map((put): Step => {
      const name = nameOf(put);
      return { kind: "put", name, at: `new/${name}`, sha512: arrived.get(put.name)! };
    }),
  ];
  if (lockText !== folder.lockText && folder.lockText !== undefined) {
    const { sha512 } = await hashFile(join(places.folder, lockName));
    steps.push({ kind: "take", name: lockName, at: `${trash}/${lockName}`, sha512 });
  }
  if (lockText !== folder.lockText && lockText !== undefined) {
    const place = join(places.new, lockName);
    await writeFile(place, lockText, { flush: true });
    steps.push({ kind: "put", name: lockName, at: `new/${lockName}`, sha512: (await hashFile(place)).sha512 });
  }
  signal.throwIfAborted();
  // Downloads take a while, in which other programs may have worked in the folder.
  for (const { name, stamp } of takes)
    if (findStamp(join(places.folder, name)) !== stamp)
      throw new Failure(`${join(places.folder, name)} was changed by another program.`, {
        advice: "Try again.",
        exitCode: exitCodes.conflict,
        code: "fileChanged",
      });
  checkNames(folder, takes, puts);
  await carryOut(places, { number, date, command, steps } satisfies Change);
}

/** New files must not meet in one name, nor with a file that stays: also on systems where A and a are the same. */
function checkNames({ places }: OpenFolder, takes: readonly FoundFile[], puts: readonly NewFile[]): void {
  const taken = new Set(takes.map(({ name }) => name));
  const names = new Set<string>();
  for (const put of puts) {
    const name = nameOf(put);
    if (names.has(name.toLowerCase()))
      throw new Failure(`There are two files for this folder with the name ${name}.`, {
        advice: "Install one of them in another folder, or ask its author to rename it.",
        exitCode: exitCodes.conflict,
        code: "sameName",
      });
    names.add(name.toLowerCase());
    const path = join(places.folder, name);
    if (!taken.has(name) && find(path)) throw inTheWay(path);
  }
}
