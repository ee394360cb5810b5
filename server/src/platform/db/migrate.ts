// Forward migrations: each runs once, in order, and is recorded in the same transaction. A lock lets only one process
// migrate at a time; a database of a newer Modshelf is refused.
import { type Kysely, sql } from "kysely";
import { type ColumnWords, columnWords, engineOf, isSqliteBusy, isUnavailable } from "./dialect.js";
import { interfaceTables } from "./migrations/0001-interface.js";
import { eventsReviewsWebhooks } from "./migrations/0002-events-reviews-webhooks.js";
import { confirmedAddresses } from "./migrations/0003-confirmed-addresses.js";
import { staffPowers } from "./migrations/0004-staff-powers.js";
import { emailLength } from "./migrations/0007-email-length.js";
import { sealedAddresses } from "./migrations/0008-sealed-addresses.js";
import { openLanguages } from "./migrations/0009-languages.js";
import { downloadSums } from "./migrations/0010-download-sums.js";
import { plannerFigures } from "./migrations/0011-planner-figures.js";
import { withoutNameIndexes } from "./migrations/0012-name-indexes.js";
import { cheapFigures } from "./migrations/0013-cheap-figures.js";
import { partialIndexes } from "./migrations/0014-partial-indexes.js";
import { changedVersions } from "./migrations/0020-changed-versions.js";
import { views } from "./migrations/0021-views.js";
import { applicationTables } from "./migrations/0022-applications.js";
import { authorStatements } from "./migrations/0023-author-statements.js";
import { sealedSettings } from "./migrations/0024-sealed-settings.js";
import { savedAndFollowed } from "./migrations/0025-saved-and-followed.js";
import { fileScans } from "./migrations/0026-file-scans.js";
import { frequentReferrers } from "./migrations/0027-frequent-referrers.js";
import { addedVersions } from "./migrations/0028-added-versions.js";
import { deviceRequests } from "./migrations/0029-device-requests.js";
import { packs } from "./migrations/0030-packs.js";
import { imports } from "./migrations/0031-imports.js";
import { plainWords } from "./migrations/0032-plain-words.js";
import { type Db, type Tables, tables } from "./tables.js";

interface Migration {
  name: string;
  /** Databases and backups that were made before the migration was renamed have this name. */
  formerly?: string;
  statements: (words: ColumnWords) => string[];
}

/** In order; names are never reused. */
export const migrations: readonly Migration[] = [
  { name: "0001-interface", formerly: "0001-ground-floor", statements: interfaceTables },
  { name: "0002-events-reviews-webhooks", formerly: "0002-finding-and-belonging", statements: eventsReviewsWebhooks },
  { name: "0003-confirmed-addresses", statements: confirmedAddresses },
  { name: "0004-staff-powers", statements: staffPowers },
  { name: "0007-email-length", formerly: "0007-statements", statements: emailLength },
  { name: "0008-sealed-addresses", statements: sealedAddresses },
  { name: "0009-languages", statements: openLanguages },
  { name: "0010-download-sums", statements: downloadSums },
  { name: "0011-planner-figures", statements: plannerFigures },
  { name: "0012-name-indexes", statements: withoutNameIndexes },
  { name: "0013-cheap-figures", statements: cheapFigures },
  { name: "0014-partial-indexes", statements: partialIndexes },
  { name: "0020-changed-versions", statements: changedVersions },
  { name: "0021-views", statements: views },
  { name: "0022-applications", statements: applicationTables },
  { name: "0023-author-statements", statements: authorStatements },
  { name: "0024-sealed-settings", statements: sealedSettings },
  { name: "0025-saved-and-followed", statements: savedAndFollowed },
  { name: "0026-file-scans", statements: fileScans },
  { name: "0027-frequent-referrers", statements: frequentReferrers },
  { name: "0028-added-versions", statements: addedVersions },
  { name: "0029-device-requests", statements: deviceRequests },
  { name: "0030-packs", statements: packs },
  { name: "0031-imports", statements: imports },
  { name: "0032-plain-words", statements: plainWords },
];

export class NewerSchema extends Error {}

