// The one interface to stored bytes. A blob is found by the SHA-512 of its content, so it is never changed and is stored once.
// Who refers to a blob is the database's business, not known here.
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
  /** Removes the file. Harmless after keep() and when called twice: callers put it into a `finally`. */
  discard(): Promise<void>;
}

/** A staged file that stays until it is removed, on the disk of the server that staged it. */
export interface RetainedFile {
  path: string;
  size: number;
}

export interface StageOptions {
  maxBytes: number;
  signal?: AbortSignal | undefined;
  /** Nobody else looks at the source's chunks: their memory is given back as soon as they are written. */
  ownsChunks?: boolean;
}

/** Both ends inclusive, as in HTTP. An end behind the last byte means the last byte. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface OpenBlob {
  readonly stream: Readable;
  /** Instead of reading the stream: sends all of it and ends the output. Rejects where either breaks off. */
  pour(out: Writable): Promise<void>;
  /** Bytes that the stream will give. */
  length: number;
  /** Bytes of the whole blob. */
  size: number;
}

export interface StoredBlob {
  sha512: string;
  size: number;
  /** When these bytes were first stored. Keeping them again does not change it. */
  lastModified: Date;
}

/** What an upload has written that has no address yet. */
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
  /** Streams to a temporary file while hashing and counting. On any failure or abort the source is destroyed and nothing stays. */
  stage(source: Readable | AsyncIterable<Uint8Array>, options: StageOptions): Promise<StagedBlob>;
  /** Lets a staged file outlive its request; `discard` no longer removes it. Answers the name that it is found by. */
  retain(staged: StagedBlob): Promise<string>;
  /** Undefined where another server of the same site has it, or nobody any more. */
  findRetained(name: string): Promise<RetainedFile | undefined>;
  removeRetained(name: string): Promise<void>;
  /** Makes the bytes durable at their address. May be repeated; safe when the same content arrives many times at once. */
  keep(staged: StagedBlob): Promise<BlobDigest>;
  /** stage and keep for bytes that are in memory anyway, such as images. */
  put(bytes: Uint8Array): Promise<BlobDigest>;
  find(sha512: string): Promise<{ size: number } | undefined>;
  /** The stream must be read to its end or destroyed, or the blob poured. */
  open(sha512: string, range?: ByteRange): Promise<OpenBlob | undefined>;
  /**
   * Removes the bytes, if there. The store cannot see who still needs them: delete only under the lock that an upload of the
   * same content takes before it looks, for the last time, whether the bytes are there.
   */
  delete(sha512: string): Promise<void>;
  list(): AsyncIterable<StoredBlob>;
  listTemporaries(): AsyncIterable<Temporary>;
  /** Removes what crashed uploads left, if last touched before the given time. Answers how many. */
  removeStaleTemporaries(olderThan: Date): Promise<number>;
  /** A time-limited address that gives the bytes without us; undefined where the storage has no addresses of its own. */
  signedUrl(sha512: string, options: SignedUrlOptions): Promise<string | undefined>;
  /** Writes, reads and deletes something small; throws when the storage cannot do that now. */
  probe(): Promise<void>;
  close(): Promise<void>;
}
