// Decompresses deflated bytes directly from the input, and takes from it exactly the bytes that belong to them.
import { createInflateRaw, type InflateRaw, inflateRawSync } from "node:zlib";
import type { ByteInput } from "./byte-input.js";
import { refuse } from "./problems.js";

// A stream costs some hundred microseconds to set up, too much for 65,535 class files.
const maxSmallCompressed = 64 * 1024;
const maxSmallBytes = 1024 * 1024;
const pieceBytes = 64 * 1024;

export interface DeflatedExtent {
  /** Infinity if only the data itself shows where it ends. */
  compressedSize: number;
  size: number;
  entry?: string;
}

/** Each piece is valid until the next one is requested. */
export async function* inflate(input: ByteInput, extent: DeflatedExtent): AsyncGenerator<Buffer, void> {
  const small = await inflateSmall(input, extent);
  if (small) yield small;
  else yield* inflateLarge(input, extent);
}

/** Decompresses small data at once; undefined if the data turns out to be large. */
async function inflateSmall(input: ByteInput, { compressedSize, size, entry }: DeflatedExtent) {
  const isSizeKnown = compressedSize !== Infinity;
  if (isSizeKnown && (compressedSize > maxSmallCompressed || size > maxSmallBytes)) return undefined;
  const bytes = await input.peek(Math.min(compressedSize, maxSmallCompressed));
  try {
    // One byte more than announced is enough to detect a wrong size.
    const maxOutputLength = isSizeKnown ? size + 1 : maxSmallBytes;
    const chunkSize = Math.max(64, Math.min(maxOutputLength, pieceBytes));
    // With `info`, the result includes the engine, which knows how many bytes it has read.
    const result: unknown = inflateRawSync(bytes, { info: true, maxOutputLength, chunkSize });
    const { buffer, engine } = result as { buffer: Buffer; engine: InflateRaw };
    input.skip(engine.bytesWritten);
    return buffer;
  } catch (error) {
    const code = codeOf(error);
    if (code === "ERR_BUFFER_TOO_LARGE" && isSizeKnown) refuse("wrongSize", entry);
    if (code === "ERR_BUFFER_TOO_LARGE" || (code === "Z_BUF_ERROR" && !isSizeKnown)) return undefined;
    return refuseBroken(error, compressedSize === bytes.length, entry);
  }
}

async function* inflateLarge(
  input: ByteInput,
  { compressedSize, entry }: DeflatedExtent,
): AsyncGenerator<Buffer, void> {
  const inflater = createInflateRaw({ chunkSize: pieceBytes });
  let left = compressedSize;

  async function feed(): Promise<void> {
    while (true) {
      const bytes = await input.peekSome(left);
      if (bytes.length === 0) break;
      const before = inflater.bytesWritten;
      await new Promise<void>((resolve, reject) => {
        inflater.write(bytes, (error) => (error ? reject(error) : resolve()));
      });
      const taken = inflater.bytesWritten - before;
      input.skip(taken);
      left -= taken;
      // The data ended within these bytes; the rest belongs to something else.
      if (taken < bytes.length) return;
    }
    inflater.end();
  }

  const feeding = feed().catch((error) => {
    inflater.destroy(error);
  });
  try {
    for await (const piece of inflater) yield piece;
    await feeding;
  } catch (error) {
    if (codeOf(error)?.startsWith("Z_")) refuseBroken(error, left === 0, entry);
    throw error;
  } finally {
    inflater.destroy();
  }
}

function refuseBroken(error: unknown, isInputWhole: boolean, entry?: string): never {
  const code = codeOf(error);
  if (code === "Z_BUF_ERROR" && !isInputWhole) refuse("truncated", entry);
  if (code === "Z_BUF_ERROR" || code === "Z_DATA_ERROR") refuse("brokenData", entry);
  throw error;
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
