// Checks of the data in the database, the same on both databases.
import { existsSync } from "node:fs";
import type { Kysely } from "kysely";
import type { Config } from "#config/config.js";
import type { Clock } from "#lib/clock.js";
import { keyFileOf } from "#lib/key-file.js";
import { systemRandom } from "#lib/random.js";
import { checkLastBackup } from "#operations/backup/last.js";
import { type Check, type Condition, ok, problem, warning } from "#operations/checks/check.js";
import { findKeyId } from "#operations/secrets/rows.js";
import { findBrokenAudit } from "#platform/changes/audit-chain.js";
import { listPendingMigrations, listUnknownMigrations } from "#platform/db/migrate.js";
import type { Tables } from "#platform/db/tables.js";
import { readQueueFigures } from "#platform/jobs/queue.js";
import { findVault } from "#platform/secrets/open-vault.js";

interface Records {
  db: Kysely<Tables>;
  clock: Clock;
  storage: Config["storage"];
  config: Config;
}

export const schemaChecks: readonly Check<Records>[] = [{ name: "schema", find: checkSchema }];

/** These need the schema of today. */
export const databaseChecks: readonly Check<Records>[] = [
  { name: "administrator", find: checkAdmins },
  { name: "audit log", find: checkAuditLog },
  { name: "jobs", find: checkJobs },
  { name: "stored files", find: checkFiles },
  { name: "backup", find: checkLastBackup },
  { name: "secret key", find: checkKey },
];

async function checkSchema({ db }: Records): Promise<Condition> {
  const pending = await listPendingMigrations(db);
  if (pending.length > 0)
    return warning(
      `The database lacks ${pending.join(", ")}; what is in it was not checked.`,
      "Start the server, or run `modshelf migrate`.",
    );
  const unknown = await listUnknownMigrations(db);
  return unknown.length > 0
    ? problem(`The database was made by a newer Modshelf (${unknown.join(", ")}).`, "Start that version instead.")
    : ok("The database is up to date.");
}

async function checkAdmins({ db }: Records): Promise<Condition> {
  const admins = await db
    .selectFrom("users")
    .select(["user_name", "date_suspended"])
    .where("role", "=", "admin")
    .orderBy("user_name")
    .execute();
  const active = admins.filter((admin) => admin.date_suspended === null);
  if (active.length > 0) return ok(`Administrators: ${active.map((admin) => admin.user_name).join(", ")}.`);
  return admins.length === 0
    ? warning("There is no administrator yet.", "Run `modshelf setup-link`, or `modshelf admin create NAME EMAIL`.")
    : warning("Every administrator is suspended.", "Run `modshelf admin create NAME EMAIL`.");
}

async function checkKey({ db, config }: Records): Promise<Condition> {
  const keyId = await findKeyId(db);
  const vault = findVault(config, systemRandom);
  if (keyId === undefined) return ok("Nothing is sealed yet; the next start does it.");
  const place = config.secretKeys ? "MODSHELF_SECRET_KEY" : keyFileOf(config.dataDir);
  return vault?.has(keyId)
    ? ok(`Secrets are sealed with the key ${keyId}, in ${place}. Keep a copy of it apart from the backups.`)
    : problem(
        `Secrets are sealed with the key ${keyId}, which is not in ${place}.`,
        "Put that key there. If it is lost: `modshelf secrets forget`.",
      );
}

async function checkAuditLog({ db }: Records): Promise<Condition> {
  const { brokenAt, count } = await findBrokenAudit(db);
  return brokenAt === undefined
    ? ok(`All ${count} entries are as they were written.`)
    : problem(
        `The audit log was tampered with: entry ${brokenAt} or one before it was changed or removed.`,
        "Find out who could write to the database, and compare with a backup.",
      );
}

const staleMs = 10 * 60_000;

async function checkJobs({ db, clock }: Records): Promise<Condition | Condition[]> {
  const { waiting, parked, oldestDueMs } = await readQueueFigures(db, clock.now());
  const found: Condition[] = [];
  if (parked > 0)
    found.push(
      warning(
        `${parked} background job(s) failed ten times and were given up.`,
        "The column last_error of the table jobs says why. Mend that, then set date_parked to null and attempts to 0.",
      ),
    );
  if (oldestDueMs > staleMs)
    found.push(
      warning(
        `A background job has been due for ${Math.round(oldestDueMs / 60_000)} minutes.`,
        "Start a server; if one is running, look for failed jobs in its log.",
      ),
    );
  return found.length > 0 ? found : ok(`${waiting} waiting, none given up, none late.`);
}

/** A disk that was not mounted looks like an empty one. */
async function checkFiles({ db, storage }: Records): Promise<Condition> {
  const { count } = await db.selectFrom("blobs").select(db.fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
  if (count === 0 || storage.kind !== "disk" || existsSync(storage.path)) return ok(`The database knows of ${count}.`);
  return problem(
    `The database knows of ${count} stored files, but ${storage.path} is not there.`,
    "Mount or restore it, or correct MODSHELF_STORAGE_URL.",
  );
}
