// A record in a file. Its small parts are kept in memory (block-cache.ts), with figures that are not written yet.
import { closeSync, openSync, read, readSync } from "node:fs";
import { segmentPath } from "#content/records/journal.js";
import type { Block, RecordSource } from "#content/records/record-source.js";
import type { BlockCache } from "./block-cache.js";
import type { ReadPace } from "./read-pace.js";
import type { UnwrittenFigures } from "./unwritten-figures.js";

let segments = 0;

export class Segment {
  /** Identifies it among all segments of this process: numbers are used again if the files are dropped, or are others. */
  readonly serial = segments++;
  used = 0;
  written = 0;
  /** Its records are being moved, or it waits to be removed. */
  isLeaving = false;
  isClosed = false;
  readonly file: number;

  constructor(folder: string, number: number) {
    this.file = openSync(segmentPath(folder, number), "r");
  }

  close(): void {
    if (!this.isClosed) closeSync(this.file);
    this.isClosed = true;
  }
}

/** The events of records that their owner hears of. */
export interface RecordEvents {
  /** A record could not be read, or is damaged. */
  onFailure(slot: number, error: unknown): void;
  /** The project of this record holds so many bytes in memory now. */
  onHold(slot: number, record: RecordSource, bytes: number): void;
}

/** Everything that the records of a server share. */
export interface RecordSurroundings {
  readonly events: RecordEvents;
  readonly blocks: BlockCache;
  readonly unwritten: UnwrittenFigures;
  readonly pace: ReadPace;
}

/** Other threads write what they have read ahead to it, at the same time, and nothing reads it. */
const unused = Buffer.allocUnsafeSlow(64 * 1024);

/** Identifies a place in the segments of this process. */
export const keyOf = ({ serial }: Segment, position: number): number => (serial + 1) * 2 ** 32 + position;

export class StoredRecord implements RecordSource {
  readonly slot: number;
  readonly length: number;
  readonly #around: RecordSurroundings;
  readonly #segment: Segment;
  readonly #key: number;
  readonly #offset: number;

  constructor(around: RecordSurroundings, slot: number, segment: Segment, offset: number, length: number) {
    this.slot = slot;
    this.length = length;
    this.#around = around;
    this.#segment = segment;
    this.#key = keyOf(segment, offset);
    this.#offset = offset;
  }

  read(into: Buffer, at: number, from: number, length: number): void {
    if (this.#read(into, at, from, length) !== length) this.fail("The record is incomplete");
  }

  block(from: number, length: number): Block {
    const { blocks } = this.#around;
    const key = this.#key + from;
    const found = blocks.find(key, length);
    if (found) return found;
    const block = blocks.reserve(key, length);
    // Less is read at the end of the file.
    block.keep(key, this.#read(block.bytes, block.at, from, length));
    return block;
  }

  async readAhead(from: number, length: number): Promise<void> {
    if (this.#around.blocks.find(this.#key + from, length) || this.#segment.isClosed) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    // If it fails, the read that follows will say so.
    const [size, position] = [Math.min(length, unused.length), this.#offset + from];
    read(this.#segment.file, unused, 0, size, position, () => resolve());
    return promise;
  }

  setFigure(from: number, at: number, value: number): void {
    this.#around.blocks.setFigure(this.#key + from, at, value);
  }

  holds(bytes: number): void {
    this.#around.events.onHold(this.slot, this, bytes);
  }

  fail(message: string): never {
    return this.#fail(new Error(message));
  }

  #read(into: Buffer, at: number, from: number, length: number): number {
    let count = 0;
    try {
      if (this.#segment.isClosed) throw new Error("The record is in a file that was removed");
      const begunAt = this.#around.pace.begin();
      count = readSync(this.#segment.file, into, at, length, this.#offset + from);
      this.#around.pace.end(begunAt);
    } catch (error) {
      this.#fail(error);
    }
    const { unwritten } = this.#around;
    if (unwritten.size > 0) unwritten.applyTo(this.#key, into, at, from, count);
    return count;
  }

  #fail(error: unknown): never {
    this.#around.events.onFailure(this.slot, error);
    throw error;
  }
}
