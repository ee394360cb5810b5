// A database whose checks allow addresses of 254 characters keeps its rows and accepts 256 after the migration.
import { type Kysely, sql } from "kysely";
import { expect, test } from "vitest";
import { systemClock } from "#lib/clock.js";
import { emptyDatabase, openForTest } from "#test/api/empty-database.js";
import { engine } from "#test/server/harness.js";
import { columnWords } from "./dialect.js";
import { migrate, migrations } from "./migrate.js";
import type { Tables } from "./tables.js";

const address = (length: number) => `${"a".repeat(length - 13)}@example.test`;
const addressTables = [
  ["users", "email"],
  ["reports", "guest_email"],
  ["mail_invites", "email"],
  ["guest_reports", "email"],
] as const;

async function makeOldDatabase(db: Kysely<Tables>): Promise<void> {
  const words = columnWords[engine];
  await db.transaction().execute(async (tx) => {
    await sql`create table migrations (name text primary key, date_run bigint not null)`.execute(tx);
    for (const { name, statements } of migrations.slice(
      0,
      migrations.findIndex(({ name }) => name >= "0007"),
    )) {
      // The first schema takes its lengths from the program, which had other lengths then.
      for (const statement of statements(words))
        await sql.raw(statement.replaceAll("BETWEEN 3 AND 256", "BETWEEN 3 AND 254")).execute(tx);
      await sql`insert into migrations values (${name}, 0)`.execute(tx);
    }
    await sql`insert into users (id, user_name, email, email_verified, role, date_joined)
      values ('ada', 'ada', ${address(20)}, 1, 'user', 0)`.execute(tx);
    await sql`insert into sessions (id, user_id, token_digest, provider, date_created, date_authenticated, date_last_active, date_expires)
      values ('session', 'ada', ${Buffer.alloc(32)}, 'credential', 0, 0, 0, 0)`.execute(tx);
    await sql`insert into teams (id, kind, date_created) values ('team', 'project', 0)`.execute(tx);
    await sql`insert into mail_invites (id, team_id, email, role, permissions, org_permissions, invited_by, date_created, date_expires)
      values ('invite', 'team', ${address(20)}, '', '[]', '[]', 'ada', 0, 0)`.execute(tx);
    await sql`insert into guest_reports (id, email, locale, type, item_type, item_id, body, date_created, date_expires)
      values ('guest', ${address(20)}, 'en', 'spam', 'user', 'ada', 'Ten letters and more', 0, 0)`.execute(tx);
  });
}

test("longer addresses are accepted, and all existing rows stay", async () => {
  const { db } = openForTest(await emptyDatabase());
  await makeOldDatabase(db);
  await migrate(db, systemClock.now());
  for (const table of ["users", "mail_invites", "guest_reports"] as const)
    expect(await db.selectFrom(table).select("email").where("email", "is not", null).execute(), table).toEqual([
      { email: address(20) },
    ]);
  expect(await db.selectFrom("sessions").select("user_id").execute()).toEqual([{ user_id: "ada" }]);
  const set = (table: string, column: string, length: number) =>
    sql`update ${sql.table(table)} set ${sql.ref(column)} = ${address(length)} where id <> 'deleted_user'`.execute(db);
  for (const [table, column] of addressTables.filter(([table]) => table !== "reports")) {
    await set(table, column, 256);
    await expect(set(table, column, 257), table).rejects.toThrow(/check/i);
  }
  const again = sql`insert into users (id, user_name, email, email_verified, role, date_joined)
    values ('bob', 'bob', ${address(256).toUpperCase()}, 1, 'user', 0)`;
  await expect(again.execute(db)).rejects.toThrow(/unique/i);
});
