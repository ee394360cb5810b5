// Puts a taxonomy in force: the operator's file where one is named, else the one that comes with Modshelf.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { type Writing, write } from "../changes/write.js";
import { parseTaxonomy } from "./document.js";
import { findNewestTaxonomy } from "./read.js";
import { readDefaultTaxonomyText } from "./taxonomy.js";

export class TaxonomyError extends Error {}

/** Runs at every start: a changed file, or a new default, becomes a new row. Returns whether anything changed. */
export async function installTaxonomy(to: Writing, file: string | undefined): Promise<boolean> {
  const source = file ?? "default";
  const text = file === undefined ? readDefaultTaxonomyText() : readFileSync(file, "utf8");
  const parsed = parseTaxonomy(text, file ?? "default.yaml");
  if (!parsed.ok) throw new TaxonomyError(parsed.report);
  const document = JSON.stringify(parsed.document);
  const digest = createHash("sha256").update(document).digest("hex");
  const newest = await findNewestTaxonomy(to.db);
  if (newest?.digest === digest) return false;
  await write(to, { credential: "server start" }, async (tx) => {
    await tx.db.insertInto("taxonomies").values({ digest, source, document, date_created: tx.now }).execute();
    tx.audit("taxonomy.set", { kind: "taxonomy", id: digest }, { source });
    tx.changed("taxonomy", digest);
  });
  return true;
}
