// Sends files through buffers that are used again for the next file, which takes half as long as a stream with a new buffer
// for every chunk. While one half of a pair is being sent, the other half is filled.
import type { Writable } from "node:stream";

export type Pair = [Buffer, Buffer];

/** Pairs of one size. Slow clients hold their pair for long, so that there are only so many. */
class Pairs {
  readonly halfBytes: number;
  readonly #most: number;
  readonly #free: Pair[] = [];
  #made = 0;

  constructor(halfBytes: number, most: number) {
    this.halfBytes = halfBytes;
    this.#most = most;
  }

  take(): Pair | undefined {
    const pair = this.#free.pop();
    if (pair || this.#made === this.#most) return pair;
    this.#made++;
    return [Buffer.allocUnsafeSlow(this.halfBytes), Buffer.allocUnsafeSlow(this.halfBytes)];
  }

  giveBack(pair: Pair): void {
    this.#free.push(pair);
  }

  /** A pair that was taken must not be used again. */
  giveUp(): void {
    this.#made--;
  }
}

/**
 * On a busy server each half waits for its turn: through wide halves, a file of 5 MB arrives in less than half of the time that
 * it takes through narrow ones. All pairs together take at most 32 MiB.
 */
const wide = new Pairs(1024 * 1024, 8);
const narrow = new Pairs(256 * 1024, 32);

export interface TakenPair {
  pair: Pair;
  /** Ends the use of the pair. It is used again only if no output can still refer to its bytes. */
  end(isFree: boolean): void;
}

/** Undefined if all pairs are in use. */
export function takePair(length: number): TakenPair | undefined {
  for (const pairs of length > narrow.halfBytes ? [wide, narrow] : [narrow]) {
    const pair = pairs.take();
    if (pair) return { pair, end: (isFree) => (isFree ? pairs.giveBack(pair) : pairs.giveUp()) };
  }
  return undefined;
}

export interface Source {
  /** Fills the start of the half with the next bytes. Returns their number, which is 0 only after the last byte. */
  read(half: Buffer): Promise<number>;
  close(): void | Promise<void>;
}

/** Closes the source and ends the output; if one fails, the other is closed too. */
export async function sendThrough(taken: TakenPair, source: Source, length: number, out: Writable): Promise<void> {
  let writing: Promise<void> = Promise.resolve();
  try {
    for (let at = 0, turn = 0; at < length; turn ^= 1) {
      const half = taken.pair[turn as 0 | 1];
      const count = await source.read(half);
      if (count === 0) throw new Error("A stored file is shorter than it was when it was opened");
      at += count;
      await writing;
      writing = writeOut(out, half.subarray(0, count));
      // Awaited in the next iteration; without this handler a failure before that would be an unhandled rejection.
      writing.catch(() => undefined);
    }
    await writing;
    out.end();
  } catch (error) {
    // Destroyed without the error, which goes to the caller: an output without an error listener would crash the
    // process.
    out.destroy();
    throw error;
  } finally {
    // The output may still refer to bytes that it could not send; then the buffer must not be reused.
    const isOurs = await writing.then(
      () => true,
      () => false,
    );
    await source.close();
    taken.end(isOurs);
  }
}

/** Resolves when the system has taken the bytes; rejects when the connection is closed. */
const writeOut = (out: Writable, bytes: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    // A closed output never calls the callback.
    const onClose = () => reject(new Error("The client has disconnected"));
    if (out.destroyed) return onClose();
    out.once("close", onClose);
    out.write(bytes, (error) => {
      out.off("close", onClose);
      if (error) reject(error);
      else resolve();
    });
  });
