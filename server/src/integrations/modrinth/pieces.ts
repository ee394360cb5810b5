// Items in Modrinth's form as pieces that are kept compressed. A piece is made from the prepared answer about a public
// project or version, once for each content: downloads change often, and are written before it.
import { constants, inflateRawSync } from "node:zlib";
import { beginItem } from "#content/records/prepared-version.js";
import { type DeflatedPiece, deflatePiece, type Joiner } from "#lib/gzip-join.js";
import { inSlices } from "#lib/slices.js";
import { perServer } from "#platform/changes/server-memory.js";
import type { Resources } from "#platform/http/resources.js";
import type { Item } from "./items.js";

/** An item without its first field. It is kept deflated, and also as plain bytes once they are requested. */
export class Piece {
  readonly deflated: DeflatedPiece;
  readonly #item: Pick<Item, "kind" | "content">;
  readonly #onGrown: (piece: Piece) => void;
  #plain: Buffer | undefined;

  constructor({ kind, content, make }: Item, onGrown: (piece: Piece) => void) {
    const text = JSON.stringify(make());
    this.deflated = deflatePiece(Buffer.from(text.slice(text.indexOf(",") + 1)));
    this.#item = { kind, content };
    this.#onGrown = onGrown;
  }

  /** The memory that it takes. */
  get bytes(): number {
    return this.deflated.bytes.length + (this.#plain?.length ?? 0) + pieceOverhead;
  }

  get length(): number {
    return this.deflated.length;
  }

  get plain(): Buffer {
    if (this.#plain) return this.#plain;
    this.#plain = inflateRawSync(this.deflated.bytes, { finishFlush: constants.Z_SYNC_FLUSH });
    this.#onGrown(this);
    return this.#plain;
  }

  /** Whether it was made of the same content, for items that have the same key. */
  isOf({ kind, content }: Item): boolean {
    const mine = this.#item;
    return mine.content.high === content.high && mine.content.low === content.low && mine.kind === kind;
  }

  /** Adds the item, after the given text. */
  addTo(to: Joiner, before: Buffer, { content }: Item): void {
    beginItem(to, before, content.downloads);
    const bytes = to.isDeflated ? this.deflated.bytes : this.plain;
    const at = to.piece(bytes.length, this.length, this.deflated.crc);
    to.buffer.set(bytes, at);
  }
}

/** The memory of a piece besides its bytes. */
const pieceOverhead = 400;
/** A step takes about a microsecond (lib/slices.ts): making a piece takes so many, and some for its bytes. */
const pieceSteps = 200;
const bytesPerStep = 40;

const cacheOf = perServer(({ memory }: Resources) => memory.createCache<Piece, number>({ name: "modrinth" }));

/**
 * A part of the digest: small integers are found several times as fast as texts. The few items that have the same key
 * replace each other.
 */
const keyOf = ({ kind, content }: Item): number => content.low ^ kind;

/** Undefined if a piece is not kept. */
export function peekPieces(resources: Resources, items: readonly Item[]): Piece[] | undefined {
  const cache = cacheOf(resources);
  const pieces: Piece[] = [];
  for (const item of items) {
    const piece = cache.get(keyOf(item));
    if (!piece?.isOf(item)) return undefined;
    pieces.push(piece);
  }
  return pieces;
}

/** Pieces that are not kept are made in slices, so that long lists do not hold up other requests. */
export function loadPieces(resources: Resources, items: readonly Item[]): Promise<Piece[]> {
  const cache = cacheOf(resources);
  return inSlices(
    (function* make() {
      const pieces: Piece[] = [];
      for (const item of items) {
        const key = keyOf(item);
        let piece = cache.get(key);
        if (!piece?.isOf(item)) {
          const keep = (made: Piece) => cache.set(key, made, made.bytes);
          piece = new Piece(item, keep);
          keep(piece);
          yield pieceSteps + Math.ceil(piece.length / bytesPerStep);
        }
        pieces.push(piece);
      }
      return pieces;
    })(),
  );
}
