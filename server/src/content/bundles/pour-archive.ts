// Sends an archive piece by piece: never more of it in memory than a chunk. A file is read twice, the first time for its
// checksum, which stands in front of it: so every program can unpack it, even while it arrives.
import type { Readable, Writable } from "node:stream";
import { crc32 } from "node:zlib";
import { directory, localHeader, type PlacedEntry, type ZipEntry } from "./zip.js";

export interface Source extends ZipEntry {
  /** Known from before. */
  crc32: number | undefined;
  open(): Promise<Readable>;
}

/** Ends the output. Rejects where a file or the receiver breaks off; nobody must take what was sent for whole then. */
export async function pourArchive(
  out: Writable,
  sources: readonly Source[],
  learned: (source: Source, crc32: number) => void = () => undefined,
): Promise<void> {
  const placed: PlacedEntry[] = [];
  let offset = 0;
  try {
    for (const source of sources) {
      const { name, size, time } = source;
      const checksum = source.crc32 ?? (await readChecksum(out, source));
      if (source.crc32 === undefined) learned(source, checksum);
      const header = localHeader({ name, size, time, crc32: checksum });
      await send(out, header);
      await pourSource(out, source);
      placed.push({ name, size, time, crc32: checksum, offset });
      offset += header.length + size;
    }
    await send(out, directory(placed, offset));
    out.end();
  } catch (error) {
    out.destroy();
    throw error;
  }
}

async function readChecksum(out: Writable, { name, size, open }: Source): Promise<number> {
  let [checksum, length] = [0, 0];
  for await (const chunk of await open()) {
    if (out.destroyed) throw new Error("The receiver is gone");
    checksum = crc32(chunk, checksum);
    length += chunk.length;
  }
  if (length !== size) throw new Error(`${name} has ${length} bytes instead of ${size}`);
  return checksum;
}

async function pourSource(out: Writable, { name, size, open }: Source): Promise<void> {
  let length = 0;
  for await (const chunk of await open()) {
    length += chunk.length;
    if (length > size) break;
    await send(out, chunk);
  }
  if (length !== size) throw new Error(`${name} does not have the ${size} bytes that it had a moment ago`);
}

/** Resolves when there is room for more. */
async function send(out: Writable, bytes: Buffer): Promise<void> {
  if (out.destroyed) throw new Error("The receiver is gone");
  if (out.write(bytes)) return;
  await new Promise<void>((resolve, reject) => {
    const onDrain = () => {
      out.off("close", onClose);
      resolve();
    };
    const onClose = () => {
      out.off("drain", onDrain);
      reject(new Error("The receiver is gone"));
    };
    out.once("drain", onDrain).once("close", onClose);
  });
}
