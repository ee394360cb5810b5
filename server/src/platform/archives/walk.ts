// The state that all walks through archives share, and what is done with the content of each file.
import { createHash } from "node:crypto";
import { ByteInput, fromPieces } from "./byte-input.js";
import type { ArchiveLimits, Budget } from "./limits.js";
import { ArchiveRefused, refuse } from "./problems.js";
import type { Watch } from "./watched-contents.js";

export interface NestedArchive {
  /** `libs/a.jar`, or for one inside that: `libs/a.jar!/b.jar`. */
  path: string;
  size: number;
  /** In hexadecimal. It lets known bad files be found inside any archive. */
  sha512: string;
}

export interface ListedFile {
  /** `libs/a.jar`, or for one inside that: `libs/a.jar!/b.class`. */
  path: string;
  size: number;
}

/** A file of the outermost archive. */
export type OuterFile = ListedFile;

/** Longer lists are of no use to people. */
export const mostListed = 5000;

function listFile({ listed, outer }: Walk, level: number, file: ListedFile): void {
  if (level === 0 && !file.path.endsWith("/")) outer?.push(file);
  if (listed && listed.length < mostListed && !file.path.endsWith("/")) listed.push(file);
}

export interface Walk {
  limits: ArchiveLimits;
  budget: Budget;
  nested: NestedArchive[];
  /** Small files of the outermost archive that the caller wants to read whole. */
  kept: Map<string, Buffer>;
  /** How many bytes of a file to keep at most; 0 for none. A longer file is not kept. */
  wanted(path: string): number;
  /** Collects the names of all files, if requested. */
  listed?: ListedFile[] | undefined;
  /** Collects the files of the outermost archive, if requested. */
  outer?: OuterFile[] | undefined;
  /** The start of one file, by its whole path, if requested: at most `most` bytes of it. */
  reading?: { path: string; most: number; pieces: Buffer[]; size: number } | undefined;
  /** Gets the path, size and digest of every file, if requested. */
  note?: ((path: string, size: number, sha512: string) => void) | undefined;
  /** Looks for known contents; absent if the watch list is empty. */
  watch?: Watch | undefined;
  /** Walks an archive inside another one. */
  walkNested(input: ByteInput, walk: Walk, level: number, path: string): Promise<void>;
}

/** Nested archives are found by their extension: programs do not open other files by themselves. */
export const nestedName = /\.(?:jar|zip)$/i;

/** Reads the content of a file to its end. `level` is the level of its archive, `path` is the path shown to people. */
export async function readContent(
  walk: Walk,
  level: number,
  path: string,
  outerPath: string,
  pieces: AsyncGenerator<Buffer, void>,
): Promise<void> {
  if (nestedName.test(path)) return readNested(walk, level + 1, path, outerPath, pieces);
  const watched = walk.watch?.begin();
  const sha512 = walk.note && createHash("sha512");
  const limit = level === 0 ? walk.wanted(path) : 0;
  const reading = walk.reading?.path === `${outerPath}${path}` ? walk.reading : undefined;
  let kept: Buffer[] | undefined = limit > 0 ? [] : undefined;
  let size = 0;
  for await (const piece of pieces) {
    size += piece.length;
    watched?.update(piece);
    sha512?.update(piece);
    if (reading && size - piece.length < reading.most)
      reading.pieces.push(Buffer.from(piece.subarray(0, reading.most - (size - piece.length))));
    if (size > limit) kept = undefined;
    kept?.push(Buffer.from(piece));
  }
  if (reading) reading.size = size;
  watched?.end(`${outerPath}${path}`);
  listFile(walk, level, { path: `${outerPath}${path}`, size });
  if (sha512) walk.note?.(`${outerPath}${path}`, size, sha512.digest("hex"));
  if (kept) walk.kept.set(path, Buffer.concat(kept));
}

async function readNested(
  walk: Walk,
  level: number,
  name: string,
  outerPath: string,
  pieces: AsyncGenerator<Buffer, void>,
): Promise<void> {
  const sha512 = createHash("sha512");
  const watched = walk.watch?.begin();
  let size = 0;
  async function* tapPieces() {
    for await (const piece of pieces) {
      sha512.update(piece);
      watched?.update(piece);
      size += piece.length;
      yield piece;
    }
  }
  const input = new ByteInput(fromPieces(tapPieces()));
  const path = `${outerPath}${name}`;
  // An empty file with the extension of an archive is a placeholder.
  if ((await input.peek(1)).length === 0) return listFile(walk, level - 1, { path, size: 0 });
  if (level > walk.limits.maxNestingDepth) refuse("nestedTooDeep", name, ["limit", walk.limits.maxNestingDepth]);
  try {
    await walk.walkNested(input, walk, level, `${path}!/`);
  } catch (error) {
    throw error instanceof ArchiveRefused ? error.within(name) : error;
  }
  watched?.end(path);
  listFile(walk, level - 1, { path, size });
  const digest = sha512.digest("hex");
  walk.note?.(path, size, digest);
  walk.nested.push({ path, size, sha512: digest });
  if (walk.nested.length > walk.limits.maxNested) refuse("tooManyNested", undefined, ["limit", walk.limits.maxNested]);
}
