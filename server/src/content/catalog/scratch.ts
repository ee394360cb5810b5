// Memory that is lent for an answer and taken back when it has been sent. New buffers of a hundred kilobytes for every
// answer make the garbage collector walk the whole heap again and again, which costs more than all else about them.

const smallest = 64 * 1024;
const largest = 4 * 1024 * 1024;
/** What is kept for the next borrowers. */
const mostKept = 32 * 1024 * 1024;

export interface Loan {
  /** At least so long, with anything in it. Once a loan. */
  take(length: number): Buffer;
  /** From now on it is somebody else's. Who forgets it leaves it to the garbage collector. */
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
