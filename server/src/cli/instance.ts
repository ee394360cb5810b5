// The instance as a command sees it: its settings and its database, without the server around them. Commands work
// beside a running server; what they write reaches it through the change log.
import { existsSync } from "node:fs";
import type { Config } from "#config/config.js";
import { systemClock } from "#lib/clock.js";
import { systemRandom } from "#lib/random.js";
import { reasonOf } from "#lib/reason-of.js";
import { ChangeLog } from "#platform/changes/change-log.js";
import type { Writing } from "#platform/changes/write.js";
import { isUnavailable } from "#platform/db/dialect.js";
import { listPendingMigrations, migrate, NewerSchema } from "#platform/db/migrate.js";
import { type Database, openDatabase } from "#platform/db/open.js";
import { CommandFailure } from "./command.js";

export interface Instance extends Writing {
  config: Config;
}

/** The actor of everything that a command does, as the audit log remembers it. */
export const byCommandLine = { credential: "command line" };

/** Whether a command needs the schema of today, makes it so, or does not care. */
type SchemaNeed = "current" | "migrated" | "any";

/** Opens the database, lets `work` have it and closes it again. */
export async function withInstance<T>(
  config: Config,
  work: (instance: Instance) => Promise<T>,
  { schema = "current" as SchemaNeed } = {},
): Promise<T> {
  if (schema === "current" && config.database.engine === "sqlite" && !existsSync(config.database.path))
    throw new CommandFailure(`There is no database yet (${describeDatabase(config)}). ${advice}`);
  const database = open(config);
  // A command has nobody to tell about a notification that it missed: it never waits for one.
  const changeLog = new ChangeLog(database, { warn: () => {} });
  const instance: Instance = { config, db: database.db, clock: systemClock, random: systemRandom, changeLog };
  try {
    if (schema === "migrated") await migrateOrExplain(instance);
    if (schema === "current") await refuseOldSchema(instance);
    return await work(instance);
  } catch (error) {
    throw isUnavailable(error) ? new CommandFailure(explainUnavailable(config, error)) : error;
  } finally {
    await changeLog.stop();
    await database.close();
  }
}

const advice = "Start the server or run `modshelf migrate` first.";

function open(config: Config): Database {
  try {
    return openDatabase(config.database, () => {});
  } catch (error) {
    throw new CommandFailure(
      `The database cannot be opened (${describeDatabase(config)}): ${reasonOf(error)}. ` +
        "Run `modshelf doctor` to see what to mend.",
    );
  }
}

async function refuseOldSchema({ config, db }: Instance): Promise<void> {
  const pending = await listPendingMigrations(db);
  if (pending.length > 0)
    throw new CommandFailure(`The database (${describeDatabase(config)}) is not up to date. ${advice}`);
}

/** Returns the names of the migrations that were needed. */
export async function migrateOrExplain({ db, clock }: Pick<Writing, "db" | "clock">): Promise<string[]> {
  try {
    return await migrate(db, clock.now());
  } catch (error) {
    throw error instanceof NewerSchema ? new CommandFailure(error.message) : error;
  }
}

export function explainUnavailable(config: Config, error: unknown): string {
  return config.database.engine === "sqlite"
    ? `The database is busy (${describeDatabase(config)}): ${reasonOf(error)}. Try again shortly.`
    : `The database cannot be reached (${describeDatabase(config)}): ${reasonOf(error)}. ` +
        "Start PostgreSQL, or correct MODSHELF_DATABASE_URL.";
}

/** Where the database is, without the credentials in its address. */
export function describeDatabase({ database }: Pick<Config, "database">): string {
  if (database.engine === "sqlite") return `SQLite, ${database.path}`;
  const { host, pathname } = new URL(database.url);
  return `PostgreSQL, ${decodeURIComponent(host) || "socket"}${pathname}`;
}
