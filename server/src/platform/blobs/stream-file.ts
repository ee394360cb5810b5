// Sends a range of a file through reused buffers, which costs half as much as a stream with a new buffer for every
// chunk.
// While one half of a pair is being sent, the other half is filled.
import type { FileHandle } from "node:fs/promises";
import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";

const halfBytes = 256 * 1024;
/** Slow clients hold their pair for long. Beyond this number, others get small chunks of their own. */
const mostPairs = 64;
const narrowBytes = 64 * 1024;

type Pair = [Buffer, Buffer];

const free: Pair[] = [];
let made = 0;

function takePair(): Pair | undefined {
  const pair = free.pop();
  if (pair || made === mostPairs) return pair;
  made++;
  return [Buffer.allocUnsafeSlow(halfBytes), Buffer.allocUnsafeSlow(halfBytes)];
}

/** Both ends are inclusive. Closes the file and ends the output; if one fails, the other is closed too. */
export async function streamFile(file: FileHandle, { start, end }: { start: number; end: number }, out: Writable) {
  const pair = takePair();
  if (!pair) return pipeline(file.createReadStream({ start, end, highWaterMark: narrowBytes }), out);
  let writing: Promise<void> = Promise.resolve();
  try {
    for (let at = start, turn = 0; at <= end; turn ^= 1) {
      const half = pair[turn as 0 | 1];
      const { bytesRead } = await file.read(half, 0, Math.min(halfBytes, end + 1 - at), at);
      if (bytesRead === 0) throw new Error("A stored file is shorter than it was when it was opened");
      at += bytesRead;
      await writing;
      writing = writeOut(out, half.subarray(0, bytesRead));
      // Awaited in the next iteration; without this handler a failure before that would be an unhandled rejection.
      writing.catch(() => undefined);
    }
    await writing;
    out.end();
  } catch (error) {
    // Destroyed without the error, which goes to the caller: an output without an error listener would crash the
    // process.
    out.destroy();
    throw error;
  } finally {
    // The output may still refer to bytes that it could not send; then the buffer must not be reused.
    const isOurs = await writing.then(
      () => true,
      () => false,
    );
    if (isOurs) free.push(pair);
    else made--;
    await file.close();
  }
}

/** Resolves when the system has taken the bytes; rejects when the connection is closed. */
const writeOut = (out: Writable, bytes: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    // A closed output never calls the callback.
    const onClose = () => reject(new Error("The client has disconnected"));
    if (out.destroyed) return onClose();
    out.once("close", onClose);
    out.write(bytes, (error) => {
      out.off("close", onClose);
      if (error) reject(error);
      else resolve();
    });
  });
