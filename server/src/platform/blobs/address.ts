// Maps a hash to a relative path, which is the same on disk and in a bucket, so that either can be copied to the other.
import { BlobRangeInvalid } from "./errors.js";
import type { ByteRange } from "./store.js";

const sha512Pattern = /^[0-9a-f]{128}$/;

export function isSha512(text: string): boolean {
  return sha512Pattern.test(text);
}

/** Protects against `../x`: only a valid hash ever becomes part of a path. */
export function toBlobPath(sha512: string): string {
  if (typeof sha512 !== "string" || !isSha512(sha512)) throw new TypeError("Not a SHA-512 in lower-case hex");
  return `blobs/${sha512.slice(0, 2)}/${sha512.slice(2, 4)}/${sha512}`;
}

export function assertRange(range: ByteRange | undefined): void {
  if (!range) return;
  const { start, end } = range;
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end < start) {
    throw new BlobRangeInvalid("Not a range of bytes");
  }
}

/** The part of a blob of this size that the range covers. */
export function toExtent(range: ByteRange | undefined, size: number): ByteRange & { length: number } {
  if (!range) return { start: 0, end: size - 1, length: size };
  if (range.start >= size) throw new BlobRangeInvalid("The range starts after the last byte");
  const end = Math.min(range.end, size - 1);
  return { start: range.start, end, length: end - range.start + 1 };
}
