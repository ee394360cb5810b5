// Parts of pages that depend only on the taxonomy, the language and a name, such as links on project cards and filters. A list
// has hundreds of them, and they are the same on every page: each is rendered once, until the taxonomy changes.
import { type Element, flattened, type Html } from "#lib/jsx-runtime.js";
import { useFrame } from "./frame.js";

/** In characters, for one taxonomy. One with 500 names takes half of it in three languages. */
const mostCharacters = 1_000_000;

interface Kept {
  parts: Map<string, Html>;
  characters: number;
}

const keptWith = new WeakMap<object, Kept>();

function keptFor(taxonomy: object): Kept {
  const known = keptWith.get(taxonomy);
  if (known) return known;
  const kept: Kept = { parts: new Map(), characters: 0 };
  keptWith.set(taxonomy, kept);
  return kept;
}

/** `key` says everything that `make` depends on besides the taxonomy and the language. */
export function keepHtml(key: string, make: () => Element): Html {
  const { typeSource, locale } = useFrame();
  const kept = keptFor(typeSource);
  const whole = `${locale} ${key}`;
  const known = kept.parts.get(whole);
  if (known) return known;
  const part = flattened(make());
  // Names that visitors make up must not keep out those that are used.
  if (kept.characters > mostCharacters) {
    kept.parts.clear();
    kept.characters = 0;
  }
  kept.parts.set(whole, part);
  kept.characters += whole.length + part.text.length;
  return part;
}