/**
 * Runs all migrations, or those up to the given name. Another process may be migrating a large table: it waits for that
 * however long it takes, instead of failing.
 */
export async function migrate(db: Kysely<Tables>, now: number, upTo?: string): Promise<string[]> {
  for (;;) {
    try {
      return await migrateNow(db, now, upTo);
    } catch (error) {
      // The driver has waited for the lock as long as a request may wait.
      if (!isSqliteBusy(error)) throw error;
    }
  }
}

function migrateNow(db: Kysely<Tables>, now: number, upTo?: string): Promise<string[]> {
  const engine = engineOf(db);
  return db.transaction().execute(async (tx) => {
    if (engine === "postgres") {
      await sql`set local lock_timeout = 0`.execute(tx);
      await sql`set local statement_timeout = 0`.execute(tx);
      await sql`select pg_advisory_xact_lock(7307198)`.execute(tx);
    }
    const words = columnWords[engine];
    await sql
      .raw(
        `CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY, date_run ${words.bigint} NOT NULL) ${words.strict}`,
      )
      .execute(tx);
    const done = await namesDone(tx);
    const unknown = await listUnknownMigrations(tx);
    if (unknown.length > 0)
      throw new NewerSchema(
        `The database was made by a newer Modshelf (it has ${unknown.join(", ")}). Start that version, or restore a backup.`,
      );
    const run: string[] = [];
    const wanted = upTo === undefined ? migrations : migrations.slice(0, migrations.findIndex(isNamed(upTo)) + 1);
    for (const migration of wanted.filter(({ name }) => !done.has(name))) {
      for (const statement of migration.statements(words)) await sql.raw(statement).execute(tx);
      await sql`insert into migrations (name, date_run) values (${migration.name}, ${now})`.execute(tx);
      run.push(migration.name);
    }
    if (engine === "postgres") await orderByCodePoint(tx);
    return run;
  });
}

/**
 * Gives every text column of our tables the collation "C". PostgreSQL's default is the collation of the database, often
 * a linguistic one such as en_US.UTF-8, which would order ids and names differently from SQLite and from JavaScript.
 * The step looks at the real columns, so that no migration can forget it. Only indexes are rebuilt, no rows are
 * written.
 */
async function orderByCodePoint(tx: Db): Promise<void> {
  // ALTER TABLE refuses tables that still have constraints to check.
  await sql`set constraints all immediate`.execute(tx);
  const { rows } = await sql<{ table: string; changes: string }>`
    select attrelid::regclass::text as "table",
      string_agg(format('ALTER COLUMN %I TYPE text COLLATE "C"', attname), ', ') as changes
    from pg_attribute
    where attrelid in (select to_regclass(quote_ident(name)) from unnest(${[...Object.keys(tables), "migrations"]}::text[]) as name)
      and attnum > 0 and not attisdropped and atttypid = 'text'::regtype and attcollation <> 'pg_catalog."C"'::regcollation
    group by attrelid`.execute(tx);
  for (const { table, changes } of rows) await sql.raw(`ALTER TABLE ${table} ${changes}`).execute(tx);
}

const isNamed =
  (wanted: string) =>
  ({ name }: { name: string }): boolean =>
    name === wanted;

/** The migrations of this program that the database does not have; all of them for an empty database. */
export async function listPendingMigrations(db: Kysely<Tables>): Promise<string[]> {
  try {
    const done = await namesDone(db);
    return migrations.filter(({ name }) => !done.has(name)).map(({ name }) => name);
  } catch (error) {
    if (isUnavailable(error)) throw error;
    return migrations.map(({ name }) => name);
  }
}

/** The migrations of the database that this program does not have: a newer Modshelf made them. */
export async function listUnknownMigrations(db: Kysely<Tables>): Promise<string[]> {
  const done = await namesDone(db);
  return [...done].filter((name) => !migrations.some((migration) => migration.name === name));
}

/** The present name of a migration in a database or a backup. */
export const currentName = (recorded: string): string =>
  migrations.find(({ formerly }) => formerly === recorded)?.name ?? recorded;

export async function namesDone(db: Kysely<Tables>): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`select name from migrations`.execute(db);
  return new Set(rows.map(({ name }) => currentName(name)));
}
