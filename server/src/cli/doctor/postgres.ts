// Checks of a PostgreSQL server that Modshelf depends on.
import { type RawBuilder, sql } from "kysely";
import type { Clock } from "#lib/clock.js";
import { reasonOf } from "#lib/reason-of.js";
import { type Check, type Condition, ok, problem, warning } from "#operations/checks/check.js";
import type { Db } from "#platform/db/tables.js";

interface PostgresServer {
  db: Db;
  clock: Clock;
}

/** These run first; if they fail, the other checks cannot run. */
export const reachChecks: readonly Check<PostgresServer & { name: string }>[] = [
  { name: "database", find: checkReach },
];

const oldestMajor = 14;
const mostSkewMs = 60_000;

export const postgresChecks: readonly Check<PostgresServer>[] = [
  { name: "database version", find: checkVersion },
  { name: "durability", find: checkDurability },
  { name: "clock", find: checkClock },
  { name: "encoding", find: checkEncoding },
];

async function read(db: Db, query: RawBuilder<{ value: string | number }>): Promise<string> {
  const { rows } = await query.execute(db);
  return String(rows[0]?.value);
}

const setting = (db: Db, name: string) => read(db, sql`select current_setting(${name}) as value`);

async function checkReach({ db, name }: PostgresServer & { name: string }): Promise<Condition> {
  try {
    await sql`select 1`.execute(db);
    return ok(`${name} answers.`);
  } catch (error) {
    return problem(
      `${name} cannot be used: ${reasonOf(error)}`,
      "Start PostgreSQL, or correct MODSHELF_DATABASE_URL (host, port, user, password, database).",
    );
  }
}

async function checkVersion({ db }: PostgresServer): Promise<Condition> {
  const version = await setting(db, "server_version");
  return Number.parseInt(version, 10) >= oldestMajor
    ? ok(`PostgreSQL ${version}.`)
    : problem(`PostgreSQL ${version} is older than ${oldestMajor}.`, `Upgrade it to ${oldestMajor} or newer.`);
}

/** "off" for either means that committed data may be lost after a power failure. */
async function checkDurability({ db }: PostgresServer): Promise<Condition | Condition[]> {
  const off: Condition[] = [];
  for (const name of ["fsync", "synchronous_commit"])
    if ((await setting(db, name)) === "off")
      off.push(
        problem(
          `${name} is off: acknowledged writes can be lost at a power cut.`,
          `Set ${name} = on in postgresql.conf, or take the override of this database or role away.`,
        ),
      );
  return off.length > 0 ? off : ok("Acknowledged writes survive a power cut.");
}

async function checkClock({ db, clock }: PostgresServer): Promise<Condition> {
  const before = clock.now();
  const there = Number(await read(db, sql`select extract(epoch from clock_timestamp()) * 1000 as value`));
  // Half of the way there and back.
  const skew = Math.round(there - (before + clock.now()) / 2);
  if (Math.abs(skew) < mostSkewMs) return ok("The clocks of the database and of this machine agree.");
  return warning(
    `The database's clock is ${Math.round(Math.abs(skew) / 1000)} s ${skew > 0 ? "ahead of" : "behind"} this machine's.`,
    "Keep both in time with NTP: sessions and tokens expire by these clocks.",
  );
}

async function checkEncoding({ db }: PostgresServer): Promise<Condition> {
  const encoding = await setting(db, "server_encoding");
  return encoding === "UTF8"
    ? ok("Text is stored as UTF-8.")
    : problem(
        `The database stores text as ${encoding}, which cannot hold every character.`,
        "Create the database again with ENCODING 'UTF8' and TEMPLATE template0, and move the data over.",
      );
}
