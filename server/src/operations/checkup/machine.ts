// Checks of the machine: the data folder, the space on its disk, the limits of this account.
import { accessSync, constants, existsSync, readFileSync, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { Config } from "#config/config.js";
import { formatBytes } from "#lib/format-bytes.js";
import { type Check, type Finding, ok, problem, warning } from "./finding.js";

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

function checkFolder(dataDir: string): Finding | Finding[] {
  if (!existsSync(dataDir)) {
    const above = nearestFolder(dataDir);
    return isWritable(above)
      ? ok(`${dataDir} is not there yet; the first start makes it.`)
      : problem(
          `${dataDir} is not there, and this account may not make it.`,
          `Give this account the right to write in ${above}, or set MODSHELF_DATA_DIR.`,
        );
  }
  const found: Finding[] = [];
  const { mode, uid } = statSync(dataDir);
  if (!isWritable(dataDir))
    found.push(
      problem(`This account may not write in ${dataDir}.`, "Give the account that runs the server that right."),
    );
  // Windows has no such bits.
  if (process.platform !== "win32" && (mode & 0o007) !== 0)
    found.push(
      warning(
        `Every account of this machine can enter ${dataDir}, which holds password hashes and e-mail addresses.`,
        `Take that right away: chmod o-rwx ${dataDir}`,
      ),
    );
  if (process.getuid && process.getuid() !== uid && process.getuid() !== 0)
    found.push(
      warning(`${dataDir} belongs to another account than this one.`, "Run commands as the account of the server."),
    );
  return found.length > 0 ? found : ok(`${dataDir} is there, writable and private.`);
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

function checkRoom({ dataDir, storage, limits }: Config): Finding[] {
  const places = new Set([dataDir, ...(storage.kind === "disk" ? [storage.path] : [])].map(nearestFolder));
  return [...places].map((place) => {
    const { bavail, blocks, bsize } = statfsSync(place);
    return judgeRoom(place, bavail * bsize, blocks * bsize, limits.freeDiskBytes);
  });
}

export function judgeRoom(place: string, freeBytes: number, allBytes: number, brakeBytes: number): Finding {
  const message = `${formatBytes(freeBytes)} are free where ${place} lies.`;
  if (freeBytes < brakeBytes)
    return problem(message, "Free some space now: uploads are refused until there is more (MODSHELF_MIN_FREE_DISK).");
  if (freeBytes < tightBytes) return problem(message, "Free some space now: writes are about to fail.");
  return freeBytes < Math.max(comfortable.bytes, allBytes * comfortable.share)
    ? warning(message, "Free some space, or move the data to a larger disk.")
    : ok(message);
}

function checkOpenFiles(): Finding {
  const path = "/proc/self/limits";
  if (!existsSync(path)) return ok("The limit is not known on this system.");
  const limit = /^Max open files\s+(\d+)/m.exec(readFileSync(path, "utf8"))?.[1];
  if (limit === undefined || Number(limit) >= enoughOpenFiles) return ok(`The limit is ${limit ?? "none"}.`);
  return warning(
    `This account may open ${limit} files at once; every connection is one.`,
    `Raise the limit to ${enoughOpenFiles} or more (ulimit -n, or LimitNOFILE= in a systemd unit).`,
  );
}
