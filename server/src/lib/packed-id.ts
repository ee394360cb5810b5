// Ids as numbers, for arrays of numbers: eight characters of base62 are less than 2⁴⁸. Their order is that of the ids.
import { base62 } from "./base62.js";

const idLength = 8;
/** The value of a digit by its character code; 255 for other characters. */
const digits = new Uint8Array(128).fill(255);
for (const [value, digit] of [...base62].entries()) digits[digit.charCodeAt(0)] = value;

/** Undefined for an id of another form. */
export function packId(id: string): number | undefined {
  if (id.length !== idLength) return undefined;
  let packed = 0;
  for (let at = 0; at < idLength; at++) {
    const digit = digits[id.charCodeAt(at)] ?? 255;
    if (digit === 255) return undefined;
    packed = packed * base62.length + digit;
  }
  return packed;
}

/** All pairs of digits: two divisions for each of eight digits would take ten times as long. */
const pairs = [...base62].flatMap((first) => [...base62].map((second) => first + second));
const perPair = base62.length ** 2;
const perHalf = perPair ** 2;

export function unpackId(packed: number): string {
  const high = Math.floor(packed / perHalf);
  const low = packed - high * perHalf;
  return (
    pairs[Math.floor(high / perPair)]! +
    pairs[high % perPair]! +
    pairs[Math.floor(low / perPair)]! +
    pairs[low % perPair]!
  );
}
