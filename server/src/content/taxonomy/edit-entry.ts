// Changes of single entries of a taxonomy: an entry is added, or moved within its list. Pure; the result is validated as a
// whole document is.
import { type ParsedTaxonomy, parseTaxonomy, type TaxonomyDocument } from "./document.js";

export const entryLists = ["gameVersions", "loaders", "categories", "projectTypes"] as const;
export type EntryList = (typeof entryLists)[number];

const nameOf = (entry: object): string =>
  "value" in entry ? (entry.value as string) : (entry as { name: string }).name;

export const namesIn = (document: TaxonomyDocument, list: EntryList): string[] => document[list].map(nameOf);

const check = (document: object): ParsedTaxonomy => parseTaxonomy(JSON.stringify(document), "taxonomy.json");

/** Game versions are in order, newest first, so a new one comes first; other entries come last. */
export const addEntry = (document: TaxonomyDocument, list: EntryList, entry: object): ParsedTaxonomy =>
  check({ ...document, [list]: list === "gameVersions" ? [entry, ...document[list]] : [...document[list], entry] });

/** An unknown name, and a step beyond the end of the list, change nothing. */
export function moveEntry(document: TaxonomyDocument, list: EntryList, name: string, step: -1 | 1): ParsedTaxonomy {
  const entries: object[] = [...document[list]];
  const at = entries.findIndex((entry) => nameOf(entry) === name);
  const [from, to] = [entries[at], entries[at + step]];
  if (from && to) [entries[at], entries[at + step]] = [to, from];
  return check({ ...document, [list]: entries });
}
