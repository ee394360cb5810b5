// Computes keyed fingerprints of 64 bits, for tables that cannot hold whole hashes or names (fingerprint-table.ts).
import { hkdfSync } from "node:crypto";

/** The largest prime below 2³². */
const prime = 4_294_967_291;
/** Longer texts are cut: they share fingerprints only with texts that are too long as well. */
const mostWords = 64;
const constants = mostWords + 2;
/** As many products as can be added without rounding. A multiple of four: so many are added before the sum is. */
const wordsPerSum = 32;

/** The value of a hexadecimal digit by its character code; 255 for other characters. */
const digitValues = new Uint8Array(256).fill(255);
for (const [value, digit] of [..."0123456789abcdef"].entries()) {
  digitValues[digit.charCodeAt(0)] = value;
  digitValues[digit.toUpperCase().charCodeAt(0)] = value;
}
/** The value of two digits by their characters, read as a little-endian number; larger than 255 if one is not a digit. */
const pairValues = Uint16Array.from({ length: 0x10000 }, (_, pair) => {
  const [first, second] = [digitValues[pair & 0xff]!, digitValues[pair >> 8]!];
  return Math.max(first, second) > 15 ? 0xffff : (first << 4) | second;
});

/**
 * One half of a fingerprint: (c + Σ mᵢ·wᵢ) mod p for words of 16 bits, where the constant c (one for each length) and
 * the multipliers mᵢ are secret, independent and uniform modulo p. Two different inputs of the same length are equal for
 * exactly one value of one multiplier, whatever the others are, and inputs of different lengths for exactly one value of
 * one constant. So a client who does not know the key cannot choose two inputs with the same half with a probability
 * above 1/p, or with the same fingerprint above 1/p² ≈ 2⁻⁶⁴: a made-up hash matches one of n files with at most n/2⁶⁴.
 * Products modulo 2³² would not do: inputs that differ in the highest bits of two words would be equal for every key.
 *
 * The sums are exact, because 32 products of 16 and 32 bits fit into the 53 bits of a number.
 */
class Half {
  readonly multipliers: Float64Array;
  readonly #constants: Float64Array;

  constructor(random: Float64Array) {
    this.multipliers = random.subarray(0, mostWords);
    this.#constants = random.subarray(mostWords, mostWords + constants);
  }

  of(words: Uint16Array, count: number, length: number): number {
    const { multipliers } = this;
    let [sum, n] = [0, 0];
    for (; n + 4 <= count; n += 4) {
      if (n === wordsPerSum) sum = remainder(sum);
      sum +=
        multipliers[n]! * words[n]! +
        multipliers[n + 1]! * words[n + 1]! +
        (multipliers[n + 2]! * words[n + 2]! + multipliers[n + 3]! * words[n + 3]!);
    }
    if (n === wordsPerSum) sum = remainder(sum);
    for (; n < count; n++) sum += multipliers[n]! * words[n]!;
    return this.finish(sum, length);
  }

  /** `sum`: of at most 32 products and a remainder. */
  finish(sum: number, length: number): number {
    return mix(remainder(remainder(sum) + this.#constants[Math.min(length, constants - 1)]!));
  }
}

/** The same as `value % prime`, which calls a function of the C library, in a tenth of the time. */
function remainder(value: number): number {
  const rest = value - Math.floor(value / prime) * prime;
  // The quotient may have been rounded up.
  return rest < 0 ? rest + prime : rest;
}

/**
 * Spreads alike inputs over all positions of a table: every bit of the input changes about half of the output. It is
 * one-to-one, so the bound above remains.
 */
function mix(value: number): number {
  let bits = value ^ (value >>> 16);
  bits = Math.imul(bits, 0x85ebca6b);
  bits ^= bits >>> 13;
  bits = Math.imul(bits, 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/**
 * The result of the last read… call is in `high` and `low`, so that nothing is allocated for each hash. Hashes in hex
 * and in bytes have the same fingerprint.
 */
export class FingerprintKey {
  high = 0;
  low = 0;
  readonly #first: Half;
  readonly #second: Half;
  readonly #words = new Uint16Array(mostWords);
  /** The hash of the last call, if it was readHex: a look-up reads each hash for its projects and then for its version. */
  #lastHex: string | undefined;

  constructor(secret: Uint8Array) {
    const count = mostWords + constants;
    const bytes = new DataView(hkdfSync("sha512", secret, "", "fingerprints", 2 * 8 * count));
    // 53 random bits modulo p are uniform, except for a part of 2⁻²¹.
    const random = Float64Array.from({ length: 2 * count }, (_, n) => {
      return (bytes.getUint32(8 * n) * 2 ** 21 + (bytes.getUint32(8 * n + 4) >>> 11)) % prime;
    });
    this.#first = new Half(random.subarray(0, count));
    this.#second = new Half(random.subarray(count));
  }

  /** A hash in hexadecimal, in any case. Returns false if it is not one, or is longer than 64 bytes. */
  readHex(hex: string): boolean {
    if (hex === this.#lastHex) return true;
    const count = hex.length >> 2;
    if (count > mostWords || (hex.length & 3) !== 0) return false;
    for (let n = 0; n < count; n++) {
      let word = 0;
      for (let at = 4 * n; at < 4 * n + 4; at++) {
        const nibble = digitValues[hex.charCodeAt(at)] ?? 255;
        if (nibble === 255) return false;
        word = (word << 4) | nibble;
      }
      this.#words[n] = word;
    }
    this.#finish(count, count);
    this.#lastHex = hex;
    return true;
  }

  /**
   * The same for hexadecimal digits in bytes. Their number is a multiple of eight, and at most 128. A view reads two digits
   * at once.
   */
  readHexBytes(bytes: DataView, from: number, length: number): boolean {
    const [first, second] = [this.#first.multipliers, this.#second.multipliers];
    const count = length >> 2;
    let [high, low, digits] = [0, 0, 0];
    for (let n = 0, at = from; n < count; n += 2, at += 8) {
      const a = pairValues[bytes.getUint16(at, true)]!;
      const b = pairValues[bytes.getUint16(at + 2, true)]!;
      const c = pairValues[bytes.getUint16(at + 4, true)]!;
      const d = pairValues[bytes.getUint16(at + 6, true)]!;
      digits |= a | b | c | d;
      const word = (a << 8) | b;
      const next = (c << 8) | d;
      // Each addition to a sum waits for the last one, so two products are added to each other first.
      high += first[n]! * word + first[n + 1]! * next;
      low += second[n]! * word + second[n + 1]! * next;
    }
    if (digits > 0xff) return false;
    this.#lastHex = undefined;
    this.high = this.#first.finish(high, count);
    this.low = this.#second.finish(low, count);
    return true;
  }

  /** A hash as bytes; their number is even. */
  readBytes(bytes: Uint8Array): void {
    const count = bytes.length >> 1;
    for (let n = 0; n < count; n++) this.#words[n] = (bytes[2 * n]! << 8) | bytes[2 * n + 1]!;
    this.#finish(count, count);
  }

  readText(text: string): void {
    const count = Math.min(text.length, mostWords);
    for (let n = 0; n < count; n++) this.#words[n] = text.charCodeAt(n);
    this.#finish(count, text.length);
  }

  #finish(count: number, length: number): void {
    this.#lastHex = undefined;
    this.high = this.#first.of(this.#words, count, length);
    this.low = this.#second.of(this.#words, count, length);
  }
}
