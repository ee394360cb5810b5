// Checks the outer structure of a 7z archive: its start header, the position of its directory, and that nothing
// follows.
// Names, sizes and contents are not inspected, because there is no LZMA decoder here.
import { crc32 } from "node:zlib";
import type { ByteInput } from "./byte-input.js";
import { refuse } from "./problems.js";
import { readWide } from "./zip-fields.js";

const signature = Buffer.from("7z\xbc\xaf\x27\x1c", "latin1");
/** The directory is plain or compressed; its first byte says which. */
const directoryKinds: readonly number[] = [0x01, 0x17];

export async function walkSevenZip(input: ByteInput): Promise<void> {
  const start = await input.peek(32);
  if (!start.subarray(0, signature.length).equals(signature)) refuse("notAnArchive");
  const header = await input.take(32);
  if (header[6] !== 0) refuse("brokenRecord", undefined, ["unknownVersion"]);
  if (header.readUInt32LE(8) !== crc32(header.subarray(12))) refuse("wrongChecksum", undefined, ["startHeader"]);
  const offset = readWide(header, 12);
  const size = readWide(header, 20);
  const checksum = header.readUInt32LE(28);
  if (size === 0) refuse("empty");
  await readChecksum(input, offset);
  const kind = (await input.peek(1))[0];
  if (kind === undefined) refuse("truncated");
  if (!directoryKinds.includes(kind)) refuse("brokenRecord", undefined, ["directory"]);
  if ((await readChecksum(input, size)) !== checksum) refuse("wrongChecksum", undefined, ["directory"]);
  if ((await input.peek(1)).length > 0) refuse("trailingData");
}

async function readChecksum(input: ByteInput, length: number): Promise<number> {
  let crc = 0;
  for await (const piece of input.takePieces(length)) crc = crc32(piece, crc);
  return crc;
}
