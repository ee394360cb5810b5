// Resolves ids, slugs and old slugs to ids, in one statement for a list of any length.
import { sql } from "kysely";
import { inList } from "./dialect.js";
import type { Db } from "./tables.js";

const oldSlugs = {
  projects: { table: "project_old_slugs", owner: "project_id" },
  organizations: { table: "organization_old_slugs", owner: "org_id" },
} as const;

/**
 * Ids match exactly, slugs case-insensitively. An id wins over a slug, and a current slug over an old slug of another
 * object. Unknown refs are left out.
 */
export async function findIdsByRef(
  db: Db,
  kind: keyof typeof oldSlugs,
  refs: readonly string[],
): Promise<Map<string, string>> {
  const { table, owner } = oldSlugs[kind];
  const slugs = refs.map((ref) => ref.toLowerCase());
  const { rows } = await sql<{ ref: string; id: string }>`
    select id as ref, id, 0 as rank from ${sql.table(kind)} where ${inList(db, sql.ref("id"), refs)}
    union all select slug as ref, id, 1 as rank from ${sql.table(kind)} where ${inList(db, sql.ref("slug"), slugs)}
    union all select slug as ref, ${sql.ref(owner)} as id, 2 as rank from ${sql.table(table)}
      where ${inList(db, sql.ref("slug"), slugs)}
    order by rank desc`.execute(db);
  const found = new Map(rows.map((row) => [row.ref, row.id]));
  return new Map(
    refs.flatMap((ref) => {
      const id = found.get(ref) ?? found.get(ref.toLowerCase());
      return id === undefined ? [] : [[ref, id] as const];
    }),
  );
}
