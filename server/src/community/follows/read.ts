// Reads follows, as far as the caller can see the projects.
import { sql } from "kysely";
import { visibleTo } from "#content/projects/policy.js";
import { fromJson, type Json } from "#lib/json.js";
import type { Db } from "#platform/db/tables.js";
import { timestamp } from "#platform/http/schemas.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { initialDefaults, initialPreferences } from "./policy.js";
import type { Follow, FollowDefaults, FollowPreferences } from "./shapes.js";

/** Fields that are not in the row have the value of a new follow. */
export const toPreferences = (stored: Json<unknown>): FollowPreferences => ({
  ...initialPreferences,
  ...(fromJson(stored) as Partial<FollowPreferences>),
});

export const toDefaults = (stored: Json<unknown> | null): FollowDefaults =>
  stored === null ? initialDefaults : { ...initialDefaults, ...(fromJson(stored) as Partial<FollowDefaults>) };

export async function findFollow(db: Db, userId: string, projectId: string): Promise<Follow | undefined> {
  const row = await db
    .selectFrom("follows")
    .selectAll()
    .where("user_id", "=", userId)
    .where("project_id", "=", projectId)
    .executeTakeFirst();
  return row && toFollow(row);
}

const toFollow = (row: { project_id: string; date_created: number; preferences: Json<unknown> }): Follow => ({
  projectId: row.project_id,
  dateFollowed: timestamp(row.date_created),
  preferences: toPreferences(row.preferences),
});

/** The follows of the caller. A project that they can no longer see stays followed, and is left out. */
const follows = (db: Db, viewer: SignedIn) =>
  db
    .selectFrom("follows")
    .innerJoin("projects", "projects.id", "follows.project_id")
    .where("follows.user_id", "=", viewer.user.id)
    .where(visibleTo(viewer))
    .orderBy("projects.downloads", "desc")
    .orderBy("projects.id");

export async function listFollows(db: Db, viewer: SignedIn): Promise<Follow[]> {
  return (await follows(db, viewer).selectAll("follows").execute()).map(toFollow);
}

export async function listFollowedIds(db: Db, viewer: SignedIn): Promise<string[]> {
  return (await follows(db, viewer).select("follows.project_id as id").execute()).map(({ id }) => id);
}

/** The project with this id or slug among those that the user follows, whether or not they can still see it. */
export async function findFollowedId(db: Db, userId: string, ref: string): Promise<string | undefined> {
  const slug = ref.toLowerCase();
  const row = await db
    .selectFrom("follows")
    .innerJoin("projects", "projects.id", "follows.project_id")
    .select("projects.id")
    .where("follows.user_id", "=", userId)
    .where((or) => or.or([or("projects.id", "=", ref), or("projects.slug", "=", slug)]))
    .orderBy(sql`case when projects.id = ${ref} then 0 else 1 end`)
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}
