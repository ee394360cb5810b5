// Finds the word that a mistyped one was meant to be.

/** Undefined if none of the words is near. */
export function findNearest(typed: string, words: readonly string[]): string | undefined {
  // Longer input is no mistyped command, and comparing it takes long.
  if (typed.length > 30) return undefined;
  const [best] = words
    .map((word) => ({ word, distance: distanceOf(typed, word) }))
    .filter(({ word, distance }) => distance <= Math.max(1, Math.floor(word.length / 3)))
    .sort((one, other) => one.distance - other.distance);
  return best?.word;
}

/** How many letters must be added, removed, replaced or swapped with their neighbor. */
function distanceOf(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const replaced = rows[i - 1]![j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      row[j] = Math.min(
        replaced,
        row[j - 1]! + 1,
        rows[i - 1]![j]! + 1,
        isSwapped ? rows[i - 2]![j - 2]! + 1 : Infinity,
      );
    }
    rows[i] = row;
  }
  return rows[one.length]![other.length]!;
}
