// Memory that is lent for an answer and reused after it has been sent. Allocating a hundred kilobytes for every answer
// would make the garbage collector run so often that it costs more than everything else.

const smallest = 64 * 1024;
const largest = 4 * 1024 * 1024;
/** Bytes that are kept for reuse. */
const mostKept = 32 * 1024 * 1024;

export interface Loan {
  /** A buffer of at least this length with arbitrary content. May be called once per loan. */
  take(length: number): Buffer;
  /** Returns the buffer for reuse. If this is never called, the garbage collector frees it. */
  giveBack(): void;
}

export class Scratch {
  readonly #free = new Map<number, Buffer[]>();
  #kept = 0;

  lend(): Loan {
    let taken: Buffer | undefined;
    return {
      take: (length) => {
        taken = this.#find(length);
        return taken;
      },
      giveBack: () => {
        if (taken) this.#keep(taken);
        taken = undefined;
      },
    };
  }

  #find(length: number): Buffer {
    if (length > largest) return Buffer.allocUnsafeSlow(length);
    let size = smallest;
    while (size < length) size *= 2;
    const found = this.#free.get(size)?.pop();
    if (!found) return Buffer.allocUnsafeSlow(size);
    this.#kept -= size;
    return found;
  }

  #keep(buffer: Buffer): void {
    const size = buffer.length;
    if (size > largest || this.#kept + size > mostKept) return;
    this.#kept += size;
    const free = this.#free.get(size);
    if (free) free.push(buffer);
    else this.#free.set(size, [buffer]);
  }
}
