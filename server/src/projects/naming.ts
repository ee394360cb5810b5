// Who gets a slug. The unique index decides between two who want the same one; a slug that a project has left leads to
// it until another takes it; and no slug is ever an id in small letters, for refs match slugs in any case.
import { sql } from "kysely";
import type { Tx } from "../changes/write.js";
import { brokenUnique, inList } from "../db/dialect.js";
import type { Db } from "../db/tables.js";
import { fail } from "../errors.js";
import { isReservedSlug } from "../lib/slugs.js";

/** Sets the slug by the given work (insert or update), then takes it from whoever has left it. */
export async function takeSlug(tx: Tx, projectId: string, slug: string, set: () => Promise<unknown>): Promise<void> {
  if (isReservedSlug(slug)) throw fail.nameReserved(slug);
  if (await isFormOfId(tx.db, "project", slug)) throw fail.slugTaken();
  try {
    await set();
  } catch (error) {
    if (brokenUnique(error) === "projects_slug") throw fail.slugTaken();
    throw error;
  }
  // After it is set: whoever was leaving it meanwhile has committed by now, and so is seen.
  const left = await tx.db
    .deleteFrom("project_old_slugs")
    .where("slug", "=", slug)
    .returning("project_id")
    .executeTakeFirst();
  if (left && left.project_id !== projectId) tx.changed("project", left.project_id);
}

/** Keeps the slug leading to the project that leaves it. */
export async function leaveSlug(tx: Tx, projectId: string, slug: string): Promise<void> {
  await tx.db
    .insertInto("project_old_slugs")
    .values({ slug, project_id: projectId, date_retired: tx.now })
    .onConflict((conflict) => conflict.column("slug").doUpdateSet({ project_id: projectId, date_retired: tx.now }))
    .execute();
}

const idLength = 8;

/**
 * Whether some project's (or organization's) id, also a deleted one's, reads as this slug in small letters. Whoever
 * asks for that id must never be led to another one, not even after the first is gone.
 */
export async function isFormOfId(db: Db, kind: "project" | "organization", slug: string): Promise<boolean> {
  if (!/^[a-z0-9]{8}$/.test(slug)) return false;
  const forms = caseForms(slug);
  const living = await db
    .selectFrom(kind === "project" ? "projects" : "organizations")
    .select("id")
    .where(inList(db, sql.ref("id"), forms))
    .executeTakeFirst();
  if (living) return true;
  const deleted = await db
    .selectFrom("audit_log")
    .select("id")
    .where("object_kind", "=", kind)
    .where(inList(db, sql.ref("object_id"), forms))
    .executeTakeFirst();
  return deleted !== undefined;
}

/** All ways to write the text in small and capital letters: 256 at most, each a look into an index. */
function caseForms(text: string): string[] {
  let forms = [""];
  for (const char of text.slice(0, idLength)) {
    const either = char === char.toUpperCase() ? [char] : [char, char.toUpperCase()];
    forms = forms.flatMap((form) => either.map((next) => form + next));
  }
  return forms;
}
