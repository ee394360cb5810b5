// Puts a taxonomy in force: the operator's file if one is configured, otherwise the default of Modshelf.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { type Tx, type Writing, write } from "#platform/changes/write.js";
import { parseTaxonomy, type TaxonomyDocument } from "./document.js";
import { findNewestTaxonomy } from "./read.js";
import { readDefaultTaxonomy } from "./taxonomy.js";

export class TaxonomyError extends Error {}

/** Runs at every start: a changed file or a new default adds a row. Returns whether anything changed. */
export async function installTaxonomy(to: Writing, file: string | undefined): Promise<boolean> {
  const document = file === undefined ? readDefaultTaxonomy() : readTaxonomyFile(file);
  const newest = await findNewestTaxonomy(to.db);
  // A taxonomy that was set on the website overrides the default; a configured file overrides both.
  if (file === undefined && newest?.source === webSource) return false;
  return write(to, { credential: "server start" }, (tx) => setTaxonomy(tx, document, file ?? "default"));
}

function readTaxonomyFile(file: string): TaxonomyDocument {
  const parsed = parseTaxonomy(readFileSync(file, "utf8"), file);
  if (!parsed.ok) throw new TaxonomyError(parsed.report);
  return parsed.document;
}

export const webSource = "web";

/** Adds a row unless the newest one is equal. Returns whether anything changed. */
export async function setTaxonomy(tx: Tx, taxonomy: TaxonomyDocument, source: string): Promise<boolean> {
  const document = JSON.stringify(taxonomy);
  const digest = createHash("sha256").update(document).digest("hex");
  const newest = await findNewestTaxonomy(tx.db);
  if (newest?.digest === digest) return false;
  await tx.db.insertInto("taxonomies").values({ digest, source, document, date_created: tx.now }).execute();
  tx.audit("taxonomy.set", { kind: "taxonomy", id: digest }, { source });
  tx.changed("taxonomy", digest);
  return true;
}
