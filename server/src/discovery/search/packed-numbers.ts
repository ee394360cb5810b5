// Ascending numbers as the differences between them, seven bits to a byte: most of the sets of the index have gaps below
// 128, so that a number takes one byte instead of four.

/** Numbers that are being unpacked; one list at a time. */
let unpacked = new Uint32Array(1024);

/** Space for so many numbers, which the next caller uses again. */
export function spaceFor(count: number): Uint32Array {
  if (unpacked.length < count) unpacked = new Uint32Array(Math.ceil(count * 1.5));
  return unpacked;
}

/** Writes the numbers between these places of `bytes` to `into`, from `at` on. Returns the place after the last one. */
export function unpackNumbers(bytes: Uint8Array, start: number, end: number, into: Uint32Array, at: number): number {
  let [number, next, from] = [0, at, start];
  while (from < end) {
    number += gapAt(bytes, from);
    from = afterGap;
    into[next++] = number;
  }
  return next;
}

/** The place after the difference that was read last. */
let afterGap = 0;

function gapAt(bytes: Uint8Array, start: number): number {
  let at = start;
  let byte = bytes[at++]!;
  let gap = byte & 127;
  for (let shift = 7; byte > 127; shift += 7) {
    byte = bytes[at++]!;
    gap |= (byte & 127) << shift;
  }
  afterGap = at;
  return gap;
}

/** The number of bytes that a difference takes. */
const bytesOf = (gap: number): number =>
  gap < 1 << 7 ? 1 : gap < 1 << 14 ? 2 : gap < 1 << 21 ? 3 : gap < 1 << 28 ? 4 : 5;

/** Finding one number takes as long as unpacking so many bytes. */
const bytesPerSearch = 24;

// Marks lead to numbers within a list: there is one for every so many bytes. It is the number before its place, and how many
// bytes that place is behind the regular one, which can be within a number.
const markedBytes = 32;
const behindBits = 3;
const noMarks = new Uint32Array(0);
/** Marks of new numbers are made together. */
const fewUnmarked = 4;

/** The number before a mark, and its place; the first mark has the count 1. */
const numberOf = (marks: Uint32Array, count: number): number => marks[count - 1]! >>> behindBits;
const placeOf = (marks: Uint32Array, count: number): number =>
  count * markedBytes + (marks[count - 1]! & ((1 << behindBits) - 1));

/** The count of marks with a smaller number, of which so many are known: first in growing steps, then in shrinking ones. */
function marksBelow(marks: Uint32Array, number: number, known: number): number {
  let count = known;
  let step = 1;
  for (; count + step <= marks.length && numberOf(marks, count + step) < number; step *= 2) count += step;
  for (; step > 0; step >>>= 1)
    if (count + step <= marks.length && numberOf(marks, count + step) < number) count += step;
  return count;
}

/** A list of packed numbers that grows at its end. */
export class PackedNumbers {
  #bytes: Uint8Array<ArrayBuffer>;
  #length = 0;
  #last = 0;
  /** Made when numbers are looked for. */
  #marks = noMarks;

  /** With space for so many bytes. */
  constructor(space = 0) {
    this.#bytes = new Uint8Array(space);
  }

  /** From packed numbers (content), of which this is the last one. */
  static from(content: Uint8Array<ArrayBuffer>, last: number): PackedNumbers {
    const numbers = new PackedNumbers();
    numbers.#bytes = content;
    numbers.#length = content.length;
    numbers.#last = last;
    return numbers;
  }

  /** The last number; 0 if there is none. */
  get last(): number {
    return this.#last;
  }

  /** The length of the packed numbers. */
  get length(): number {
    return this.#length;
  }

  /** The memory that it takes. */
  get byteLength(): number {
    return this.#bytes.byteLength + this.#marks.byteLength;
  }

  /** The packed numbers. */
  get content(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }

  add(number: number): void {
    this.#addGap(number - this.#last);
    this.#last = number;
  }

  /** The next number is stored as it is: another list begins. */
  restart(): void {
    this.#last = 0;
  }

  /** Adds a list that was packed elsewhere. Another list begins. */
  append(packed: Uint8Array): void {
    this.#reserve(packed.length);
    this.#bytes.set(packed, this.#length);
    this.#length += packed.length;
    this.#last = 0;
  }

  /** Valid until the next list is unpacked. */
  unpack(): Uint32Array {
    const into = spaceFor(this.#length);
    return into.subarray(0, unpackNumbers(this.#bytes, 0, this.#length, into, 0));
  }

  /** The number of its numbers whose bit is set in the bitmap. */
  countIn(bitmap: Uint32Array): number {
    const [bytes, length] = [this.#bytes, this.#length];
    let [count, number, at] = [0, 0, 0];
    while (at < length) {
      number += gapAt(bytes, at);
      at = afterGap;
      count += (bitmap[number >>> 5]! >>> (number & 31)) & 1;
    }
    return count;
  }

  /**
   * Writes those of these ascending numbers that are not in the list to `into`, which may be the same array. Returns their
   * number. Only for a single list, with numbers below 2^29.
   */
  findMissing(wanted: Uint32Array, into: Uint32Array): number {
    const isWhole = wanted.length * bytesPerSearch > this.#length;
    const marks = isWhole ? noMarks : this.#currentMarks();
    const [bytes, length] = [this.#bytes, this.#length];
    let [missing, at, number, passed] = [0, 0, -1, 0];
    for (let index = 0; index < wanted.length; index++) {
      const sought = wanted[index]!;
      const below = marksBelow(marks, sought, passed);
      if (below > passed) {
        passed = below;
        const place = placeOf(marks, passed);
        if (place > at) [at, number] = [place, numberOf(marks, passed)];
      }
      while (number < sought && at < length) {
        number = Math.max(number, 0) + gapAt(bytes, at);
        at = afterGap;
      }
      if (number !== sought) into[missing++] = sought;
    }
    return missing;
  }

  #currentMarks(): Uint32Array {
    const known = this.#marks.length;
    const wanted = Math.floor(this.#length / markedBytes);
    if (wanted - known <= fewUnmarked) return this.#marks;
    const marks = new Uint32Array(wanted);
    marks.set(this.#marks);
    let [at, number] = known === 0 ? [0, 0] : [placeOf(marks, known), numberOf(marks, known)];
    for (let mark = known; mark < wanted; mark++) {
      const place = (mark + 1) * markedBytes;
      for (; at < place; at = afterGap) number += gapAt(this.#bytes, at);
      marks[mark] = (number << behindBits) | (at - place);
    }
    this.#marks = marks;
    return marks;
  }

  /** Gives back the space for more. */
  trim(): void {
    if (this.#length < this.#bytes.length) this.#bytes = this.#bytes.slice(0, this.#length);
  }

  #addGap(gap: number): void {
    this.#reserve(bytesOf(gap));
    let rest = gap;
    for (; rest > 127; rest >>>= 7) this.#bytes[this.#length++] = (rest & 127) | 128;
    this.#bytes[this.#length++] = rest;
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#length + more, 8, Math.ceil(this.#length * 1.5)));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}
