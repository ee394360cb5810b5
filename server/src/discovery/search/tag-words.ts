// The words in the names of loaders and categories: a text with such a word also finds the projects that have the loader or
// category.
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import type { Facets } from "./facets.js";
import type { SlotSet } from "./slot-set.js";
import { toIndexedWords, type Word } from "./words.js";

interface Tag {
  kind: "loader" | "category";
  name: string;
}

/** Shorter words, such as "of", say nothing about a tag. */
const shortest = 3;

/** A taxonomy never changes: another one replaces it. */
const known = new WeakMap<Taxonomy, ReadonlyMap<string, readonly Tag[]>>();

function tagsOf(taxonomy: Taxonomy): ReadonlyMap<string, readonly Tag[]> {
  const tags = known.get(taxonomy) ?? readTags(taxonomy);
  known.set(taxonomy, tags);
  return tags;
}

function readTags({ loaders, categories, loaderLabel }: Taxonomy): Map<string, Tag[]> {
  const tags = new Map<string, Tag[]>();
  const add = (text: string, tag: Tag) => {
    for (const word of new Set(toIndexedWords(text)))
      if (word.length >= shortest) tags.set(word, [...(tags.get(word) ?? []), tag]);
  };
  for (const { name } of loaders) add(`${name.replaceAll("_", " ")} ${loaderLabel(name)}`, { kind: "loader", name });
  for (const { name } of categories) add(name.replaceAll("_", " "), { kind: "category", name });
  return tags;
}

export function findTagged(
  taxonomy: Taxonomy,
  facets: Facets,
  words: readonly Word[],
): ReadonlyMap<string, readonly SlotSet[]> {
  const tags = tagsOf(taxonomy);
  const setOf = ({ kind, name }: Tag) => (kind === "loader" ? facets.withLoader(name) : facets.categories.get(name));
  return new Map(words.map(({ text }) => [text, (tags.get(text) ?? []).flatMap((tag) => setOf(tag) ?? [])]));
}
