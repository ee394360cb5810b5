import { PassThrough, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { FormPieces, partsInPiece } from "./form-pieces.js";

const part = '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\nx\r\n';

/** The pieces, and the turn of the event loop in which each of them arrived. */
async function piecesOf(...chunks: Buffer[]): Promise<{ piece: Buffer; turn: number }[]> {
  const request = Object.assign(new PassThrough(), { headers: {} });
  const pieces = new FormPieces(request as never);
  for (const chunk of chunks) request.write(chunk);
  request.end();
  let turn = 0;
  let isOver = false;
  const count = async () => {
    for (; !isOver; turn++) await nextTurn();
  };
  const counting = count();
  const seen: { piece: Buffer; turn: number }[] = [];
  for await (const piece of pieces) seen.push({ piece, turn });
  isOver = true;
  await counting;
  return seen;
}

describe("the pieces of a form", () => {
  test("contain few parts, and each arrives in its own turn of the event loop", async () => {
    const chunk = Buffer.from(part.repeat(1000));
    const seen = await piecesOf(chunk);
    expect(Buffer.concat(seen.map(({ piece }) => piece)).equals(chunk)).toBe(true);
    expect(seen.length).toBeGreaterThanOrEqual(1000 / partsInPiece);
    for (const { piece } of seen) expect(piece.toString().split("\r\n--").length - 1).toBeLessThanOrEqual(partsInPiece);
    expect(new Set(seen.map(({ turn }) => turn)).size).toBe(seen.length);
  });

  test("arrive in separate turns also if the chunks are small", async () => {
    const chunks = Array.from({ length: 40 }, () => Buffer.from(part.repeat(10)));
    const seen = await piecesOf(...chunks);
    expect(Buffer.concat(seen.map(({ piece }) => piece)).equals(Buffer.concat(chunks))).toBe(true);
    expect(new Set(seen.map(({ turn }) => turn)).size).toBe(seen.length);
  });

  test("are whole chunks if there are no parts: large files are not slowed down", async () => {
    const chunk = Buffer.alloc(64 * 1024, 7);
    expect((await piecesOf(chunk)).map(({ piece }) => piece.length)).toEqual([chunk.length]);
  });

  test("are long chunks of a file one after the other, and wait for a slow reader", async () => {
    const chunks = Array.from({ length: 30 }, (_, n) => Buffer.alloc(64 * 1024, n));
    const request = Object.assign(new PassThrough({ highWaterMark: 1 }), { headers: {} });
    const pieces = new FormPieces(request as never);
    const sent = pipeline(Readable.from(chunks), request);
    let received = 0;
    for await (const piece of pieces as AsyncIterable<Buffer>) {
      expect(piece[0]).toBe(Math.floor(received / (64 * 1024)));
      received += piece.length;
      await nextTurn();
      expect(pieces.readableLength).toBeLessThanOrEqual(2 * 64 * 1024);
    }
    await sent;
    expect(received).toBe(30 * 64 * 1024);
  });

  test("end with the error of the request", async () => {
    const request = Object.assign(new PassThrough(), { headers: {} });
    const reading = new FormPieces(request as never).toArray();
    request.write(part);
    request.destroy(new Error("gone"));
    await expect(reading).rejects.toThrow("gone");
  });
});
