// Sends a stretch of a file through memory that is used again and again: half the work of a stream, which takes fresh
// memory for every chunk. While one half is on its way out, the other is being filled.
import type { FileHandle } from "node:fs/promises";
import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";

const halfBytes = 256 * 1024;
/** Slow readers hold theirs for long. Past so many at once the others get small chunks of their own. */
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

/** Both ends inclusive. Closes the file and ends the output; where either fails, the other goes with it. */
export async function pourFile(file: FileHandle, { start, end }: { start: number; end: number }, out: Writable) {
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
      // Waited for in the next round; until then nobody would see that it failed.
      writing.catch(() => undefined);
    }
    await writing;
    out.end();
  } catch (error) {
    // Without the error, which is the caller's: an output that nobody listens to would throw it at the whole process.
    out.destroy();
    throw error;
  } finally {
    // The output may still hold what it could not send: only then is the memory not ours to use again.
    const isOurs = await writing.then(
      () => true,
      () => false,
    );
    if (isOurs) free.push(pair);
    else made--;
    await file.close();
  }
}

/** Resolves when the bytes have left: the system has them, or the connection is gone. */
const writeOut = (out: Writable, bytes: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    // A closed output calls nobody back.
    const onClose = () => reject(new Error("The receiver is gone"));
    if (out.destroyed) return onClose();
    out.once("close", onClose);
    out.write(bytes, (error) => {
      out.off("close", onClose);
      if (error) reject(error);
      else resolve();
    });
  });
