// Streams an archive, with at most one chunk in memory. A file is read twice, first to compute the checksum that
// precedes it, so that every program can unpack the archive while it arrives.
import type { Readable, Writable } from "node:stream";
import { crc32 } from "node:zlib";
import { directory, localHeader, type PlacedEntry, type ZipEntry } from "./zip.js";

export interface Source extends ZipEntry {
  /** Known from an earlier request. */
  crc32: number | undefined;
  open(): Promise<Readable>;
}

/** Ends the output. Rejects if reading a file or sending fails; the output is then incomplete. */
export async function streamArchive(
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
    if (out.destroyed) throw new Error("The client has disconnected");
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
  if (length !== size) throw new Error(`${name} no longer has ${size} bytes that it had a moment ago`);
}

/** Resolves when more can be written. */
async function send(out: Writable, bytes: Buffer): Promise<void> {
  if (out.destroyed) throw new Error("The client has disconnected");
  if (out.write(bytes)) return;
  await new Promise<void>((resolve, reject) => {
    const onDrain = () => {
      out.off("close", onClose);
      resolve();
    };
    const onClose = () => {
      out.off("drain", onDrain);
      reject(new Error("The client has disconnected"));
    };
    out.once("drain", onDrain).once("close", onClose);
  });
}
