// A database of the release before the counters: its figures are correct once the consumers have processed the rows
// that the migration enqueued.
import { type Kysely, sql } from "kysely";
import { pino } from "pino";
import { expect, test } from "vitest";
import { systemClock } from "#lib/clock.js";
import { systemRandom } from "#lib/random.js";
import { ChangeLog } from "#platform/changes/change-log.js";
import { catchUp } from "#platform/changes/consumer.js";
import { ServerMemory } from "#platform/changes/server-memory.js";
import { columnWords } from "#platform/db/dialect.js";
import { migrate, migrations } from "#platform/db/migrate.js";
import type { Tables } from "#platform/db/tables.js";
import { emptyDatabase, openForTest } from "#test/api/empty-database.js";
import { engine } from "#test/server/harness.js";
import { statisticsConsumer } from "./consumer.js";
import { readStatistics } from "./read.js";

const hash = (size: number) => Buffer.alloc(size, 1);

/** The first schema with a user, and an author with a listed project of one version. */
async function makeOldDatabase(db: Kysely<Tables>): Promise<void> {
  const [first] = migrations;
  const words = columnWords[engine];
  await db.transaction().execute(async (tx) => {
    for (const statement of first!.statements(words)) await sql.raw(statement).execute(tx);
    await sql`create table migrations (name text primary key, date_run bigint not null)`.execute(tx);
    await sql`insert into migrations values (${first!.name}, 0)`.execute(tx);
    for (const name of ["author", "reader"])
      await sql`insert into users (id, user_name, email_verified, role, date_joined) values (${name}, ${name}, 0, 'user', 0)`.execute(
        tx,
      );
    await sql`insert into teams (id, kind, date_created) values ('team', 'project', 0)`.execute(tx);
    await sql`insert into team_members (id, team_id, user_id, role, is_owner, accepted, permissions, org_permissions,
      date_invited, date_accepted) values ('member', 'team', 'author', '', 1, 1, '[]', '[]', 0, 0)`.execute(tx);
    await sql`insert into projects (id, team_id, name, slug, summary, description, types, status, visibility, license_id,
        license_name, license_url, client_side, server_side, game_versions, loaders, downloads, followers, date_published, date_updated)
      values ('project', 'team', 'Old', 'old', 'Old', '', '[]', 'approved', 'listed', '', '', '', 'unknown', 'unknown', '[]', '[]', 0, 0, 0, 0)`.execute(
      tx,
    );
    await sql`insert into blobs (sha512, sha1, size, date_created) values (${hash(64)}, ${hash(20)}, 1, 0)`.execute(tx);
    await sql`insert into versions (id, project_id, author_id, title, version_number, slug, changelog, channel, featured,
        game_versions, loaders, primary_file_id, downloads, date_published)
      values ('version', 'project', 'author', 'Old', '1', '1', '', 'release', 0, '[]', '[]', 'file', 0, 0)`.execute(tx);
    await sql`insert into version_files (id, version_id, project_id, name, type, size, sha1, sha512, date_created)
      values ('file', 'version', 'project', 'a.jar', 'jar', 1, ${hash(20)}, ${hash(64)}, 0)`.execute(tx);
  });
}

test("the figures of an older database start with its content", async () => {
  const database = openForTest(await emptyDatabase());
  const { db } = database;
  await makeOldDatabase(db);
  await migrate(db, systemClock.now());
  expect(await readStatistics(db)).toEqual({ users: 0, authors: 0, files: 0, projects: 0, versions: 0 });
  const changeLog = new ChangeLog(database, pino({ level: "silent" }));
  const memory = new ServerMemory({ changeLog, clock: systemClock });
  await catchUp({ db, clock: systemClock, random: systemRandom, changeLog, memory }, statisticsConsumer);
  expect(await readStatistics(db)).toEqual({ users: 2, authors: 1, files: 1, projects: 1, versions: 1 });
  // Recent enough not to be deleted before a consumer has read them.
  const oldest = await db.selectFrom("changes").select("date_created").orderBy("date_created").limit(1).execute();
  expect(oldest[0]!.date_created).toBeGreaterThan(systemClock.now() - 60_000);
});
