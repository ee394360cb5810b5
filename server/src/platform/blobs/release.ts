// Frees the memory of bytes that are no longer needed at once. Until the next garbage collection about 64 MiB of chunks
// would accumulate, and each collection has to look at everything that the server keeps in memory.

/** For bytes that no other code uses. Bytes that are a part of a larger buffer are not freed. */
export function release({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
