// Whether the operator's taxonomy file can be used; asked before anything is opened or changed.
import { readFileSync } from "node:fs";
import { parseTaxonomy } from "#content/taxonomy/document.js";

/** What is wrong with it, line by line; undefined when nothing is, or when no file is named. */
export function findTaxonomyFault(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  const parsed = parseTaxonomy(readFileSync(file, "utf8"), file);
  return parsed.ok ? undefined : parsed.report;
}
