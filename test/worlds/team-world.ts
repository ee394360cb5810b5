// A server with teams and organizations, and helpers for tests about membership.
import type { Row } from "#platform/db/tables.js";
import type { Reply, TestUser } from "#test/callers/actors.js";
import { type TestApp, testApp } from "#test/server/harness.js";

export interface TeamWorld extends TestApp {
  users(count: number): Promise<TestUser[]>;
  entry(teamId: string, user: TestUser): Promise<Row<"team_members"> | undefined>;
  owners(teamId: string): Promise<string[]>;
  notices(user: TestUser): Promise<{ type: string; body: unknown }[]>;
  /** The parts of a refusal that must be equal to those for a missing object. */
  shown(reply: Reply): unknown;
}

export async function teamWorld(): Promise<TeamWorld> {
  const world = await testApp();
  const { db } = world.resources;
  return {
    ...world,
    users: (count) => Promise.all(Array.from({ length: count }, () => world.make.user())),
    entry: (teamId, user) =>
      db
        .selectFrom("team_members")
        .selectAll()
        .where("team_id", "=", teamId)
        .where("user_id", "=", user.id)
        .executeTakeFirst(),
    owners: async (teamId) => {
      const rows = await db
        .selectFrom("team_members")
        .select("user_id")
        .where("team_id", "=", teamId)
        .where("is_owner", "=", 1)
        .execute();
      return rows.map((row) => row.user_id);
    },
    notices: async (user) => {
      const rows = await db
        .selectFrom("notifications")
        .select(["type", "body"])
        .where("user_id", "=", user.id)
        .orderBy("type")
        .execute();
      return rows.map(({ type, body }) => ({ type, body: JSON.parse(body) }));
    },
    shown: ({ status, body }) => ({ status, body: { ...body, requestId: undefined } }),
  };
}
