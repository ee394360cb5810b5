// Splits descriptions into words without stopping other requests for long.
import { setImmediate as nextTurn } from "node:timers/promises";
import { toTextWords } from "./words.js";

/** Splitting takes about 0.1 µs for each letter. A description can have 60,000. */
const manyLetters = 60_000;

/** Calls `use` for each text, and lets other requests run after many letters. */
export async function inTurns<T extends { description: string }>(
  texts: readonly T[],
  use: (text: T) => void,
): Promise<void> {
  let letters = 0;
  for (const text of texts) {
    letters += text.description.length;
    if (letters > manyLetters) {
      await nextTurn();
      letters = text.description.length;
    }
    use(text);
  }
}

export const splitTexts = <T extends { description: string }>(
  texts: readonly T[],
  use: (text: T, words: Set<string>) => void,
): Promise<void> => inTurns(texts, (text) => use(text, toTextWords(text.description)));
