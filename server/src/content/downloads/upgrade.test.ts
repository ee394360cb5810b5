// A database of the release that stored every download in a row: its figures stay, and a client that was counted just
// before the upgrade is not counted again after it.
import { sql } from "kysely";
import { expect, test } from "vitest";
import { systemClock } from "#lib/clock.js";
import { migrate } from "#platform/db/migrate.js";
import { emptyDatabase, openForTest } from "#test/api/empty-database.js";

test("single downloads become sums and the last downloads of each client", async () => {
  const { db } = openForTest(await emptyDatabase());
  const now = systemClock.now();
  await migrate(db, now, "0009-languages");
  await db.transaction().execute(async (tx) => {
    const statements = [
      `insert into users (id, user_name, role, date_joined, email_verified) values ('author', 'author', 'user', 0, 0)`,
      `insert into teams (id, kind, date_created) values ('team', 'project', 0)`,
      `insert into projects (id, team_id, name, slug, summary, description, types, status, visibility, license_id,
        license_name, license_url, client_side, server_side, game_versions, loaders, downloads, followers,
        date_published, date_updated, donation_links)
        values ('project', 'team', 'Old', 'old', 'Old', '', '[]', 'approved', 'listed', '', '', '', 'unknown',
        'unknown', '[]', '[]', 9, 0, 0, 0, '[]')`,
      ...["a", "b", "c", "d"].flatMap((id) => [
        `insert into versions (id, project_id, author_id, title, version_number, slug, changelog, channel, featured,
          game_versions, loaders, primary_file_id, downloads, date_published)
          values ('${id}', 'project', 'author', 'Old', '${id}', '${id}', '', 'release', 0, '[]', '[]', '${id}', 0, 0)`,
      ]),
    ];
    for (const statement of statements) await sql.raw(statement).execute(tx);
    await sql`insert into blobs (sha512, sha1, size, date_created)
      values (${Buffer.alloc(64)}, ${Buffer.alloc(20)}, 1, 0)`.execute(tx);
    for (const id of ["a", "b", "c", "d"])
      await sql`insert into version_files (id, version_id, project_id, name, type, size, sha1, sha512, date_created)
        values (${id}, ${id}, 'project', 'a.jar', 'jar', 1, ${Buffer.alloc(20)}, ${Buffer.alloc(64)}, 0)`.execute(tx);
    await sql`insert into download_days (version_id, project_id, day, country, count)
      values ('a', 'project', 1, '', 4), ('a', 'project', 2, 'DE', 1)`.execute(tx);
    const [one, two] = [Buffer.alloc(16, 1), Buffer.alloc(16, 2)];
    for (const [client, version, day, country, time] of [
      [one, "a", 1, "", 100],
      [one, "b", 2, "DE", 200],
      [one, "c", 2, "DE", 300],
      [one, "d", 2, "DE", 400],
      [two, "a", 2, "DE", 250],
    ])
      await sql`insert into downloads (project_id, version_id, client, day, country, date_created)
        values ('project', ${version}, ${client}, ${day}, ${country}, ${time})`.execute(tx);
  });
  await migrate(db, now);
  const days = await db
    .selectFrom("download_days")
    .select(["version_id", "day", "country", "count"])
    .orderBy("version_id")
    .orderBy("day")
    .execute();
  expect(days).toEqual([
    { version_id: "a", day: 1, country: "", count: 5 },
    { version_id: "a", day: 2, country: "DE", count: 2 },
    ...["b", "c", "d"].map((version_id) => ({ version_id, day: 2, country: "DE", count: 1 })),
  ]);
  const totals = await db.selectFrom("download_totals").selectAll().orderBy("day").execute();
  expect(totals).toEqual([
    { day: 1, country: "", count: 5 },
    { day: 2, country: "DE", count: 5 },
  ]);
  const recent = await db.selectFrom("recent_downloads").selectAll().orderBy("client").execute();
  expect(recent.map(({ client: _, ...row }) => row)).toEqual([
    {
      ...{ project_id: "project", version_1: "d", time_1: 400, version_2: "c", time_2: 300 },
      ...{ version_3: "b", time_3: 200 },
    },
    {
      ...{ project_id: "project", version_1: "a", time_1: 250, version_2: null, time_2: null },
      ...{ version_3: null, time_3: null },
    },
  ]);
});
