// `modshelf verify` as a job that an administrator starts, and the findings of its last run.

import { fromJson } from "#lib/json.js";
import type { Breach, Named } from "#operations/checks/check.js";
import { checkNames, verify } from "#operations/verification/verify.js";
import { type Tx, write } from "#platform/changes/write.js";
import type { Db } from "#platform/db/tables.js";
import type { Resources } from "#platform/http/resources.js";
import { storeValue } from "#platform/settings/store.js";

const name = "verification";
/** No upload takes longer between its bytes and its rows. */
const safetyMs = 60 * 60 * 1000;
/** More findings of the same kind add nothing; the command line shows all. */
const mostFindings = 200;

export interface VerificationRun {
  isDeep: boolean;
  dateStarted: number;
  /** Null while it runs. */
  dateFinished: number | null;
  checks: number;
  errors: number;
  leftovers: number;
  findings: Named<Breach>[];
}

export async function findVerification(db: Db): Promise<VerificationRun | undefined> {
  const row = await db.selectFrom("settings").select("value").where("name", "=", name).executeTakeFirst();
  return row && (fromJson(row.value) as VerificationRun);
}

/** One at a time: a run that is queued or in progress is reused. */
export async function startVerification(tx: Tx, isDeep: boolean): Promise<void> {
  await keepRun(tx, {
    isDeep,
    dateStarted: tx.now,
    dateFinished: null,
    checks: checkNames.length,
    errors: 0,
    leftovers: 0,
    findings: [],
  });
  tx.audit("verification.start", { kind: "instance", id: name }, { isDeep });
  tx.enqueue("verify-everything", { isDeep }, { dedupeKey: name });
}

export async function verifyEverything(resources: Resources, { isDeep }: { isDeep: boolean }): Promise<void> {
  const dateStarted = resources.clock.now();
  const { db, clock, random, changeLog, memory, blobs } = resources;
  const findings = await verify({ db, clock, random, changeLog, memory, blobs, deep: isDeep, safetyMs });
  const errors = findings.filter(({ level }) => level === "error").length;
  await write(resources, { credential: "job" }, async (tx) => {
    await keepRun(tx, {
      isDeep,
      dateStarted,
      dateFinished: tx.now,
      checks: checkNames.length,
      errors,
      leftovers: findings.length - errors,
      findings: findings.slice(0, mostFindings),
    });
  });
}

async function keepRun(tx: Tx, run: VerificationRun): Promise<void> {
  await storeValue(tx, name, run);
}
