// Whether something that is not there was there for all to see: who follows an old link should learn that it was right
// once. What was never public is as absent as what never was.
import { type SqlBool, sql } from "kysely";
import type { Db } from "#platform/db/tables.js";
import type { RetiredName } from "./retired-names.js";

/** Whether this was the name of something public that is deleted. */
export async function wasPublic(db: Db, { kind, scope, name }: RetiredName): Promise<boolean> {
  const row = await db
    .selectFrom("retired_names as gone")
    .innerJoin("public_changes as told", "told.object_id", "gone.object_id")
    .select("gone.name")
    .where("gone.kind", "=", kind)
    .where("gone.scope", "=", scope)
    .where("gone.name", "=", name.toLowerCase())
    .where("told.kind", "=", kind)
    // Said so that the index of these alone is used.
    .where(sql<SqlBool>`told.act = 'deleted'`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Whether the last word of moderators was to withhold a project for a legal reason that strangers had seen before. Its
 * owners can hide it as any other.
 */
export async function isBarred(db: Db, projectId: string): Promise<boolean> {
  const last = await db
    .selectFrom("reviews")
    .innerJoin("projects", "projects.id", "reviews.project_id")
    .select(["reviews.reason", "reviews.was_public", "projects.status", "projects.visibility"])
    .where("reviews.project_id", "=", projectId)
    .orderBy("reviews.date_decided", "desc")
    .limit(1)
    .executeTakeFirst();
  return (
    last?.reason === "legal" && last.was_public === 1 && last.status !== "approved" && last.visibility !== "private"
  );
}
