// The time of the last backup made with `modshelf backup`.

import type { Clock } from "#lib/clock.js";
import { fromJson, toJson } from "#lib/json.js";
import { type Condition, ok, warning } from "#operations/checks/check.js";
import { type Actor, type Writing, write } from "#platform/changes/write.js";
import type { Db } from "#platform/db/tables.js";
import { say } from "#words/said.js";

const name = "backup.last";
const hour = 60 * 60 * 1000;
const longestHours = 48;

export async function noteBackup(to: Writing, actor: Actor, detail: Record<string, unknown>): Promise<void> {
  await write(to, actor, async (tx) => {
    const row = { name, value: toJson<unknown>(detail), date_updated: tx.now, updated_by: null };
    await tx.db
      .insertInto("settings")
      .values(row)
      .onConflict((conflict) => conflict.column("name").doUpdateSet(row))
      .execute();
    tx.audit("backup.make", { kind: "instance", id: "instance" }, detail);
  });
}

export async function checkLastBackup({ db, clock }: { db: Db; clock: Clock }): Promise<Condition> {
  const row = await db
    .selectFrom("settings")
    .select(["date_updated", "value"])
    .where("name", "=", name)
    .executeTakeFirst();
  const todo = say.checkup.backUpDaily;
  if (!row) return warning(say.checkup.neverBackedUp, todo);
  const { folder } = fromJson(row.value) as { folder: string };
  const hours = Math.floor((clock.now() - row.date_updated) / hour);
  const message = say.checkup.lastBackup(hours, folder);
  return hours >= longestHours ? warning(message, todo) : ok(message);
}
