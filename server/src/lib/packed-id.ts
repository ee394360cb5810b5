// Ids as numbers, for arrays of numbers: eight characters of base62 are less than 2⁴⁸. Their order is that of the ids.
import { base62 } from "./base62.js";

const idLength = 8;
const digits = new Map([...base62].map((digit, value) => [digit.charCodeAt(0), value]));

/** Undefined for an id of another form. */
export function packId(id: string): number | undefined {
  if (id.length !== idLength) return undefined;
  let packed = 0;
  for (let at = 0; at < idLength; at++) {
    const digit = digits.get(id.charCodeAt(at));
    if (digit === undefined) return undefined;
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
