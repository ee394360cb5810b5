// Assigns slugs. A unique index decides between concurrent requests. An old slug leads to its former holder until
// another one takes it. No slug equals an id in lower case, because refs match slugs in any case.
import { sql } from "kysely";
import { isReservedSlug } from "#lib/slugs.js";
import type { Tx } from "#platform/changes/write.js";
import { brokenUnique, inList } from "#platform/db/dialect.js";
import type { Db } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import { refuseRetired } from "./retired-names.js";

export type Named = "project" | "organization";

/** Calls `set` to insert or update the slug, then removes it from the old slugs of its former holder. */
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
  // Only after the slug is set: a concurrent request that was leaving it has committed by then and is visible.
  await refuseRetired(tx, { kind, scope: "", name: slug });
  const left = await oldSlugs[kind].drop(tx, slug);
  if (left !== undefined && left !== id) tx.changed(kind, left);
}

/** Records the slug as an old slug, which still leads to its former holder. */
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
 * Whether the slug equals the lower-case id of a project (or organization), including deleted ones. A request for that
 * id must never reach another object.
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

/** All spellings of the text in lower and upper case: at most 256, each one an index look-up. */
function caseForms(text: string): string[] {
  let forms = [""];
  for (const char of text.slice(0, idLength)) {
    const either = char === char.toUpperCase() ? [char] : [char, char.toUpperCase()];
    forms = forms.flatMap((form) => either.map((next) => form + next));
  }
  return forms;
}
