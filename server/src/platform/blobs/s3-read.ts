// Reads an object as a stream that survives a broken connection: content never changes, so reading continues where it
// stopped.
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { toExtent } from "./address.js";
import { BlobRangeInvalid, BlobStorageUnavailable } from "./errors.js";
import { getHeaders, type S3Client } from "./s3-client.js";
import type { ByteRange, OpenBlob } from "./store.js";

const bufferBytes = 512 * 1024;

interface Delivery {
  body: IncomingMessage;
  /** Where the body starts in the object; a server may send more than requested. */
  offset: number;
  size: number;
}

export async function openObject(client: S3Client, key: string, range?: ByteRange): Promise<OpenBlob | undefined> {
  const delivery = await requestDelivery(client, key, range);
  if (!delivery) return undefined;
  const { body, size } = delivery;
  try {
    const { start, end, length } = toExtent(range, size);
    if (delivery.offset > start) throw new BlobStorageUnavailable("S3 answered GET with another range");
    if (length === 0) body.resume();
    const stream = length > 0 ? new ObjectStream(client, key, delivery, { start, end }) : Readable.from([]);
    return { stream, length, size };
  } catch (error) {
    body.destroy();
    throw error;
  }
}

async function requestDelivery(client: S3Client, key: string, range?: ByteRange): Promise<Delivery | undefined> {
  const answer = await client.receive({ method: "GET", key, headers: getHeaders(range), accept: [200, 206, 404, 416] });
  if (answer.status === 404) return undefined;
  if (answer.status === 416) throw new BlobRangeInvalid("The range starts after the last byte");
  const { body } = answer;
  if (answer.status === 200) {
    const size = Number(answer.headers["content-length"] ?? Number.NaN);
    if (Number.isSafeInteger(size)) return { body, offset: 0, size };
  } else {
    const [, first, size] = /^bytes (\d+)-\d+\/(\d+)$/.exec(answer.headers["content-range"] ?? "") ?? [];
    if (first !== undefined && size !== undefined) return { body, offset: Number(first), size: Number(size) };
  }
  body.destroy();
  throw new BlobStorageUnavailable("S3 answered GET without a length");
}

class ObjectStream extends Readable {
  readonly #client: S3Client;
  readonly #key: string;
  readonly #end: number;
  #body: IncomingMessage;
  /** Where the next byte of the body is in the object. */
  #offset: number;
  /** Where the next byte of this stream is in the object. */
  #at: number;
  #failures = 0;
  /** Runs while bytes are expected from the server, not while the reader is slow. */
  #timer: NodeJS.Timeout | undefined;

  constructor(client: S3Client, key: string, { body, offset }: Delivery, { start, end }: ByteRange) {
    super({ highWaterMark: bufferBytes });
    this.#client = client;
    this.#key = key;
    this.#end = end;
    this.#at = start;
    this.#offset = offset;
    this.#body = body;
    this.#listen();
  }

  override _read(): void {
    // After a lost body, reading continues with the next one.
    if (this.#timer || this.#body.destroyed) return;
    this.#expect();
    this.#body.resume();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#expectNothing();
    if (this.#at <= this.#end) this.#body.destroy();
    done(error);
  }

  #listen(): void {
    const body = this.#body.pause();
    let isOver = false;
    const lose = (error: Error) => {
      // Errors of a body that is no longer read have no effect.
      if (isOver || this.destroyed || this.#at > this.#end) return;
      isOver = true;
      this.#reopen(error).catch((failure) => this.destroy(failure));
    };
    body.on("data", (chunk: Buffer) => {
      if (!isOver) this.#take(chunk);
    });
    body.on("error", lose);
    body.on("close", () => lose(new Error("the answer ended early")));
  }

  #take(chunk: Buffer): void {
    const bytes = chunk.subarray(Math.max(0, this.#at - this.#offset), this.#end + 1 - this.#offset);
    this.#offset += chunk.byteLength;
    this.#timer?.refresh();
    if (bytes.byteLength === 0) return;
    this.#failures = 0;
    this.#at += bytes.byteLength;
    const isWanted = this.push(bytes);
    if (this.#at > this.#end) this.#finish();
    else if (!isWanted) {
      this.#expectNothing();
      this.#body.pause();
    }
  }

  #finish(): void {
    this.#expectNothing();
    this.push(null);
    // Reading to the end frees the connection for the next request; bytes that were not requested are not read.
    if (this.#offset > this.#end + 1) this.#body.destroy();
    else this.#body.resume();
  }

  async #reopen(cause: Error): Promise<void> {
    this.#expectNothing();
    this.#failures += 1;
    this.#body.destroy();
    const { patience } = this.#client;
    const rest = { start: this.#at, end: this.#end };
    const next = this.#failures < patience.tries ? await requestDelivery(this.#client, this.#key, rest) : undefined;
    if (!next || next.offset > this.#at) {
      next?.body.destroy();
      throw new BlobStorageUnavailable("S3 broke off in the middle of GET", { cause });
    }
    this.#body = next.body;
    this.#offset = next.offset;
    this.#listen();
    if (this.destroyed) next.body.destroy();
    else this._read();
  }

  #expect(): void {
    const { idleMs } = this.#client.patience;
    this.#timer = setTimeout(() => this.#body.destroy(new Error(`no data for ${idleMs} ms`)), idleMs);
  }

  #expectNothing(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
