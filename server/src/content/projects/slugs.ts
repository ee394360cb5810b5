// Who gets a slug. The unique index decides between two who want the same one; a slug that a project or organization has
// left leads to it until another takes it; and no slug is ever an id in small letters, for refs match slugs in any case.
import { sql } from "kysely";
import { isReservedSlug } from "#lib/slugs.js";
import type { Tx } from "#platform/changes/write.js";
import { brokenUnique, inList } from "#platform/db/dialect.js";
import type { Db } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import { refuseRetired } from "./retired-names.js";

export type Named = "project" | "organization";

/** Sets the slug by the given work (insert or update), then takes it from whoever has left it. */
export async function takeSlug(
  tx: Tx,
  kind: Named,
  { id, slug }: { id: string; slug: string },
  set: () => Promise<unknown>,
): Promise<void> {
  if (isReservedSlug(slug)) throw fail.nameReserved(slug);
  if (await isFormOfId(tx.db, kind, slug)) throw fail.slugTaken();
  try {
    await set();
  } catch (error) {
    if (brokenUnique(error) === `${kind}s_slug`) throw fail.slugTaken();
    throw error;
  }
  // After it is set: whoever was leaving it meanwhile has committed by now, and so is seen.
  await refuseRetired(tx, { kind, scope: "", name: slug });
  const left = await oldSlugs[kind].drop(tx, slug);
  if (left !== undefined && left !== id) tx.changed(kind, left);
}

/** Keeps the slug leading to the one that leaves it. */
export const leaveSlug = (tx: Tx, kind: Named, { id, slug }: { id: string; slug: string }): Promise<unknown> =>
  oldSlugs[kind].keep(tx, slug, id);

const oldSlugs = {
  project: {
    drop: async ({ db }: Tx, slug: string) => {
      const row = db.deleteFrom("project_old_slugs").where("slug", "=", slug).returning("project_id");
      return (await row.executeTakeFirst())?.project_id;
    },
    keep: ({ db, now }: Tx, slug: string, id: string) => {
      const row = { project_id: id, date_retired: now };
      const old = db.insertInto("project_old_slugs").values({ slug, ...row });
      return old.onConflict((conflict) => conflict.column("slug").doUpdateSet(row)).execute();
    },
  },
  organization: {
    drop: async ({ db }: Tx, slug: string) => {
      const row = db.deleteFrom("organization_old_slugs").where("slug", "=", slug).returning("org_id");
      return (await row.executeTakeFirst())?.org_id;
    },
    keep: ({ db, now }: Tx, slug: string, id: string) => {
      const row = { org_id: id, date_retired: now };
      const old = db.insertInto("organization_old_slugs").values({ slug, ...row });
      return old.onConflict((conflict) => conflict.column("slug").doUpdateSet(row)).execute();
    },
  },
};

const idLength = 8;

/**
 * Whether some project's (or organization's) id, also a deleted one's, reads as this slug in small letters. Whoever
 * asks for that id must never be led to another one, not even after the first is gone.
 */
async function isFormOfId(db: Db, kind: Named, slug: string): Promise<boolean> {
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
