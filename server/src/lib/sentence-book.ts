// Finds sentences by their English words and says them in another language. {0}, {1} stand for the parts that change.

export type SentencePair = readonly [english: string, other: string];
export type SentenceBook = (text: string) => string | undefined;

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The first letter of a sentence may be small or not; it is so in the other language too. */
export function sentenceBook(pairs: readonly SentencePair[]): SentenceBook {
  const plain = new Map(
    pairs.filter(([english]) => !hasParts(english)).map(([english, other]) => [lower(english), other]),
  );
  // The longest first: the most particular one counts.
  const templates = pairs
    .filter(([english]) => hasParts(english))
    .toSorted(([one], [another]) => another.length - one.length)
    .map(([english, other]) => ({ pattern: patternOf(lower(english)), order: placesOf(english), other }));

  const find = (text: string): string | undefined => {
    const known = plain.get(text);
    if (known !== undefined) return known;
    for (const { pattern, order, other } of templates) {
      const parts = pattern.exec(text)?.slice(1);
      if (!parts) continue;
      // A part may be a sentence of its own: why a file was refused.
      return other.replace(/\{(\d)\}/g, (_, place) => {
        const part = parts[order.indexOf(Number(place))] ?? "";
        return plain.get(lower(part)) ?? find(lower(part)) ?? part;
      });
    }
    return undefined;
  };

  return (text) => {
    // Ours are shorter: what is longer has been sent by somebody, and looking for its parts would take too long.
    if (text.length > longest) return undefined;
    const found = find(lower(text));
    return found !== undefined && text !== lower(text) ? upper(found) : found;
  };
}

const longest = 2000;

const hasParts = (english: string): boolean => english.includes("{0}");

function patternOf(english: string): RegExp {
  const escaped = english.replace(/[\\^$.*+?()[\]|]/g, "\\$&").replace(/\{(?!\d\})/g, "\\{");
  return new RegExp(`^${escaped.replace(/\{\d\}/g, "(.*?)")}$`, "s");
}

const placesOf = (english: string): number[] => [...english.matchAll(/\{(\d)\}/g)].map(([, place]) => Number(place));
