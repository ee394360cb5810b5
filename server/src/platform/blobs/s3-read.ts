// Reads an object as a stream that survives a broken connection: content never changes, so reading continues where it
// stopped.
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { toExtent } from "./address.js";
import { BlobRangeInvalid, BlobStorageUnavailable } from "./errors.js";
import type { S3Client } from "./s3-client.js";
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
    const stream = length > 0 ? toStream(client, key, delivery, { start, end }) : Readable.from([]);
    return { stream, sendTo: (out) => pipeline(stream, out), length, size };
  } catch (error) {
    body.destroy();
    throw error;
  }
}

async function requestDelivery(client: S3Client, key: string, range?: ByteRange): Promise<Delivery | undefined> {
  const headers: Record<string, string> = { "accept-encoding": "identity" };
  if (range) headers.range = `bytes=${range.start}-${range.end}`;
  const answer = await client.receive({ method: "GET", key, headers, accept: [200, 206, 404, 416] });
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

function toStream(client: S3Client, key: string, first: Delivery, { start, end }: ByteRange): Readable {
  let { body, offset } = first;
  let chunks: AsyncIterator<Buffer> = body[Symbol.asyncIterator]();
  let at = start;
  let failures = 0;

  async function reopen(cause: unknown): Promise<void> {
    failures += 1;
    body.destroy();
    const next = failures < client.patience.tries ? await requestDelivery(client, key, { start: at, end }) : undefined;
    if (!next || next.offset > at) throw new BlobStorageUnavailable("S3 broke off in the middle of GET", { cause });
    ({ body, offset } = next);
    chunks = body[Symbol.asyncIterator]();
  }

  async function nextBytes(): Promise<Buffer> {
    for (;;) {
      try {
        const chunk = await nextWithin(client.patience.idleMs, body, chunks);
        const bytes = chunk.subarray(Math.max(0, at - offset), end + 1 - offset);
        offset += chunk.byteLength;
        if (bytes.byteLength === 0) continue;
        failures = 0;
        at += bytes.byteLength;
        return bytes;
      } catch (error) {
        if (stream.destroyed) throw error;
        await reopen(error);
      }
    }
  }

  async function* deliver(): AsyncGenerator<Buffer> {
    while (at <= end) yield await nextBytes();
    // Reading to the end frees the connection for the next request; bytes that were not requested are not read.
    if (offset > end + 1) body.destroy();
    else chunks.next().catch(() => {});
  }

  const stream = Readable.from(deliver(), { objectMode: false, highWaterMark: bufferBytes });
  // A generator that was never started, or that waits for bytes, does not notice that its reader is gone.
  stream.once("close", () => at > end || body.destroy());
  return stream;
}

/** The timeout runs only while waiting for the server, not while the consumer is slow. */
async function nextWithin(idleMs: number, body: IncomingMessage, chunks: AsyncIterator<Buffer>): Promise<Buffer> {
  const timer = setTimeout(() => body.destroy(new Error(`no data for ${idleMs} ms`)), idleMs);
  try {
    const next = await chunks.next();
    if (next.done) throw new Error("the answer ended early");
    return next.value;
  } finally {
    clearTimeout(timer);
  }
}
