// Parts of pages that are the same but for a few figures, such as the filters of lists: they are rendered and compressed once
// (lib/placed-piece.ts). While a page is rendered, a mark stands for each of them.
import { type Element, flattened } from "#lib/jsx-runtime.js";
import { PlacedPiece } from "#lib/placed-piece.js";
import { systemRandom } from "#lib/random.js";
import type { Cache } from "#platform/changes/cache.js";

export interface KeptPart {
  piece: PlacedPiece;
  /** It was rendered with these names. */
  taxonomy: object;
}

export interface PlacedPart {
  piece: PlacedPiece;
  texts: readonly string[];
}

/** Authors cannot know it, so none of their texts can contain a mark. */
const mark = `placed-part-${systemRandom.bytes(12).toString("hex")}-`;
const place = `${mark}place-`;

/** The parts of one page. */
export class PlacedParts {
  readonly #kept: Cache<KeptPart>;
  readonly #parts: PlacedPart[] = [];

  constructor(kept: Cache<KeptPart>) {
    this.#kept = kept;
  }

  /**
   * Adds a part with these texts and returns the mark that stands for it. `key` says everything that `render` depends on besides
   * the taxonomy and its argument, which stands for each text.
   */
  add(key: string, taxonomy: object, texts: readonly string[], render: (place: string) => Element): string {
    const known = this.#kept.get(key);
    const kept = known?.taxonomy === taxonomy ? known : this.#make(key, taxonomy, render);
    this.#parts.push({ piece: kept.piece, texts });
    return mark;
  }

  #make(key: string, taxonomy: object, render: (place: string) => Element): KeptPart {
    const kept = { piece: new PlacedPiece(flattened(render(place)).text.split(place)), taxonomy };
    this.#kept.set(key, kept, kept.piece.bytes);
    return kept;
  }

  /** The page, with its parts in the places of their marks. */
  split(html: string): (string | PlacedPart)[] {
    if (this.#parts.length === 0) return [html];
    return html.split(mark).flatMap((text, at) => (at === 0 ? [text] : [this.#parts[at - 1]!, text]));
  }
}
