// Folders for the data of servers under test: in memory where that is possible, because creating and deleting their files
// takes the file system of a disk more CPU time, and because no test needs data that survives a power failure.
import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const memory = "/dev/shm";
const memoryNeeded = 4 * 1024 ** 3;
const prefix = "modshelf-test-";
let place: string | undefined;

/** A new folder; the caller removes it. */
export function dataFolder(): string {
  place ??= findPlace();
  return mkdtempSync(join(place, `${prefix}${process.pid}-`));
}

function findPlace(): string {
  if (!existsSync(memory)) return tmpdir();
  removeLeftFolders();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > memoryNeeded ? memory : tmpdir();
}

/** Removes the folders in memory of processes that have ended, or were killed, without removing them. */
export function removeLeftFolders(): void {
  for (const name of existsSync(memory) ? readdirSync(memory) : []) {
    const pid = name.startsWith(prefix) && Number.parseInt(name.slice(prefix.length), 10);
    if (pid && !isRunning(pid)) rmSync(join(memory, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
