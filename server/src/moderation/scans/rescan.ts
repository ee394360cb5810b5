// Scans everything that is stored again, because signatures improve over time. One run at a time; its progress is stored,
// so that it continues after a restart and can be stopped.

import { noVerdict } from "#content/scans/scan.js";
import { fromJson } from "#lib/json.js";
import { type Tx, write } from "#platform/changes/write.js";
import { lockSettings } from "#platform/db/dialect.js";
import type { Db } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import { storeValue } from "#platform/settings/store.js";
import { say } from "#words/said.js";
import { conclude } from "./conclude.js";
import { retryDelayMs, scanStored } from "./jobs.js";

const name = "scan-everything";
/** Contents between two notes of the progress. */
const pageSize = 20;

export interface ScanRun {
  dateStarted: number;
  /** Null while it runs. */
  dateFinished: number | null;
  isStopped: boolean;
  total: number;
  done: number;
  found: number;
  /** Files for which the scanner gave no verdict. */
  failed: number;
  /** The last content that was scanned, in hexadecimal. */
  after: string;
  /** The scanner could not be reached at the last try. */
  isUnreachable: boolean;
}

export async function findScanRun(db: Db): Promise<ScanRun | undefined> {
  const row = await db.selectFrom("settings").select("value").where("name", "=", name).executeTakeFirst();
  return row && (fromJson(row.value) as ScanRun);
}

export async function startScanRun(tx: Tx): Promise<void> {
  await lockSettings(tx.db);
  if ((await findScanRun(tx.db))?.dateFinished === null) throw fail.wrongState(say.states.scanRuns);
  const { total } = await tx.db
    .selectFrom("version_files")
    .select((select) => select.fn.count<number>("sha512").distinct().as("total"))
    .executeTakeFirstOrThrow();
  const none = { done: 0, found: 0, failed: 0, after: "", isStopped: false, isUnreachable: false };
  await keepRun(tx, { ...none, dateStarted: tx.now, dateFinished: null, total });
  tx.audit("scan.start", { kind: "instance", id: name }, { total });
  tx.enqueue("scan-everything", {}, { dedupeKey: name });
}

export async function stopScanRun(tx: Tx): Promise<void> {
  await lockSettings(tx.db);
  const run = await findScanRun(tx.db);
  if (run?.dateFinished !== null) throw fail.wrongState(say.states.noScanRuns);
  await keepRun(tx, { ...run, dateFinished: tx.now, isStopped: true });
  tx.audit("scan.stop", { kind: "instance", id: name }, { done: run.done, total: run.total });
}

async function keepRun(tx: Tx, run: ScanRun): Promise<void> {
  await storeValue(tx, name, run);
}

export async function scanEverything(resources: Resources, { tries = 0 }: { tries?: number }): Promise<void> {
  const { db, scanner, clock } = resources;
  const version = await scanner.readVersion().catch((error) => noVerdict(resources, error));
  for (;;) {
    const run = await findScanRun(db);
    if (!run || run.dateFinished !== null) return;
    const page = version === undefined ? [] : await listContents(db, run.after);
    const outcomes = await Promise.all(
      page.map(async (sha512) => {
        const found = await scanStored(resources, sha512);
        if (!found) return "failed" as const;
        if (found.kind === "gone") return "none" as const;
        return conclude(resources, sha512, found, { scanner: version!, isNew: false });
      }),
    );
    const count = (outcome: "failed" | "found") => outcomes.filter((each) => each === outcome).length;
    const isUnreachable = version === undefined;
    const isOver = await write(resources, { credential: "job" }, async (tx) => {
      // Otherwise a stop at the same moment would be lost.
      await lockSettings(tx.db);
      const now = await findScanRun(tx.db);
      // It was stopped, or stopped and started again, while this page was scanned.
      if (now?.dateStarted !== run.dateStarted || now.dateFinished !== null) return true;
      const isLast = !isUnreachable && page.length < pageSize;
      const after = page.length > 0 ? Buffer.from(page.at(-1)!).toString("hex") : run.after;
      await keepRun(tx, {
        ...run,
        ...{ done: run.done + page.length, found: run.found + count("found"), failed: run.failed + count("failed") },
        ...{ after, isUnreachable, dateFinished: isLast ? tx.now : null },
      });
      if (isUnreachable)
        tx.enqueue(
          "scan-everything",
          { tries: tries + 1 },
          { dedupeKey: name, runAfter: clock.now() + retryDelayMs(tries) },
        );
      return isLast || isUnreachable;
    });
    if (isOver) return;
  }
}

const listContents = async (db: Db, after: string): Promise<Uint8Array[]> => {
  const rows = await db
    .selectFrom("version_files")
    .select("sha512")
    .distinct()
    .where("sha512", ">", Buffer.from(after, "hex"))
    .orderBy("sha512")
    .limit(pageSize)
    .execute();
  return rows.map(({ sha512 }) => sha512);
};
