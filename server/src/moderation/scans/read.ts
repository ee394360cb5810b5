// The figures of the malware scans, for administrators.
import type { Db } from "#platform/db/tables.js";

const day = 24 * 60 * 60 * 1000;
export const figureDays = 7;
const mostWaiting = 20;

export interface ScanFigures {
  clean: number;
  infected: number;
  unscanned: number;
  waiting: number;
}

export async function readScanFigures(db: Db, now: number): Promise<ScanFigures> {
  const recent = await db
    .selectFrom("file_scans")
    .select((select) => ["state", select.fn.countAll<number>().as("count")])
    .where("date_scanned", ">", now - figureDays * day)
    .groupBy("state")
    .execute();
  const { waiting } = await db
    .selectFrom("file_scans")
    .select((select) => select.fn.countAll<number>().as("waiting"))
    .where("state", "=", "waiting")
    .executeTakeFirstOrThrow();
  const of = (state: string) => recent.find((row) => row.state === state)?.count ?? 0;
  return { clean: of("clean"), infected: of("infected"), unscanned: of("unscanned"), waiting };
}

/** The versions whose files wait longest. */
export const listWaitingFiles = (db: Db) =>
  db
    .selectFrom("file_scans")
    .innerJoin("version_files as file", "file.sha512", "file_scans.sha512")
    .innerJoin("versions", "versions.id", "file.version_id")
    .innerJoin("projects", "projects.id", "file.project_id")
    .select(["file.id", "file.name", "file.size", "file_scans.attempts", "file_scans.date_created as since"])
    .select(["projects.slug", "projects.name as projectName", "versions.version_number as versionNumber"])
    .where("file_scans.state", "=", "waiting")
    .orderBy("file_scans.date_created")
    .orderBy("file.id")
    .limit(mostWaiting)
    .execute();

export type WaitingFile = Awaited<ReturnType<typeof listWaitingFiles>>[number];
