// Reads bytes forward through one small buffer, from a file or from an entry that is being decompressed.
import type { FileHandle } from "node:fs/promises";
import { refuse } from "./problems.js";

/** Writes the next bytes to the start of the target and returns their number; 0 means the end. */
export type ByteSource = (target: Buffer) => Promise<number>;

/** Large enough for the largest record: a directory entry with the longest name, extra field and comment. */
const capacity = 256 * 1024;

export class ByteInput {
  readonly #source: ByteSource;
  readonly #buffer = Buffer.allocUnsafeSlow(capacity);
  #start = 0;
  #end = 0;
  #isEnded = false;
  #position = 0;

  constructor(source: ByteSource) {
    this.#source = source;
  }

  /** How many bytes have been taken so far. */
  get position(): number {
    return this.#position;
  }

  /** Returns this many bytes without taking them, fewer only at the end. All views are valid until the next call. */
  async peek(length: number): Promise<Buffer> {
    while (this.#end - this.#start < length && !this.#isEnded) await this.#fill();
    return this.#buffer.subarray(this.#start, Math.min(this.#end, this.#start + length));
  }

  /** Returns the buffered bytes, at most this many, without taking them; none only at the end. */
  async peekSome(most: number): Promise<Buffer> {
    if (most > 0) await this.peek(1);
    return this.#buffer.subarray(this.#start, Math.min(this.#end, this.#start + most));
  }

  async take(length: number): Promise<Buffer> {
    const bytes = await this.peek(length);
    if (bytes.length < length) refuse("truncated");
    this.skip(length);
    return bytes;
  }

  /** Takes this many bytes in pieces; each piece is valid until the next one is requested. */
  async *takePieces(length: number): AsyncGenerator<Buffer, void> {
    for (let left = length; left > 0; ) {
      const piece = await this.peekSome(left);
      if (piece.length === 0) refuse("truncated");
      yield piece;
      this.skip(piece.length);
      left -= piece.length;
    }
  }

  /** Takes bytes that have been peeked at. */
  skip(length: number): void {
    this.#start += length;
    this.#position += length;
  }

  async #fill(): Promise<void> {
    if (this.#start > 0) {
      this.#buffer.copyWithin(0, this.#start, this.#end);
      this.#end -= this.#start;
      this.#start = 0;
    }
    const added = await this.#source(this.#buffer.subarray(this.#end));
    this.#isEnded = added === 0;
    this.#end += added;
  }
}

export function fromFile(file: FileHandle, start = 0): ByteSource {
  let position = start;
  return async (target) => {
    const { bytesRead } = await file.read(target, 0, target.length, position);
    position += bytesRead;
    return bytesRead;
  };
}

export function fromPieces(pieces: AsyncIterator<Buffer>): ByteSource {
  let rest: Buffer = Buffer.alloc(0);
  return async (target) => {
    while (rest.length === 0) {
      const { done, value } = await pieces.next();
      if (done) return 0;
      rest = value;
    }
    const copied = rest.copy(target);
    rest = rest.subarray(copied);
    return copied;
  };
}
