// Whether something that does not exist was public once, so that a user who follows an old link learns that the link
// was right. Things that were never public are answered like things that never existed.
import { type SqlBool, sql } from "kysely";
import type { Db } from "#platform/db/tables.js";
import type { RetiredName } from "./retired-names.js";

/** Whether this was the name of a public object that was deleted. */
export async function wasPublic(db: Db, { kind, scope, name }: RetiredName): Promise<boolean> {
  const row = await db
    .selectFrom("retired_names as gone")
    .innerJoin("public_changes as told", "told.object_id", "gone.object_id")
    .select("gone.name")
    .where("gone.kind", "=", kind)
    .where("gone.scope", "=", scope)
    .where("gone.name", "=", name.toLowerCase())
    .where("told.kind", "=", kind)
    // A literal, so that the partial index applies.
    .where(sql<SqlBool>`told.act = 'deleted'`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Whether the last decision of moderators withheld a project for a legal reason while it was public. False if its
 * owners have hidden it since.
 */
export async function isWithheldForLegalReasons(db: Db, projectId: string): Promise<boolean> {
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
