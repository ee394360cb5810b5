// An answer that is joined from prepared pieces when it is sent, in the encoding in which it is sent. A caller who accepts
// gzip gets gzip: pieces of Brotli or Zstandard cannot be joined without compressing them again. Others get it uncompressed.
import { GzipJoiner, type Joiner, type Memory, PlainJoiner } from "#lib/gzip-join.js";
import { chooseEncoding, type Encoding, ReadyAnswer, Representation, tagOf, worthCompressing } from "./answers.js";

export interface JoinedParts {
  /** The approximate length of the answer. */
  length: number;
  /** Adds all parts; called for each encoding. Throws if a piece cannot be read. */
  join(to: Joiner): void;
  tag(): string;
  /** If it is on loan, the answer may be sent only once. */
  memory?: Memory | undefined;
}

/** For the texts between the pieces. */
const slackBytes = 512;

export class JoinedAnswer extends ReadyAnswer {
  readonly #parts: JoinedParts;
  #packed: Representation | undefined;

  constructor(parts: JoinedParts) {
    super(() => joinWith(new PlainJoiner(parts.length + slackBytes, parts.memory), parts), parts.tag);
    this.#parts = parts;
  }

  override encodingFor(acceptEncoding: string | undefined): Encoding | undefined {
    return this.#parts.length >= worthCompressing ? chooseEncoding(acceptEncoding).ofPieces : undefined;
  }

  override as(encoding: Encoding | undefined): Representation | Promise<Representation> {
    if (encoding !== "gzip") return super.as(encoding);
    const { length, memory } = this.#parts;
    // Small pieces compress to about half of their length; the joiner takes more memory if it is needed.
    this.#packed ??= new Representation(
      joinWith(new GzipJoiner(Math.ceil(length * 0.6) + slackBytes, memory), this.#parts),
      encoding,
      () => tagOf(this.tag, encoding),
    );
    return this.#packed;
  }
}

function joinWith(to: Joiner, { join }: JoinedParts): Buffer {
  join(to);
  return to.end();
}
