// Accounts of the release before addresses had to be confirmed.
import { sql } from "kysely";
import { expect, test } from "vitest";
import { migrate } from "#platform/db/migrate.js";
import { emptyDatabase, openForTest } from "#test/api/empty-database.js";
import { findAccountByLogin } from "./read.js";

test("keep their addresses, confirmed or not; administrators count as confirmed, unfinished keys are deleted", async () => {
  const database = openForTest(await emptyDatabase());
  const { db } = database;
  await migrate(db, 0, "0002-events-reviews-webhooks");
  for (const [name, verified, role] of [
    ["plain", 0, "user"],
    ["proven", 1, "user"],
    ["keeper", 0, "admin"],
  ] as const) {
    await sql`insert into users (id, user_name, email, email_verified, role, date_joined)
      values (${name}, ${name}, ${`${name}@example.com`}, ${verified}, ${role}, 0)`.execute(db);
    await sql`insert into totp_secrets (user_id, secret, last_step, date_created, date_confirmed)
      values (${name}, 'A', 0, 0, ${verified === 1 ? 1 : null})`.execute(db);
  }
  await migrate(db, 0);
  const found = [];
  for (const name of ["plain", "proven", "keeper"]) {
    const account = await findAccountByLogin(db, `${name}@EXAMPLE.com`);
    found.push([account?.id, account?.email_held, account?.email_verified]);
  }
  expect(found).toEqual([
    ["plain", 1, 0],
    ["proven", 1, 1],
    ["keeper", 1, 1],
  ]);
  const keys = await db.selectFrom("totp_secrets").select("user_id").execute();
  expect(keys).toEqual([{ user_id: "proven" }]);
  await database.close();
});
