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
    const byte = bytes[from++]!;
    if (byte < 128) number += byte;
    else {
      let gap = byte & 127;
      for (let shift = 7; ; shift += 7) {
        const more = bytes[from++]!;
        gap |= (more & 127) << shift;
        if (more < 128) break;
      }
      number += gap;
    }
    into[next++] = number;
  }
  return next;
}

/** The number of bytes that a difference takes. */
const bytesOf = (gap: number): number =>
  gap < 1 << 7 ? 1 : gap < 1 << 14 ? 2 : gap < 1 << 21 ? 3 : gap < 1 << 28 ? 4 : 5;

/** A list of packed numbers that grows at its end. */
export class PackedNumbers {
  #bytes: Uint8Array<ArrayBuffer>;
  #length = 0;
  #last = 0;

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
    return this.#bytes.byteLength;
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
