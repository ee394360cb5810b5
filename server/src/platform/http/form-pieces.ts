// Passes the bytes of a form to its parser in pieces that are quick to parse. The event loop runs between two pieces,
// so that a form with many tiny parts does not block other requests.
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { Readable } from "node:stream";

/** The parser's work depends on the number of parts, not of bytes: the content of a file is not cut. */
export const partsInPiece = 50;
/** Every delimiter begins like this, and so does everything that the parser must compare with one. */
const delimiterStart = Buffer.from("\r\n--");

/** Chunks of a client that sends quickly are as long as a read of the system, 64 KiB. */
const longChunk = 16 * 1024;

const nothing = Buffer.alloc(0);

export class FormPieces extends Readable {
  /** The parser reads the boundary from them. */
  readonly headers: IncomingHttpHeaders;
  readonly #request: IncomingMessage;
  #rest: Buffer = nothing;
  #isOver = false;

  constructor(request: IncomingMessage) {
    super({ highWaterMark: 1 });
    this.headers = request.headers;
    this.#request = request.pause();
    request.on("data", this.#take).on("end", this.#end).on("error", this.#fail).on("close", this.#close);
  }

  /** Stops reading. The rest of the body stays with the request. */
  stop(): void {
    this.unpipe();
    this.#request.off("data", this.#take).off("end", this.#end).off("error", this.#fail).off("close", this.#close);
    this.#rest = nothing;
    this.#isOver = true;
  }

  override _read(): void {
    // Otherwise the next chunk comes by itself.
    if (this.#request.isPaused()) setImmediate(this.#next);
  }

  #next = (): void => {
    if (this.#rest.length > 0) this.#give();
    else if (!this.#isOver) this.#request.resume();
  };

  #take = (chunk: Buffer): void => {
    // The content of a file. Delimiters that are cut by the ends of chunks cannot be many if the chunks are long.
    if (chunk.length >= longChunk && chunk.indexOf(delimiterStart) < 0) {
      if (!this.push(chunk)) this.#request.pause();
      return;
    }
    this.#request.pause();
    this.#rest = chunk;
    this.#give();
  };

  #give(): void {
    const end = endOfPiece(this.#rest);
    const piece = this.#rest.subarray(0, end);
    this.#rest = this.#rest.subarray(end);
    this.push(piece);
    if (this.#isOver && this.#rest.length === 0) this.push(null);
  }

  // This may be called while the last chunk is still being cut.
  #end = (): void => {
    this.#isOver = true;
    if (this.#rest.length === 0) this.push(null);
  };

  #fail = (error: Error): void => void this.destroy(error);

  #close = (): void => {
    if (!this.#isOver) this.destroy();
  };
}

function endOfPiece(bytes: Buffer): number {
  let end = 0;
  for (let parts = 0; parts < partsInPiece; parts++) {
    const at = bytes.indexOf(delimiterStart, end);
    if (at < 0) return bytes.length;
    end = at + 1;
  }
  return end;
}
