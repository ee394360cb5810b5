// Whether a name was that of a public project that is deleted: who follows an old link should learn that it was right once.
// What was never public is as absent as what never was.
import { type SqlBool, sql } from "kysely";
import type { Db } from "../db/tables.js";

export async function wasPublicProject(db: Db, name: string): Promise<boolean> {
  const row = await db
    .selectFrom("retired_names as gone")
    .innerJoin("public_changes as told", "told.object_id", "gone.object_id")
    .select("gone.name")
    .where("gone.kind", "=", "project")
    .where("gone.name", "=", name.toLowerCase())
    .where("told.kind", "=", "project")
    // Said so that the index of these alone is used.
    .where(sql<SqlBool>`told.act = 'deleted'`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
