// One server per SQLite data folder. The lock is a transaction held open on a small database of its own: the operating
// system drops it when the process dies, however it dies, so there is never a stale lock to delete by hand.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

export class DataFolderInUse extends Error {}

/** Waits this long for a server that is just stopping, as at a restart. */
const waitMs = 2000;

export function lockDataFolder(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const holderFile = join(dataDir, "server.pid");
  const lock = new DatabaseSync(join(dataDir, "server.lock"), { timeout: waitMs });
  try {
    lock.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    if ((error as { errcode?: number }).errcode !== 5) throw error;
    throw new DataFolderInUse(
      `Another Modshelf server${holder(holderFile)} already uses the data folder ${dataDir}. ` +
        "Stop it first, or give this one its own MODSHELF_DATA_DIR. " +
        "For several servers on the same data, use PostgreSQL (MODSHELF_DATABASE_URL).",
    );
  }
  writeFileSync(holderFile, `${process.pid}\n`);
  return () => lock.close();
}

function holder(file: string): string {
  try {
    return ` (process ${readFileSync(file, "utf8").trim()})`;
  } catch {
    // The other server has the lock but has not written its number yet.
    return "";
  }
}
