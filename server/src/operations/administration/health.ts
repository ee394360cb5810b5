// The state of the service, as far as it is available immediately; slower checks run separately (checkup/).
import { sql } from "kysely";
import { checkLastBackup } from "#operations/backup/last.js";
import { type Check, type Condition, type Named, runChecks } from "#operations/checks/check.js";
import { machineChecks } from "#operations/checkup/machine.js";
import { quickSiteChecks } from "#operations/checkup/site.js";
import { findLegalText } from "#operations/legal/texts.js";
import { engineOf } from "#platform/db/dialect.js";
import type { Resources } from "#platform/http/resources.js";
import { type QueueFigures, readQueue } from "./jobs-read.js";
import { checkForecast } from "./storage-forecast.js";
import { checkVersion } from "./update-notice.js";

export interface Health {
  components: { name: "database" | "storage" | "server"; isOk: boolean }[];
  hasMail: boolean;
  queue: QueueFigures;
  /** The difference between this machine's clock and the database's. */
  clockOffMs: number;
  /** The same findings as `modshelf doctor`. */
  findings: Named<Condition>[];
}

export async function readHealth(resources: Resources): Promise<Health> {
  const { db, clock, config, readiness } = resources;
  const { components } = readiness;
  return {
    components: (["database", "storage", "server"] as const).map((name) => ({ name, isOk: components[name] === "ok" })),
    hasMail: config.mail !== undefined,
    queue: await readQueue(db, clock.now()),
    clockOffMs: await compareClocks(resources),
    findings: [
      ...(await runChecks(machineChecks, config)),
      ...(await runChecks(quickSiteChecks, config)),
      ...(await runChecks(storedChecks, resources)),
    ],
  };
}

const storedChecks: readonly Check<Resources>[] = [
  { name: "backup", find: checkLastBackup },
  { name: "forecast", find: checkForecast },
  { name: "version", find: checkVersion },
];

/** A database file on this machine has no clock. */
async function compareClocks({ db, clock }: Resources): Promise<number> {
  if (engineOf(db) === "sqlite") return 0;
  const { rows } = await sql<{ now: number }>`
    select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as now`.execute(db);
  return clock.now() - Number(rows[0]!.now);
}

export interface Todo {
  id: "mail" | "storage" | "rules" | "https" | "contentHost" | "moderator" | "contact" | "review";
  isDone: boolean;
}

/** Optional next steps for a new site. */
export async function listTodos({ db, config, readiness }: Resources): Promise<Todo[]> {
  const moderator = await db
    .selectFrom("users")
    .select("id")
    .where("role", "=", "moderator")
    .limit(1)
    .executeTakeFirst();
  return [
    { id: "mail", isDone: config.mail !== undefined },
    { id: "storage", isDone: readiness.components.storage === "ok" },
    { id: "rules", isDone: (await findLegalText(db, "rules")) !== undefined },
    { id: "https", isDone: config.http.url.startsWith("https:") },
    { id: "contentHost", isDone: config.http.cdnUrl !== config.http.url },
    { id: "moderator", isDone: moderator !== undefined },
    { id: "contact", isDone: config.securityContacts.length > 0 },
    { id: "review", isDone: config.review !== "off" },
  ];
}
