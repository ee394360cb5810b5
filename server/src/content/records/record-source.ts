// Where the bytes of a prepared project come from: a file, through the caches of the main thread (catalog/stored-record.ts) or
// straight, or memory.
import { closeSync, openSync, readSync } from "node:fs";
import { viewOf } from "#lib/view-of.js";
import { type Place, segmentPath } from "./journal.js";

/** Bytes of a record in memory. They may be replaced by the next call that asks for a block, of any record. */
export interface Block {
  readonly bytes: Buffer;
  readonly view: DataView;
  /** Where in `bytes` they begin. */
  readonly at: number;
  readonly length: number;
  /** Whether they may be damaged: they were read from the file just now, or never were in one. */
  readonly isNew: boolean;
}

export interface RecordSource {
  /** The length of the whole record. */
  readonly length: number;
  /** Throws if the bytes cannot be read. */
  read(into: Buffer, at: number, from: number, length: number): void;
  /** So many bytes of the record, or fewer at its end; they are kept in memory while they are used often. Throws like `read`. */
  block(from: number, length: number): Block;
  /** Lets another thread read these bytes, so that the system has them in its memory. */
  readAhead(from: number, length: number): Promise<void>;
  /** Changes a figure at a place in a block, where the block is in memory. */
  setFigure(from: number, at: number, value: number): void;
  /** Notes that the project holds so many bytes in memory now. */
  holds(bytes: number): void;
  /** The record is damaged: it is not used any more. */
  fail(message: string): never;
}

/** A record that is in memory as a whole. */
export class MemoryRecord implements RecordSource {
  readonly bytes: Buffer;
  readonly view: DataView;
  readonly length: number;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.length = bytes.length;
    this.view = viewOf(bytes);
  }

  read(into: Buffer, at: number, from: number, length: number): void {
    this.bytes.copy(into, at, from, from + length);
  }

  block(from: number, _length: number): Block {
    return { bytes: this.bytes, view: this.view, at: from, length: this.bytes.length - from, isNew: true };
  }

  async readAhead(): Promise<void> {}

  setFigure(from: number, at: number, value: number): void {
    this.view.setFloat64(from + at, value, true);
  }

  holds(): void {}

  fail(message: string): never {
    throw new Error(message);
  }
}

/** A record in a file, for the thread that prepares: nothing of it is kept in memory. */
export class FileRecord implements RecordSource {
  readonly length: number;
  readonly #file: number;
  readonly #offset: number;

  /** Throws if there is no such file. */
  constructor(folder: string, { segment, offset, length }: Place) {
    this.length = length;
    this.#offset = offset;
    this.#file = openSync(segmentPath(folder, segment), "r");
  }

  read(into: Buffer, at: number, from: number, length: number): void {
    if (readSync(this.#file, into, at, length, this.#offset + from) !== length) this.fail("The record is incomplete");
  }

  block(from: number, length: number): Block {
    const bytes = Buffer.allocUnsafe(Math.min(length, this.length - from));
    this.read(bytes, 0, from, bytes.length);
    return new MemoryRecord(bytes).block(0, bytes.length);
  }

  async readAhead(): Promise<void> {}

  setFigure(): void {}

  holds(): void {}

  fail(message: string): never {
    throw new Error(message);
  }

  close(): void {
    closeSync(this.#file);
  }
}
