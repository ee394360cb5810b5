// The taxonomy in force, compiled and cached until it changes.
import type { Kysely } from "kysely";
import { cachedValue } from "#platform/changes/cached-value.js";
import type { Db, Tables } from "#platform/db/tables.js";
import type { TaxonomyDocument } from "./document.js";
import { compileTaxonomy, type Taxonomy } from "./taxonomy.js";

export const getTaxonomy = cachedValue("taxonomy", "taxonomy", loadTaxonomy);

async function loadTaxonomy(db: Kysely<Tables>): Promise<{ value: Taxonomy; bytes: number }> {
  const row = await findNewestTaxonomy(db);
  if (!row) throw new Error("There is no taxonomy; the server stores one when it starts");
  // An estimate: the compiled form has every name in several indexes.
  return { value: compileTaxonomy(JSON.parse(row.document) as TaxonomyDocument), bytes: 8 * row.document.length };
}

/** Each change adds a row: the newest row is in force, the older ones are the history. */
export const findNewestTaxonomy = (db: Db) =>
  db.selectFrom("taxonomies").selectAll().orderBy("id", "desc").limit(1).executeTakeFirst();
