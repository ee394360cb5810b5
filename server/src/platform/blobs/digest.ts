// Reads a source to its end and computes hashes and size, in slices so that the event loop can run in between.
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { BlobDigest, BlobStore } from "./store.js";

/** Hashing this much takes about 3 ms, the longest that one step may block the event loop. */
const sliceBytes = 1024 * 1024;

export function createDigester(): { update(bytes: Uint8Array): void; finish(): BlobDigest } {
  const sha512 = createHash("sha512");
  const sha1 = createHash("sha1");
  let size = 0;
  return {
    update(bytes) {
      sha512.update(bytes);
      sha1.update(bytes);
      size += bytes.byteLength;
    },
    finish: () => ({ sha512: sha512.digest("hex"), sha1: sha1.digest("hex"), size }),
  };
}

/** Yields the source in small slices; an abort ends the wait for the next chunk and destroys the source. */
export async function* slicesOf(
  source: Readable | AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const iterator: AsyncIterator<Uint8Array> = source[Symbol.asyncIterator]();
  let finished = false;
  try {
    for (;;) {
      const next = await nextOrAbort(iterator, signal);
      if (next.done) break;
      // A stream with an encoding yields strings, which have no byteLength and would be dropped silently.
      if (!(next.value instanceof Uint8Array)) throw new TypeError("The source does not yield bytes");
      for (let at = 0; at < next.value.byteLength; at += sliceBytes) yield next.value.subarray(at, at + sliceBytes);
    }
    finished = true;
  } finally {
    if (source instanceof Readable) source.destroy();
    // Not awaited: return() of a generator that waits forever would never resolve.
    else if (!finished) iterator.return?.().catch(() => {});
  }
}

function nextOrAbort<T>(iterator: AsyncIterator<T>, signal: AbortSignal | undefined): Promise<IteratorResult<T>> {
  if (!signal) return iterator.next();
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) return onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    iterator
      .next()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", onAbort));
  });
}

export async function digestOf(source: Readable | AsyncIterable<Uint8Array>): Promise<BlobDigest> {
  const digester = createDigester();
  for await (const slice of slicesOf(source)) digester.update(slice);
  return digester.finish();
}

/** Reads the whole blob and compares it with its hash, to detect bit rot. False if the blob does not exist. */
export async function isIntact(store: BlobStore, sha512: string): Promise<boolean> {
  const blob = await store.open(sha512);
  return blob !== undefined && (await digestOf(blob.stream)).sha512 === sha512;
}
