// Checks the operator's taxonomy file before anything is opened or changed.
import { readFileSync } from "node:fs";
import { parseTaxonomy } from "#content/taxonomy/document.js";

/** Its faults, line by line; undefined if there are none, or if no file is named. */
export function findTaxonomyFault(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  const parsed = parseTaxonomy(readFileSync(file, "utf8"), file);
  return parsed.ok ? undefined : parsed.report;
}
