// Parts of pages that depend only on the taxonomy, the language and a name, such as links on project cards and filters. A list
// has hundreds of them, and they are the same on every page: each is rendered once, until the taxonomy changes. So are parts
// with a few texts that differ, such as a cell of a table: only these texts are put into them at each use.
import { type Element, flattened, type Html, Template } from "#lib/jsx-runtime.js";
import type { Locale } from "#words/languages.js";
import { useFrame } from "./frame.js";

/** In characters, for one taxonomy. One with 500 names takes half of it in three languages. */
const mostCharacters = 1_000_000;

interface Kept {
  byLocale: Map<Locale, Map<string, Html | Template>>;
  characters: number;
}

const keptWith = new WeakMap<object, Kept>();

function keptFor(taxonomy: object): Kept {
  const known = keptWith.get(taxonomy);
  if (known) return known;
  const kept: Kept = { byLocale: new Map(), characters: 0 };
  keptWith.set(taxonomy, kept);
  return kept;
}

function keep<P extends Html | Template>(key: string, make: () => P, lengthOf: (part: P) => number): P {
  const { typeSource, locale } = useFrame();
  const kept = keptFor(typeSource);
  const known = kept.byLocale.get(locale)?.get(key) as P | undefined;
  if (known) return known;
  const part = make();
  // Names that visitors make up must not keep out those that are used.
  if (kept.characters > mostCharacters) {
    kept.byLocale.clear();
    kept.characters = 0;
  }
  const parts = kept.byLocale.get(locale) ?? new Map<string, Html | Template>();
  kept.byLocale.set(locale, parts.set(key, part));
  kept.characters += key.length + lengthOf(part);
  return part;
}

/** `key` says everything that `make` depends on besides the taxonomy and the language. */
export const keepHtml = (key: string, make: () => Element): Html =>
  keep(
    key,
    () => flattened(make()),
    ({ text }) => text.length,
  );

/**
 * The same for a part that contains texts of its own: only these differ from use to use. `make` gets a stand-in for each of
 * them; it can put them into texts and attributes, and nothing else may depend on them. Keys are not those of `keepHtml`.
 */
export const fillHtml = (key: string, texts: readonly string[], make: (places: readonly string[]) => Element): Html =>
  keep(
    key,
    () => new Template(texts.length, make),
    ({ length }) => length,
  ).fill(texts);
