// The words of a plain text (words.ts), each once, without a string for each time that a word occurs: looking all of these
// up in a set takes five times as long.

const space = 32;
/** After so many other words with the same place in the table, a word is written again, so that no text takes long. */
const mostSteps = 32;

/** For each character the lower-case letter or the digit; 0 for all others. */
const letters = new Uint8Array(256);
for (const letter of "abcdefghijklmnopqrstuvwxyz0123456789") {
  letters[letter.charCodeAt(0)] = letter.charCodeAt(0);
  letters[letter.toUpperCase().charCodeAt(0)] = letter.charCodeAt(0);
}

let input = Buffer.alloc(0);
let output = Buffer.alloc(0);
/** Where words begin in the output, plus 1. A text uses only as many places as it needs: a power of two, less 1 in the mask. */
let table = new Int32Array(0);
let mask = 0;

/** Separated by spaces. Longer words are cut. */
export function uniquePlainWords(text: string, longestWord: number): string {
  makeRoom(text.length);
  input.write(text, "latin1");
  // One more than there are characters, so that the last word ends too.
  input[text.length] = space;
  let [end, length, hash] = [0, 0, 0];
  for (let at = 0; at <= text.length; at++) {
    const letter = letters[input[at]!]!;
    if (letter !== 0) {
      if (length === longestWord) continue;
      output[end + length++] = letter;
      hash = Math.imul(hash ^ letter, 0x01000193);
    } else if (length > 0) {
      output[end + length] = space;
      if (isNew(end, length, hash)) end += length + 1;
      [length, hash] = [0, 0];
    }
  }
  return output.toString("latin1", 0, Math.max(0, end - 1));
}

function makeRoom(length: number): void {
  if (input.length <= length) {
    input = Buffer.allocUnsafeSlow(length + 1);
    output = Buffer.allocUnsafeSlow(length + 1);
  }
  // At most every second character begins a word.
  const places = 2 ** Math.ceil(Math.log2(Math.max(length, 2)));
  if (table.length < places) table = new Int32Array(places);
  else table.fill(0, 0, places);
  mask = places - 1;
}

/** Enters the word at the end of the output, unless it is in there already. */
function isNew(start: number, length: number, hash: number): boolean {
  let place = hash ^ (hash >>> 15);
  for (let step = 0; step < mostSteps; step++, place++) {
    const known = table[place & mask]! - 1;
    if (known < 0) {
      table[place & mask] = start + 1;
      return true;
    }
    let same = 0;
    while (same <= length && output[known + same] === output[start + same]) same++;
    if (same > length) return false;
  }
  return true;
}
