// A request that waits for a row lock must not hold a lock that the row's owner needs, or both would wait until
// PostgreSQL ends one of them, and all other requests with them. On PostgreSQL only; SQLite has one writer.
import { type RawBuilder, sql } from "kysely";
import pg from "pg";
import { describe, expect, test } from "vitest";
import { removeAccount } from "#accounts/users/write.js";
import { write } from "#platform/changes/write.js";
import { publishTo } from "#test/callers/uploads.js";
import { engine, testApp } from "#test/server/harness.js";
import { makeOrg, makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";

describe.runIf(engine === "postgres")("a request that waits for a row lock", async () => {
  if (engine !== "postgres") return;
  const world = await testApp({ settings: { MODSHELF_DATABASE_POOL_SIZE: "8" } });
  const { as, make, resources, databaseUrl } = world;
  const { db } = resources;
  const one = async <T>(query: RawBuilder<T>) => (await query.execute(db)).rows[0]!;

  /** Holds a row lock while the work runs, as another request would. */
  async function holding<T>(statement: string, id: string, work: () => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    await client.query("begin");
    await client.query(statement, [id]);
    try {
      return await work();
    } finally {
      await client.query("rollback");
      await client.end();
    }
  }

  const countWaiting = async () => {
    const waiting = sql<{ count: number }>`select count(*) as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    return (await one(waiting)).count;
  };
  const untilOneWaits = () => expect.poll(countWaiting).toBeGreaterThan(0);
  const isFree = async (table: "teams" | "projects", id: string): Promise<boolean> =>
    db.transaction().execute(async (tx) => {
      const row = sql`select id from ${sql.table(table)} where id = ${id} for update skip locked`;
      return (await row.execute(tx)).rows.length === 1;
    });
  const holdProject = "update projects set followers = followers where id = $1";

  test("as a publication, does not block other publications of the same author (createVersion)", async () => {
    const author = await make.user();
    const [first, second] = [await makeProject(world, author), await makeProject(world, author)];
    const { waiting } = await holding(holdProject, first.id, async () => {
      const waiting = publishTo(as.user(author), first.id);
      await untilOneWaits();
      expect(await publishTo(as.user(author), second.id)).toSucceed();
      expect(await countWaiting(), "and did not wait until the first one gave up").toBe(1);
      return { waiting };
    });
    expect(await waiting).toSucceed();
  });

  test("as an administrator who leaves, does not block follows (unfollowProject)", async () => {
    const [leaving, reader] = [await make.user({ role: "admin" }), await make.user()];
    await make.user({ role: "admin" });
    const project = await makeProject(world, await make.user());
    const { id } = await makeVersion(world, leaving, project.id);
    await holding("update versions set title = title where id = $1", id, async () => {
      const left = write(resources, {}, (tx) => removeAccount(tx, leaving.id, resources.accountRemovals)).catch(
        () => undefined,
      );
      await untilOneWaits();
      expect(await as.user(reader).post(`/api/project/${project.id}/follow`, {})).toSucceed();
      expect(await as.user(reader).delete(`/api/project/${project.id}/follow`)).toSucceed();
      expect(await countWaiting(), "and did not wait until the administrator gave up").toBe(1);
      return { left };
    }).then(({ left }) => left);
  });

  test.each(["add", "remove", "delete"] as const)(
    "to %s a project holds locks neither on its team nor on the organization",
    async (act) => {
      const owner = await make.user();
      const org = await makeOrg(world, owner);
      const project = await makeProject(world, owner, act === "add" ? {} : { orgId: org.id });
      const me = as.user(owner);
      const acts = {
        add: () => me.post(`/api/organization/${org.id}/projects`, { projectId: project.id }),
        remove: () => me.delete(`/api/organization/${org.id}/project/${project.id}`),
        delete: () => me.delete(`/api/organization/${org.id}`),
      };
      const reply = await holding(holdProject, project.id, async () => {
        const done = acts[act]();
        await untilOneWaits();
        expect([await isFree("teams", project.teamId), await isFree("teams", org.teamId)]).toEqual([true, true]);
        return { done };
      });
      expect(await reply.done).toSucceed();
    },
  );
});
