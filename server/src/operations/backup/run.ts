// A backup that an administrator or the schedule starts: a job with its progress and its result, which is kept for the
// pages, for `modshelf doctor` and for the figures.
import { reasonOf } from "#lib/reason-of.js";
import { type Actor, type Tx, type Writing, write } from "#platform/changes/write.js";
import type { Resources } from "#platform/http/resources.js";
import { noteBackup } from "./last.js";
import { makeBackup } from "./make.js";
import { keepNewest, sweepFiles } from "./retention.js";
import { type BackupRun, findBackupRun, isBackingUp, keepRun } from "./run-record.js";

const byJob: Actor = { credential: "job" };
const day = 24 * 60 * 60 * 1000;
const hour = 60 * 60 * 1000;
/** How often the progress is stored. */
const noteMs = 2000;

/** One at a time: a backup that waits or runs is not started again. */
export async function startBackup(tx: Tx): Promise<void> {
  if (await isBackingUp(tx.db)) return;
  await keepRun(tx, { dateStarted: tx.now, dateFinished: null, done: 0, total: null, error: null });
  tx.audit("backup.start", { kind: "instance", id: "instance" }, {});
  tx.enqueue("make-backup", {}, { dedupeKey: "backup" });
}

/** A failure is kept as the result and not tried again at once: a full disk is still full a minute later. */
export async function backUp(resources: Resources): Promise<void> {
  const { config, clock, blobs, log } = resources;
  const { dir: folder, keep } = config.backup;
  const run: BackupRun = { dateStarted: clock.now(), dateFinished: null, done: 0, total: null, error: null };
  let noted = run.dateStarted;
  const onFile = async (done: number, total: number) => {
    Object.assign(run, { done, total });
    if (clock.now() - noted < noteMs) return;
    noted = clock.now();
    await noteRun(resources, run);
  };
  try {
    const { moment, manifest } = await makeBackup({ config, blobs, now: clock.now(), onFile }, folder);
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    const { count: files, bytes } = manifest.files;
    await noteBackup(resources, byJob, { folder, moment, rows, files, bytes });
    await keepNewest(folder, keep);
  } catch (error) {
    log.error({ err: error }, "The backup failed");
    run.error = reasonOf(error).slice(0, 500);
  }
  await noteRun(resources, { ...run, dateFinished: clock.now() });
}

/** Deletes the stored files of backups that were deleted. */
export const sweepBackups = async ({ config }: Resources): Promise<void> => {
  await sweepFiles(config.backup.dir);
};

/** Runs often, and starts a backup if one was due since the last. */
export async function startDueBackup(resources: Resources): Promise<void> {
  const { config, clock, db } = resources;
  const { schedule, hour: at } = config.backup;
  if (schedule === "off") return;
  const run = await findBackupRun(db);
  if (run && run.dateStarted >= lastDue(clock.now(), schedule, at)) return;
  await write(resources, byJob, startBackup);
}

/** When the last backup should have begun: every day at this hour (UTC), or on Sundays. */
export function lastDue(now: number, schedule: "daily" | "weekly", at: number): number {
  const today = Math.floor(now / day) * day + at * hour;
  let due = today > now ? today - day : today;
  while (schedule === "weekly" && new Date(due).getUTCDay() !== 0) due -= day;
  return due;
}

const noteRun = (to: Writing, run: BackupRun): Promise<void> => write(to, byJob, (tx) => keepRun(tx, run));
