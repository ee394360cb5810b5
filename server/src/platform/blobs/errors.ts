// What can go wrong with stored bytes, as named errors that the HTTP layer maps to a status. None ever carries a credential.

/** 413: the source went on past the limit. */
export class BlobTooLarge extends Error {
  readonly maxBytes: number;
  constructor(maxBytes: number) {
    super(`The content is larger than ${maxBytes} bytes`);
    this.name = "BlobTooLarge";
    this.maxBytes = maxBytes;
  }
}

/** 507: no room on the disk, in the quota or in the bucket. Reads go on. */
export class BlobStorageFull extends Error {
  constructor(options?: ErrorOptions) {
    super("The storage is full", options);
    this.name = "BlobStorageFull";
  }
}

/** 503: the storage did not answer, or refused us, also after trying again. */
export class BlobStorageUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "BlobStorageUnavailable";
  }
}

/** 500: bytes came back other than they were sent. */
export class BlobDamaged extends Error {
  constructor(sha512: string) {
    super(`The stored bytes of ${sha512} are not the ones that were sent`);
    this.name = "BlobDamaged";
  }
}

/** 416: the range is no range, or starts behind the last byte. */
export class BlobRangeInvalid extends RangeError {
  constructor(message: string) {
    super(message);
    this.name = "BlobRangeInvalid";
  }
}

export function hasErrorCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}

/** ENOSPC and EDQUOT become BlobStorageFull; everything else stays what it is. */
export function toStorageError(error: unknown): unknown {
  return hasErrorCode(error, "ENOSPC", "EDQUOT") ? new BlobStorageFull({ cause: error }) : error;
}
