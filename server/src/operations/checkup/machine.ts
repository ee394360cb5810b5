// Checks of the machine: the data folder, the room on its disk, the limits of this account.

import { accessSync, constants, existsSync, readFileSync, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { Config } from "#config/config.js";
import { formatBytes } from "#lib/format-bytes.js";
import { type Check, type Condition, ok, problem, warning } from "#operations/checks/check.js";
import { say } from "#words/said.js";

const gibibyte = 2 ** 30;
/** The free space that a server should have before it refuses uploads. */
const comfortable = { bytes: 2 * gibibyte, share: 0.05 };
const tightBytes = gibibyte / 4;
/** Each connection is an open file; a lower limit is reached under load. */
const enoughOpenFiles = 4096;

export const machineChecks: readonly Check<Config>[] = [
  { name: "data folder", find: ({ dataDir }) => checkFolder(dataDir) },
  { name: "free disk", find: checkRoom },
  { name: "open files", find: checkOpenFiles },
];

function checkFolder(dataDir: string): Condition | Condition[] {
  if (!existsSync(dataDir)) {
    const above = nearestFolder(dataDir);
    return isWritable(above)
      ? ok(say.checkup.folderMadeLater(dataDir))
      : problem(say.checkup.folderMissing(dataDir), say.checkup.giveRight(above));
  }
  const found: Condition[] = [];
  const { mode, uid } = statSync(dataDir);
  if (!isWritable(dataDir)) found.push(problem(say.checkup.folderLocked(dataDir), say.checkup.giveServerRight));
  // Windows has no such bits.
  if (process.platform !== "win32" && (mode & 0o007) !== 0)
    found.push(warning(say.checkup.folderOpen(dataDir), say.checkup.takeRight(`chmod o-rwx ${dataDir}`)));
  if (process.getuid && process.getuid() !== uid && process.getuid() !== 0)
    found.push(warning(say.checkup.folderOfOther(dataDir), say.checkup.runAsServer));
  return found.length > 0 ? found : ok(say.checkup.folderFine(dataDir));
}

function isWritable(folder: string): boolean {
  try {
    // Also false on a disk that is mounted read-only, even for root.
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const nearestFolder = (path: string): string => (existsSync(path) ? path : nearestFolder(dirname(path)));

function checkRoom({ dataDir, storage, limits }: Config): Condition[] {
  const folders = [...(storage.kind === "disk" ? [storage.path] : []), dataDir].map(nearestFolder);
  // Folders on the same disk share its room: the data folder stands for both.
  const places = new Map(folders.map((folder) => [statSync(folder).dev, folder]));
  return [...places.values()].map((place) => {
    const { bavail, blocks, bsize } = statfsSync(place);
    return checkDiskSpace(place, bavail * bsize, blocks * bsize, limits.freeDiskBytes);
  });
}

export function checkDiskSpace(place: string, freeBytes: number, allBytes: number, brakeBytes: number): Condition {
  const message = say.checkup.room(formatBytes(freeBytes), place);
  if (freeBytes < brakeBytes) return problem(message, say.checkup.freeForUploads);
  if (freeBytes < tightBytes) return problem(message, say.checkup.freeNow);
  return freeBytes < Math.max(comfortable.bytes, allBytes * comfortable.share)
    ? warning(message, say.checkup.freeSome)
    : ok(message);
}

function checkOpenFiles(): Condition {
  const path = "/proc/self/limits";
  if (!existsSync(path)) return ok(say.checkup.limitUnknown);
  const limit = /^Max open files\s+(\d+)/m.exec(readFileSync(path, "utf8"))?.[1];
  if (limit === undefined) return ok(say.checkup.limitNone);
  if (Number(limit) >= enoughOpenFiles) return ok(say.checkup.limitIs(limit));
  return warning(say.checkup.fewOpenFiles(limit), say.checkup.raiseLimit(enoughOpenFiles));
}
