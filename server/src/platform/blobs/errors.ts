// Errors of the blob storage, which the HTTP layer maps to a status. They never contain credentials.
import { hasErrorCode } from "#lib/file-system.js";

/** 413: the source exceeded the limit. */
export class BlobTooLarge extends Error {
  readonly maxBytes: number;
  constructor(maxBytes: number) {
    super(`The content is larger than ${maxBytes} bytes`);
    this.name = "BlobTooLarge";
    this.maxBytes = maxBytes;
  }
}

/** 507: no space on the disk, in the quota or in the bucket. Reads still work. */
export class BlobStorageFull extends Error {
  constructor(options?: ErrorOptions) {
    super("The storage is full", options);
    this.name = "BlobStorageFull";
  }
}

/** 503: the storage did not answer or refused the request, also after retries. */
export class BlobStorageUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "BlobStorageUnavailable";
  }
}

/** 500: the stored bytes differ from the bytes that were sent. */
export class BlobDamaged extends Error {
  constructor(sha512: string) {
    super(`The stored bytes of ${sha512} differ from the bytes that were sent`);
    this.name = "BlobDamaged";
  }
}

/** 416: the range is invalid or starts after the last byte. */
export class BlobRangeInvalid extends RangeError {
  constructor(message: string) {
    super(message);
    this.name = "BlobRangeInvalid";
  }
}

/** ENOSPC and EDQUOT become BlobStorageFull; other errors are returned unchanged. */
export function toStorageError(error: unknown): unknown {
  return hasErrorCode(error, "ENOSPC", "EDQUOT") ? new BlobStorageFull({ cause: error }) : error;
}
