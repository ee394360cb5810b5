// Walks a gzip file and verifies the checksum and length of every member. A tar archive inside is walked too.
import { crc32 } from "node:zlib";
import { ByteInput, fromPieces } from "./byte-input.js";
import { inflate } from "./inflate.js";
import type { Budget } from "./limits.js";
import { refuse } from "./problems.js";
import { isTarHeader, walkTar } from "./tar.js";
import { readContent, type Walk } from "./walk.js";

const flags = { headerChecksum: 1 << 1, extra: 1 << 2, name: 1 << 3, comment: 1 << 4, reserved: 0b1110_0000 };

export async function walkGzip(input: ByteInput, walk: Walk): Promise<void> {
  const content = new ByteInput(fromPieces(readMembers(input, walk.budget)));
  if (isTarHeader(await content.peek(512))) return walkTar(content, walk);
  walk.budget.addEntry();
  await readContent(walk, 0, onlyFile, "", readAll(content));
  if (content.position === 0) refuse("empty");
}

/** The path of the content that is not a tar archive. The name in the header is often missing, or not the file's. */
const onlyFile = "content";

async function* readAll(content: ByteInput): AsyncGenerator<Buffer, void> {
  for (let bytes = await content.peekSome(Infinity); bytes.length > 0; bytes = await content.peekSome(Infinity)) {
    yield bytes;
    content.skip(bytes.length);
  }
}

/** A gzip file may have several members; their contents are concatenated. */
async function* readMembers(input: ByteInput, budget: Budget): AsyncGenerator<Buffer, void> {
  do {
    await readHeader(input);
    let crc = 0;
    let size = 0;
    for await (const piece of inflate(input, { compressedSize: Infinity, size: Infinity })) {
      crc = crc32(piece, crc);
      size += piece.length;
      budget.spend(piece.length);
      yield piece;
    }
    const trailer = await input.take(8);
    if (trailer.readUInt32LE(0) !== crc) refuse("wrongChecksum");
    if (trailer.readUInt32LE(4) !== size % 2 ** 32) refuse("wrongSize");
  } while ((await input.peek(1)).length > 0);
}

async function readHeader(input: ByteInput): Promise<void> {
  const isFirst = input.position === 0;
  const start = await input.peek(10);
  const isMember = start[0] === 0x1f && start[1] === 0x8b && start[2] === 8;
  if (!isMember) refuse(isFirst ? "notAnArchive" : "trailingData");
  const bits = (await input.take(10))[3]!;
  if (bits & flags.reserved) refuse("brokenRecord", undefined, ["unknownFlags"]);
  if (bits & flags.extra) await input.take((await input.take(2)).readUInt16LE(0));
  if (bits & flags.name) await takeText(input);
  if (bits & flags.comment) await takeText(input);
  if (bits & flags.headerChecksum) await input.take(2);
}

const maxTextBytes = 4096;

async function takeText(input: ByteInput): Promise<void> {
  const bytes = await input.peek(maxTextBytes);
  const end = bytes.indexOf(0);
  if (end < 0) refuse(bytes.length < maxTextBytes ? "truncated" : "brokenRecord", undefined, ["endlessText"]);
  input.skip(end + 1);
}
