// Runs the checks, and repairs their findings if a program can know the right value.
import { sql } from "kysely";
import { type Breach, error, findAll, type Named } from "#operations/checks/check.js";
import { findBrokenAudit } from "#platform/changes/audit-chain.js";
import { write } from "#platform/changes/write.js";
import { engineOf } from "#platform/db/dialect.js";
import { figureChecks } from "./figure-checks.js";
import { listChecks } from "./list-checks.js";
import { quarantineChecks } from "./quarantine-checks.js";
import { recordChecks } from "./record-checks.js";
import { referenceChecks } from "./reference-checks.js";
import { byRepair, check, type RegistryCheck, type Subject } from "./registry-check.js";
import { statisticChecks } from "./statistic-checks.js";
import { storedChecks } from "./stored-checks.js";

/** In the order of repairs: lists are derived from versions, marks from references. */
const checks: readonly RegistryCheck[] = [
  check({ name: "database file", find: findDamage }),
  ...referenceChecks,
  ...recordChecks,
  ...figureChecks,
  ...quarantineChecks,
  ...listChecks,
  ...statisticChecks,
  ...storedChecks,
  check({ name: "audit log", find: findTampering }),
];

export const checkNames: readonly string[] = checks.map(({ name }) => name);

export const verify = (subject: Subject): Promise<Named<Breach>[]> => findAll(checks, subject);

export interface Repair {
  check: string;
  /** The action, done or planned. */
  what: string;
  findings: readonly Breach[];
}

/** The actions of a repair. Without `apply` nothing is changed; a second run finds nothing to do. */
export async function repair(subject: Subject, { apply }: { apply: boolean }): Promise<Repair[]> {
  const mendings: Repair[] = [];
  for (const { name, find, mend } of checks) {
    const findings = mend ? [await find(subject)].flat() : [];
    if (!mend || findings.length === 0) continue;
    if (apply) await mend.act(subject, findings);
    mendings.push({ check: name, what: mend.what, findings });
  }
  if (apply && mendings.length > 0) await remember(subject, mendings);
  return mendings;
}

const remember = (subject: Subject, mendings: readonly Repair[]): Promise<void> =>
  write(subject, byRepair, async (tx) => {
    const counts = Object.fromEntries(mendings.map((mending) => [mending.check, mending.findings.length]));
    tx.audit("repair.apply", { kind: "instance", id: "repair" }, counts);
  });

/** Checks the whole database file, including indexes, on SQLite; `modshelf doctor` checks it less thoroughly. */
async function findDamage({ db, deep }: Subject): Promise<Breach[]> {
  if (!deep || engineOf(db) === "postgres") return [];
  const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db);
  return rows
    .map((row) => row.integrity_check)
    .filter((text) => text !== "ok")
    .map((text) => error("the database", text));
}

async function findTampering({ db }: Subject): Promise<Breach[]> {
  const { brokenAt } = await findBrokenAudit(db);
  return brokenAt === undefined ? [] : [error(`entry ${brokenAt}`, "or one before it was changed or removed")];
}
