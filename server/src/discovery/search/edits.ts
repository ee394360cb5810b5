// How far two words are apart, in slips of the finger: a letter too many, too few, another one, or two exchanged.

/** How many slips a word of so many letters is forgiven. */
export const forgivenSlips = (letters: number): 0 | 1 | 2 => (letters < 4 ? 0 : letters < 8 ? 1 : 2);

const longest = 64;
const width = longest + 1;
const table = new Uint8Array(width * width);
for (let at = 0; at < width; at++) {
  table[at] = at;
  table[at * width] = at;
}

/** The number of slips between the words, or undefined where there are more than `most`. */
export function countSlips(a: string, b: string, most: number): number | undefined {
  if (Math.abs(a.length - b.length) > most || a.length > longest || b.length > longest) return undefined;
  for (let i = 1; i <= a.length; i++) {
    // Further from the diagonal there are more slips than forgiven, whatever the letters.
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
