// The progress or the result of the last backup that the site itself has started.

import { fromJson } from "#lib/json.js";
import type { Tx } from "#platform/changes/write.js";
import type { Db } from "#platform/db/tables.js";
import { storeValue } from "#platform/settings/store.js";

const name = "backup.run";

export interface BackupRun {
  dateStarted: number;
  /** Null while it waits or runs. */
  dateFinished: number | null;
  /** The copied files, once their number is known. */
  done: number;
  total: number | null;
  /** The reason, if it failed. */
  error: string | null;
}

export async function findBackupRun(db: Db): Promise<BackupRun | undefined> {
  const row = await db.selectFrom("settings").select("value").where("name", "=", name).executeTakeFirst();
  return row && (fromJson(row.value) as BackupRun);
}

/** Whether a backup waits or runs. */
export const isBackingUp = async (db: Db): Promise<boolean> =>
  (await db.selectFrom("jobs").select("id").where("kind", "=", "make-backup").executeTakeFirst()) !== undefined;

export async function keepRun(tx: Tx, run: BackupRun): Promise<void> {
  await storeValue(tx, name, run);
}
