// Sends a range of a file.
import type { FileHandle } from "node:fs/promises";
import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { sendThrough, takePair } from "./send-buffers.js";

/** If no pair is left, chunks have this size. */
const chunkBytes = 64 * 1024;

/** Both ends are inclusive. Closes the file and ends the output; if one fails, the other is closed too. */
export async function streamFile(file: FileHandle, { start, end }: { start: number; end: number }, out: Writable) {
  const taken = takePair(end + 1 - start);
  if (!taken) return pipeline(file.createReadStream({ start, end, highWaterMark: chunkBytes }), out);
  let at = start;
  const read = async (half: Buffer) => {
    const { bytesRead } = await file.read(half, 0, Math.min(half.length, end + 1 - at), at);
    at += bytesRead;
    return bytesRead;
  };
  return sendThrough(taken, { read, close: () => file.close() }, end + 1 - start, out);
}
