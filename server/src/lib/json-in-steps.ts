// Writes a large value as JSON, one part at a time, for lib/slices.ts.

/** One step is about this many characters. */
const charactersPerStep = 50;

/**
 * Yields the same text as JSON.stringify. Objects are split down to this many levels; deeper ones are written at once.
 */
export function* jsonInSteps(value: object, levels: number): Generator<number, string> {
  const parts: string[] = [];
  for (const [key, item] of Object.entries(value)) {
    const isTakenApart = levels > 1 && typeof item === "object" && item !== null && !Array.isArray(item);
    const text = isTakenApart ? yield* jsonInSteps(item, levels - 1) : JSON.stringify(item);
    if (text === undefined) continue;
    parts.push(`${JSON.stringify(key)}:${text}`);
    if (!isTakenApart) yield 1 + text.length / charactersPerStep;
  }
  return `{${parts.join()}}`;
}
