// The interface to stored bytes. A blob is addressed by the SHA-512 of its content, so it never changes and is stored
// once.
// The database knows which rows refer to a blob; the store does not.
import type { Readable, Writable } from "node:stream";

/** Hashes are lower-case hex. */
export interface BlobDigest {
  sha512: string;
  sha1: string;
  size: number;
}

/** Bytes in a local file, fsynced and hashed, that can be inspected before they are kept. */
export interface StagedBlob extends BlobDigest {
  path: string;
  /** Deletes the file. Harmless after keep() and when called twice: callers put it into a `finally`. */
  discard(): Promise<void>;
}

/** A staged file that remains until it is removed, on the disk of the server that staged it. */
export interface RetainedFile {
  path: string;
  size: number;
}

export interface StageOptions {
  maxBytes: number;
  signal?: AbortSignal | undefined;
  /** No other code uses the source's chunks: their memory is freed as soon as they are written. */
  ownsChunks?: boolean;
}

/** Both ends are inclusive, as in HTTP. An end after the last byte means the last byte. */
export interface ByteRange {
  start: number;
  end: number;
}

interface OpenRange {
  /** The number of bytes in the range. */
  length: number;
  /** The number of bytes in the whole blob. */
  size: number;
}

export interface OpenBlob extends OpenRange {
  readonly stream: Readable;
}

export interface BlobToSend extends OpenRange {
  /** Ends the output. Rejects if reading or writing fails; then the output is destroyed. */
  sendTo(out: Writable): Promise<void>;
  /** Instead of sending it. */
  cancel(): void;
}

/** A small blob in memory. */
export interface Loaded {
  bytes: Buffer;
  /** Whether the bytes are for this reader only, who may free their memory (release.ts). */
  isOwn: boolean;
}

export interface StoredBlob {
  sha512: string;
  size: number;
  /** When these bytes were first stored. Keeping them again does not change it. */
  lastModified: Date;
}

/** A temporary file of an upload. */
export interface Temporary {
  name: string;
  lastModified: Date;
}

export interface SignedUrlOptions {
  expiresSeconds: number;
  contentType?: string | undefined;
  contentDisposition?: string | undefined;
  cacheControl?: string | undefined;
}

export interface BlobStore {
  /**
   * Streams to a temporary file while hashing and counting. On failure or abort the source is destroyed and no file
   * remains.
   */
  stage(source: Readable | AsyncIterable<Uint8Array>, options: StageOptions): Promise<StagedBlob>;
  /** Lets a staged file outlive its request; `discard` no longer removes it. Returns the name for findRetained. */
  retain(staged: StagedBlob): Promise<string>;
  /** Undefined if another server of the same site has it, or if it was removed. */
  findRetained(name: string): Promise<RetainedFile | undefined>;
  removeRetained(name: string): Promise<void>;
  /**
   * Makes the bytes durable under their hash. May be repeated, and is safe for concurrent uploads of the same content.
   */
  keep(staged: StagedBlob): Promise<BlobDigest>;
  /** stage and keep for bytes that are already in memory, such as images. */
  put(bytes: Uint8Array): Promise<BlobDigest>;
  find(sha512: string): Promise<{ size: number } | undefined>;
  /** The stream must be read to its end or destroyed. */
  open(sha512: string, range?: ByteRange): Promise<OpenBlob | undefined>;
  /** For a client: takes less time and memory than a stream. */
  openToSend(sha512: string, range?: ByteRange): Promise<BlobToSend | undefined>;
  /** The whole blob in memory; only for small ones. */
  read(sha512: string): Promise<Buffer | undefined>;
  /**
   * Deletes the bytes, if they exist. The store cannot see whether they are still referenced: call this only under the
   * lock that an upload of the same content takes before its final check that the bytes exist.
   */
  delete(sha512: string): Promise<void>;
  list(): AsyncIterable<StoredBlob>;
  listTemporaries(): AsyncIterable<Temporary>;
  /** Deletes files of crashed uploads that were last modified before the given time. Returns their number. */
  removeStaleTemporaries(olderThan: Date): Promise<number>;
  /** A time-limited URL that serves the bytes without this server; undefined if the storage has no URLs. */
  signedUrl(sha512: string, options: SignedUrlOptions): Promise<string | undefined>;
  /** Writes, reads and deletes a small object; throws if the storage cannot do that now. */
  probe(): Promise<void>;
  close(): Promise<void>;
}
