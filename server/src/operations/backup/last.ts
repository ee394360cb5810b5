// The time of the last backup, and whether the last attempt has failed.

import type { Clock } from "#lib/clock.js";
import { fromJson } from "#lib/json.js";
import { type Condition, ok, problem, warning } from "#operations/checks/check.js";
import { type Actor, type Writing, write } from "#platform/changes/write.js";
import type { Db } from "#platform/db/tables.js";
import { storeValue } from "#platform/settings/store.js";
import { say } from "#words/said.js";
import { findBackupRun } from "./run-record.js";

const name = "backup.last";
const hour = 60 * 60 * 1000;
const longestHours = 48;

export async function noteBackup(to: Writing, actor: Actor, detail: Record<string, unknown>): Promise<void> {
  await write(to, actor, async (tx) => {
    await storeValue(tx, name, detail);
    tx.audit("backup.make", { kind: "instance", id: "instance" }, detail);
  });
}

export async function findLastBackup(db: Db): Promise<{ date: number; folder: string } | undefined> {
  const row = await db
    .selectFrom("settings")
    .select(["date_updated", "value"])
    .where("name", "=", name)
    .executeTakeFirst();
  return row && { date: row.date_updated, folder: (fromJson(row.value) as { folder: string }).folder };
}

export async function checkLastBackup({ db, clock }: { db: Db; clock: Clock }): Promise<Condition> {
  const last = await findLastBackup(db);
  const run = await findBackupRun(db);
  if (run?.error && run.dateFinished! > (last?.date ?? 0))
    return problem(say.checkup.backupFailed(run.error), say.checkup.seeBackups);
  const todo = say.checkup.backUpDaily;
  if (!last) return warning(say.checkup.neverBackedUp, todo);
  const hours = Math.floor((clock.now() - last.date) / hour);
  const message = say.checkup.lastBackup(hours, last.folder);
  return hours >= longestHours ? warning(message, todo) : ok(message);
}
