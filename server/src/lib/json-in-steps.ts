// A large value as JSON, a part of it at a time, for lib/slices.ts.

/** A step writes about so many characters. */
const charactersPerStep = 50;

/** The same text as JSON.stringify. Of objects, this many levels are taken apart; what lies deeper is written at once. */
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
