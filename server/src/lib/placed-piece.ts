// A text that is deflated once although a few short texts in it change: these have places of equal width in the deflated bytes,
// as stored blocks. So the text is sent again and again by writing into these places and copying.
import { constants, crc32, deflateRawSync } from "node:zlib";
import type { GzipJoiner } from "./gzip-join.js";

/** The width of a place in bytes. Shorter texts are followed by spaces. */
const placeBytes = 7;
/** It stands for every place while the texts between them are compressed: no text contains it, so none refers to a place. */
const filler = Buffer.alloc(placeBytes, 1);
/** Deflate refers to so many earlier bytes. */
const windowBytes = 32 * 1024;
/** The length of a stored block and its complement, with which a flushed piece ends. */
const lengthBytes = 4;

/** The text of a place with spaces after it; longer texts stay as they are. */
export const toPlace = (text: string): string => text.padEnd(placeBytes - (Buffer.byteLength(text) - text.length));

export const fitsPlace = (text: string): boolean => Buffer.byteLength(text) <= placeBytes;

export class PlacedPiece {
  readonly #plain: Buffer;
  readonly #deflated: Buffer;
  /** Where the places are in both. */
  readonly #places: readonly (readonly [plain: number, deflated: number])[];

  /** The texts between the places, none of them empty. */
  constructor(texts: readonly string[]) {
    const places: [number, number][] = [];
    let [plain, deflated] = [Buffer.alloc(0), Buffer.alloc(0)];
    for (const [at, text] of texts.entries()) {
      const packed = deflateAfter(plain, Buffer.from(text));
      plain = Buffer.concat([plain, Buffer.from(text)]);
      deflated = Buffer.concat([deflated, packed]);
      if (at === texts.length - 1) break;
      // The empty block at the end becomes the block of the place.
      deflated.writeUInt16LE(placeBytes, deflated.length - lengthBytes);
      deflated.writeUInt16LE(~placeBytes & 0xffff, deflated.length - lengthBytes / 2);
      places.push([plain.length, deflated.length]);
      plain = Buffer.concat([plain, filler]);
      deflated = Buffer.concat([deflated, filler]);
    }
    this.#plain = plain;
    this.#deflated = deflated;
    this.#places = places;
  }

  get bytes(): number {
    return this.#plain.length + this.#deflated.length + 64 * this.#places.length;
  }

  get deflatedLength(): number {
    return this.#deflated.length;
  }

  /** With these texts in its places, each of which must fit. */
  addTo(joiner: GzipJoiner, texts: readonly string[]): void {
    this.#fill(texts);
    const at = joiner.piece(this.#deflated.length, this.#plain.length, crc32(this.#plain));
    joiner.buffer.set(this.#deflated, at);
  }

  toText(texts: readonly string[]): string {
    this.#fill(texts);
    return this.#plain.toString();
  }

  #fill(texts: readonly string[]): void {
    for (let index = 0; index < this.#places.length; index++) {
      const [plain, deflated] = this.#places[index]!;
      const text = texts[index]!;
      for (let byte = 0; byte < placeBytes; byte++) {
        const code = byte < text.length ? text.charCodeAt(byte) : space;
        this.#plain[plain + byte] = code;
        this.#deflated[deflated + byte] = code;
        if (code >= notAscii) {
          this.#plain.write(toPlace(text), plain);
          this.#deflated.write(toPlace(text), deflated);
          break;
        }
      }
    }
  }
}

const space = 0x20;
const notAscii = 0x80;

function deflateAfter(before: Buffer, text: Buffer): Buffer {
  const dictionary = before.subarray(-windowBytes);
  const options = { level: constants.Z_BEST_COMPRESSION, finishFlush: constants.Z_SYNC_FLUSH };
  return deflateRawSync(text, dictionary.length > 0 ? { ...options, dictionary } : options);
}
