// Changes of single entries of a taxonomy: an entry is added, changed, removed, or moved within its list. Pure; the
// result is validated as a whole document is.
import { type ParsedTaxonomy, parseTaxonomy, type TaxonomyDocument } from "./document.js";

export const entryLists = ["gameVersions", "loaders", "categories", "projectTypes"] as const;
export type EntryList = (typeof entryLists)[number];

export const nameOf = (entry: object): string =>
  "value" in entry ? (entry.value as string) : (entry as { name: string }).name;

export const findEntry = (document: TaxonomyDocument, list: EntryList, name: string): object | undefined =>
  document[list].find((entry) => nameOf(entry) === name);

const check = (document: object): ParsedTaxonomy => parseTaxonomy(JSON.stringify(document), "taxonomy.json");

/** Game versions are in order, newest first, so a new one comes first; other entries come last. */
export const addEntry = (document: TaxonomyDocument, list: EntryList, entry: object): ParsedTaxonomy =>
  check({ ...document, [list]: list === "gameVersions" ? [entry, ...document[list]] : [...document[list], entry] });

/** Replaces the given fields; one that is undefined is removed. Other entries follow a project type to its new name. */
export function editEntry(document: TaxonomyDocument, list: EntryList, name: string, fields: object): ParsedTaxonomy {
  const edited = {
    ...document,
    [list]: document[list].map((entry) => (nameOf(entry) === name ? { ...entry, ...fields } : entry)),
  };
  const newName = nameOf(fields);
  return check(
    list === "projectTypes" && newName !== name ? mapTypes(edited, (type) => (type === name ? newName : type)) : edited,
  );
}

/** Loaders and categories that are only for a removed project type are removed with it. */
export function removeEntry(document: TaxonomyDocument, list: EntryList, name: string): ParsedTaxonomy {
  const rest = { ...document, [list]: document[list].filter((entry) => nameOf(entry) !== name) };
  return check(list === "projectTypes" ? mapTypes(rest, (type) => (type === name ? [] : type)) : rest);
}

function mapTypes(document: TaxonomyDocument, toTypes: (type: string) => string | string[]): TaxonomyDocument {
  const rename = <Entry extends { projectTypes: string[] }>(entries: readonly Entry[]): Entry[] =>
    entries
      .map((entry) => ({ ...entry, projectTypes: entry.projectTypes.flatMap(toTypes) }))
      .filter(({ projectTypes }) => projectTypes.length > 0);
  return {
    ...document,
    loaders: rename(document.loaders),
    categories: rename(document.categories),
    combinations: document.combinations.map((group) => group.flatMap(toTypes)).filter((group) => group.length > 1),
  };
}

/** An unknown name, and a step beyond the end of the list, change nothing. */
export function moveEntry(document: TaxonomyDocument, list: EntryList, name: string, step: -1 | 1): ParsedTaxonomy {
  const entries: object[] = [...document[list]];
  const at = entries.findIndex((entry) => nameOf(entry) === name);
  const [from, to] = [entries[at], entries[at + step]];
  if (from && to) [entries[at], entries[at + step]] = [to, from];
  return check({ ...document, [list]: entries });
}

/** Undefined unless these are all names of the list. */
export function orderEntries(
  document: TaxonomyDocument,
  list: EntryList,
  names: readonly string[],
): ParsedTaxonomy | undefined {
  const entries = new Map(document[list].map((entry: object) => [nameOf(entry), entry]));
  const ordered = names.flatMap((name) => entries.get(name) ?? []);
  const isWhole = names.length === entries.size && new Set(ordered).size === entries.size;
  return isWhole ? check({ ...document, [list]: ordered }) : undefined;
}
