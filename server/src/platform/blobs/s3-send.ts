// Reads small objects into memory and sends larger ones to clients, without a stream: their bytes arrive where they are
// needed (s3-connections.ts). If that fails, a stream says why, or has the rest.
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { BlobStorageUnavailable } from "./errors.js";
import type { S3Client } from "./s3-client.js";
import type { ObjectHead, Receiver } from "./s3-connections.js";
import { openObject } from "./s3-read.js";
import { type Pair, sendThrough, takePair } from "./send-buffers.js";
import type { BlobToSend, ByteRange } from "./store.js";

/** A whole object in memory. */
export async function readObject(client: S3Client, key: string): Promise<Buffer | undefined> {
  const whole = new WholeObject();
  const bytes = (await client.readInto(whole, key)) ? await whole.bytes : undefined;
  if (bytes) return bytes;
  const object = await openObject(client, key);
  return object && Buffer.concat(await object.stream.toArray());
}

/** Undefined if there is no such object. */
export async function openObjectToSend(
  client: S3Client,
  key: string,
  range?: ByteRange,
): Promise<BlobToSend | undefined> {
  const taken = takePair(range ? range.end + 1 - range.start : Number.POSITIVE_INFINITY);
  const object = taken && new PulledObject(client, key, taken.pair);
  if (object && (await client.readInto(object, key, range)) && isWanted(object.head, range)) {
    const { length, size } = object.head;
    return {
      ...{ length, size },
      sendTo: (out) => sendThrough(taken, object, length, out),
      cancel() {
        object.close();
        taken.end(true);
      },
    };
  }
  object?.close();
  taken?.end(true);
  const opened = await openObject(client, key, range);
  if (!opened) return undefined;
  const { stream, length, size } = opened;
  return { length, size, sendTo: (out) => pipeline(stream, out), cancel: () => void stream.destroy() };
}

class WholeObject implements Receiver {
  readonly #result = Promise.withResolvers<Buffer | undefined>();
  /** Undefined if the connection was lost. */
  readonly bytes = this.#result.promise;
  #all = Buffer.alloc(0);
  #at = 0;

  begin({ length }: ObjectHead): void {
    this.#all = Buffer.allocUnsafeSlow(length);
    if (length === 0) this.#result.resolve(this.#all);
  }

  space(): Buffer {
    return this.#all.subarray(this.#at);
  }

  arrived(count: number): boolean {
    this.#at += count;
    if (this.#at === this.#all.length) this.#result.resolve(this.#all);
    return true;
  }

  lose(): void {
    this.#result.resolve(undefined);
  }
}

/** Whether the answer is the range that was asked for. Some servers send more, or answer for a range that does not exist. */
function isWanted({ start, length, size }: ObjectHead, range: ByteRange | undefined): boolean {
  if (!range) return length === size;
  return start === range.start && length === Math.min(range.end, size - 1) - start + 1 && length > 0 && start < size;
}

/** An object whose bytes arrive in the halves of a pair, in turn. If the connection is lost, a stream has the rest. */
class PulledObject implements Receiver {
  readonly #client: S3Client;
  readonly #key: string;
  readonly #pair: Pair;
  head: ObjectHead = { start: 0, length: 0, size: 0 };
  #turn: 0 | 1 = 0;
  #connection: { resume(): void; destroy(): void } | undefined;
  /** The number of bytes that have arrived over the connection. */
  #arrived = 0;
  /** The number of bytes in the half that has not been read yet. */
  #ready = 0;
  #isLost = false;
  #waiting: (() => void) | undefined;
  #rest: { stream: Readable; chunks: AsyncIterator<Buffer>; chunk: Buffer } | undefined;

  constructor(client: S3Client, key: string, pair: Pair) {
    this.#client = client;
    this.#key = key;
    this.#pair = pair;
  }

  begin(head: ObjectHead, connection: { resume(): void; destroy(): void }): void {
    this.head = head;
    this.#connection = connection;
  }

  space(): Buffer {
    return this.#pair[this.#turn];
  }

  arrived(count: number): boolean {
    this.#ready = count;
    this.#arrived += count;
    this.#turn ^= 1;
    this.#waiting?.();
    return false;
  }

  lose(): void {
    this.#isLost = true;
    this.#waiting?.();
  }

  /** Fills the start of a half: the first one, then the second one, then the first one again. */
  async read(half: Buffer): Promise<number> {
    if (this.#ready === 0 && !this.#isLost) {
      this.#connection!.resume();
      await new Promise<void>((resolve) => {
        this.#waiting = resolve;
      });
      this.#waiting = undefined;
    }
    const count = this.#ready > 0 ? this.#ready : await this.#readRest(half);
    this.#ready = 0;
    return count;
  }

  async #readRest(half: Buffer): Promise<number> {
    this.#rest ??= await this.#openRest();
    if (this.#rest.chunk.length === 0) {
      const { value, done } = await this.#rest.chunks.next();
      if (done) return 0;
      this.#rest.chunk = value;
    }
    const count = this.#rest.chunk.copy(half);
    this.#rest.chunk = this.#rest.chunk.subarray(count);
    return count;
  }

  async #openRest() {
    const { start, length } = this.head;
    const rest = await openObject(this.#client, this.#key, { start: start + this.#arrived, end: start + length - 1 });
    if (!rest) throw new BlobStorageUnavailable("S3 broke off in the middle of GET");
    const { stream } = rest;
    return { stream, chunks: stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>, chunk: Buffer.alloc(0) };
  }

  close(): void {
    this.#rest?.stream.destroy();
    // After its last byte the connection may already be in use for another object.
    if (this.#arrived < this.head.length) this.#connection?.destroy();
  }
}
