// The file of the words in descriptions: for each word the documents that have it. It is read word by word, because it is too
// large for memory, and finding a word in it takes a fraction of the time that the database needs. Words are in the order of
// their bytes, in blocks: first the words of a block, then their documents. Only the first word of each block is in memory.
import { closeSync, openSync, readSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { crc32 } from "node:zlib";
import { readArrays, writeArrays } from "#lib/array-file.js";
import { PackedNumbers, spaceFor, unpackNumbers } from "./packed-numbers.js";
import type { TermRun } from "./term-run.js";

const wordsPerBlock = 64;
/** Written together; the event loop is free in between. */
const manyBytes = 128 * 1024;
/** Behind each word in its block: the length and the checksum of its documents. */
const numberBytes = 8;

/** Everything but the blocks, in a file of its own. */
interface Content {
  stamp: string;
  /** Also at the start of the blocks: both files were written together. */
  pair: string;
  /** By document: the text that was read (described.ts); 0 if there was none. */
  texts: Float64Array<ArrayBuffer>;
  /** The first word of each block, one after the other, and where each begins. */
  firsts: Uint8Array<ArrayBuffer>;
  firstsAt: Uint32Array<ArrayBuffer>;
  /** Where each block begins, and the length and checksum of its words. */
  blocksAt: Float64Array<ArrayBuffer>;
  lengths: Uint32Array<ArrayBuffer>;
  sums: Uint32Array<ArrayBuffer>;
}

export class DescribedFile {
  readonly texts: Float64Array<ArrayBuffer>;
  readonly #content: Content;
  readonly #firsts: Buffer;
  readonly #file: number;
  #room = Buffer.allocUnsafeSlow(4096);

  private constructor(content: Content, file: number) {
    this.texts = content.texts;
    this.#content = content;
    this.#firsts = Buffer.from(content.firsts.buffer, content.firsts.byteOffset, content.firsts.length);
    this.#file = file;
  }

  /** Undefined if there is none with this stamp. Throws if it is damaged. */
  static async open(path: string, stamp: string): Promise<DescribedFile | undefined> {
    const content = (await readArrays(path)) as Content | undefined;
    if (content?.stamp !== stamp) return undefined;
    const file = openSync(blocksOf(path), "r");
    const found = new DescribedFile(content, file);
    if (found.#read(0, content.pair.length).toString("latin1") === content.pair) return found;
    found.close();
    return undefined;
  }

  /** Memory that it takes. */
  get bytes(): number {
    const { texts, firsts, firstsAt, blocksAt, lengths, sums } = this.#content;
    const arrays = [texts, firsts, firstsAt, blocksAt, lengths, sums];
    return arrays.reduce((sum, { byteLength }) => sum + byteLength, this.#room.length);
  }

  /** The documents with this word, in ascending order. Valid until the next call. Throws if the file is damaged. */
  find(word: string): Uint32Array {
    const bytes = Buffer.from(word);
    const block = this.#blockOf(bytes);
    if (block < 0) return spaceFor(0).subarray(0, 0);
    const { blocksAt, lengths, sums } = this.#content;
    const start = blocksAt[block]!;
    const words = this.#read(start, lengths[block]!);
    if (crc32(words) !== sums[block]) throw damaged();
    let docsAt = start + words.length;
    for (let at = 0; at < words.length; ) {
      const end = at + 1 + words[at]!;
      const [length, sum] = [words.readUInt32LE(end), words.readUInt32LE(end + 4)];
      if (bytes.compare(words, at + 1, end) === 0) return this.#unpack(docsAt, length, sum);
      docsAt += length;
      at = end + numberBytes;
    }
    return spaceFor(0).subarray(0, 0);
  }

  close(): void {
    closeSync(this.#file);
  }

  #unpack(start: number, length: number, sum: number): Uint32Array {
    const packed = this.#read(start, length);
    if (crc32(packed) !== sum) throw damaged();
    const into = spaceFor(length);
    return into.subarray(0, unpackNumbers(packed, 0, length, into, 0));
  }

  /** The last block whose first word does not come after this one; -1 if there is none. */
  #blockOf(word: Buffer): number {
    const { firstsAt, blocksAt } = this.#content;
    let [low, high] = [0, blocksAt.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (word.compare(this.#firsts, firstsAt[middle]!, firstsAt[middle + 1]!) < 0) high = middle;
      else low = middle + 1;
    }
    return low - 1;
  }

  /** Valid until the next call. */
  #read(start: number, length: number): Buffer {
    if (this.#room.length < length) this.#room = Buffer.allocUnsafeSlow(2 * length);
    const read = readSync(this.#file, this.#room, 0, length, start);
    if (read !== length) throw damaged();
    return this.#room.subarray(0, length);
  }
}

const damaged = () => new Error("The file of the words in descriptions is damaged");
const blocksOf = (path: string): string => `${path}-blocks`;

/** All documents of a run come after those of the runs before it. */
export async function writeDescribed(
  path: string,
  { stamp, pair, texts }: Pick<Content, "stamp" | "pair" | "texts">,
  runs: readonly TermRun[],
): Promise<void> {
  const [firsts, firstsAt, blocksAt, lengths, sums]: [Buffer[], number[], number[], number[], number[]] = [
    [],
    [0],
    [],
    [],
    [],
  ];
  const draft = `${blocksOf(path)}.new`;
  const file = await open(draft, "w", 0o600);
  try {
    let waiting: Buffer[] = [Buffer.from(pair, "latin1")];
    let [end, waitingBytes] = [pair.length, pair.length];
    const flush = async () => {
      await file.writev(waiting);
      [waiting, waitingBytes] = [[], 0];
    };
    for (const block of blocksIn(runs)) {
      const words = Buffer.concat(block.map(toEntry));
      firsts.push(block[0]!.word);
      firstsAt.push(firstsAt.at(-1)! + block[0]!.word.length);
      blocksAt.push(end);
      lengths.push(words.length);
      sums.push(crc32(words));
      const parts = [words, ...block.map(({ docs }) => docs)];
      const bytes = parts.reduce((sum, { length }) => sum + length, 0);
      waiting.push(...parts);
      end += bytes;
      waitingBytes += bytes;
      if (waitingBytes > manyBytes) await flush();
    }
    await flush();
  } finally {
    await file.close();
  }
  await rename(draft, blocksOf(path));
  await writeArrays(path, {
    ...{ stamp, pair, texts, firsts: new Uint8Array(Buffer.concat(firsts)), firstsAt: Uint32Array.from(firstsAt) },
    ...{ blocksAt: Float64Array.from(blocksAt), lengths: Uint32Array.from(lengths), sums: Uint32Array.from(sums) },
  } satisfies Content);
}

interface Entry {
  word: Buffer;
  /** Packed. */
  docs: Buffer;
}

function toEntry({ word, docs }: Entry): Buffer {
  const entry = Buffer.alloc(1 + word.length + numberBytes);
  // No word has more than 40 characters.
  entry.writeUInt8(word.length);
  word.copy(entry, 1);
  entry.writeUInt32LE(docs.length, 1 + word.length);
  entry.writeUInt32LE(crc32(docs), 5 + word.length);
  return entry;
}

function* blocksIn(runs: readonly TermRun[]): Generator<Entry[]> {
  let block: Entry[] = [];
  for (const entry of merged(runs)) {
    block.push(entry);
    if (block.length < wordsPerBlock) continue;
    yield block;
    block = [];
  }
  if (block.length > 0) yield block;
}

/** All words of the runs in order, each with its documents in all of them. */
function* merged(runs: readonly TermRun[]): Generator<Entry> {
  const places = runs.map(() => 0);
  const heads = runs.map((run) => run.bytesOf(0));
  for (;;) {
    let word: Buffer | undefined;
    for (const head of heads) if (head && (!word || Buffer.compare(head, word) < 0)) word = head;
    if (!word) return;
    const docs = new PackedNumbers();
    for (const [index, run] of runs.entries()) {
      if (!heads[index]?.equals(word)) continue;
      for (const doc of run.placesOf(places[index]!)) docs.add(doc);
      heads[index] = run.bytesOf(++places[index]!);
    }
    yield { word, docs: Buffer.from(docs.content) };
  }
}
