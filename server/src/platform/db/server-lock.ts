// One server per SQLite data folder. The lock is an open transaction on a small separate database: the operating system
// releases it whenever the process dies, so there is never a stale lock to delete by hand.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

export class DataFolderInUse extends Error {}

/** Waits this long for a server that is stopping, as at a restart. */
const waitMs = 2000;
const lockName = "server.lock";
const holderName = "server.pid";
const sqliteBusy = 5;

/** A lock that is held until the returned function is called or the process ends; undefined if another holds it. */
export function tryLock(file: string): (() => void) | undefined {
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    lock.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
    return () => lock.close();
  } catch (error) {
    lock.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}

export function lockDataFolder(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const holderFile = join(dataDir, holderName);
  const lock = new DatabaseSync(join(dataDir, lockName), { timeout: waitMs });
  try {
    lock.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw error;
    throw new DataFolderInUse(
      `Another Modshelf server${holder(holderFile)} already uses the data folder ${dataDir}. ` +
        "Stop it first, or give this one its own MODSHELF_DATA_DIR. " +
        "For several servers on the same data, use PostgreSQL (MODSHELF_DATABASE_URL).",
    );
  }
  writeFileSync(holderFile, `${process.pid}\n`);
  return () => lock.close();
}

/** Describes the server that holds the lock; undefined if none does. This check never blocks a server that starts. */
export function findServer(dataDir: string): string | undefined {
  const file = join(dataDir, lockName);
  if (!existsSync(file)) return undefined;
  const lock = new DatabaseSync(file, { readOnly: true, timeout: 0 });
  try {
    lock.prepare("SELECT name FROM sqlite_schema").all();
    return undefined;
  } catch (error) {
    if (!isBusy(error)) throw error;
    return `A server is running${holder(join(dataDir, holderName))}`;
  } finally {
    lock.close();
  }
}

const isBusy = (error: unknown): boolean => (error as { errcode?: number }).errcode === sqliteBusy;

function holder(file: string): string {
  try {
    return ` (process ${readFileSync(file, "utf8").trim()})`;
  } catch {
    // The other server holds the lock but has not written its process id yet.
    return "";
  }
}
