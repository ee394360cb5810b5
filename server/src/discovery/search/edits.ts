// The distance between two words, in typing errors: an inserted, missing or replaced letter, or two swapped ones.

/** The number of typing errors that are tolerated in a word of so many letters. */
export const allowedEdits = (letters: number): 0 | 1 | 2 => (letters < 4 ? 0 : letters < 8 ? 1 : 2);

const longest = 64;
const width = longest + 1;
const table = new Uint8Array(width * width);
for (let at = 0; at < width; at++) {
  table[at] = at;
  table[at * width] = at;
}

/** The number of typing errors between the words, or undefined if there are more than `most`. */
export function countEdits(a: string, b: string, most: number): number | undefined {
  if (Math.abs(a.length - b.length) > most || a.length > longest || b.length > longest) return undefined;
  for (let i = 1; i <= a.length; i++) {
    // Cells further from the diagonal always exceed the limit.
    const from = Math.max(1, i - most);
    const to = Math.min(b.length, i + most);
    if (from > 1) table[i * width + from - 1] = most + 1;
    let least = i;
    for (let j = from; j <= to; j++) {
      const slips = cellOf(a, b, i, j);
      table[i * width + j] = slips;
      if (slips < least) least = slips;
    }
    if (to < b.length) table[i * width + to + 1] = most + 1;
    if (least > most) return undefined;
  }
  const slips = table[a.length * width + b.length]!;
  return slips <= most ? slips : undefined;
}

function cellOf(a: string, b: string, i: number, j: number): number {
  const at = i * width + j;
  const isSame = a.charCodeAt(i - 1) === b.charCodeAt(j - 1);
  let slips = table[at - width - 1]! + (isSame ? 0 : 1);
  slips = Math.min(slips, table[at - width]! + 1, table[at - 1]! + 1);
  const isExchanged =
    i > 1 && j > 1 && a.charCodeAt(i - 1) === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === b.charCodeAt(j - 1);
  return isExchanged ? Math.min(slips, table[at - 2 * width - 2]! + 1) : slips;
}
