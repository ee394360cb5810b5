// Reads one HTTP answer after the other from a socket, with the least work: the head as text, the body as copies of the
// pieces that arrived, if they are needed.

const headEnd = Buffer.from("\r\n\r\n");
const lineEnd = Buffer.from("\r\n");

/**
 * Returns a function for the data of a socket, which may be overwritten after each call. `onAnswer(answer)` is called at the
 * end of each answer, with its body only if `isKept(head)`: `copy` then makes copies of its pieces.
 */
export function createReader({ isKept, copy, onAnswer }) {
  let rest;
  let head;
  let pieces;
  let bytes = 0;
  let missing = 0;
  let isChunked = false;

  const finish = () => {
    const answer = { head, pieces, bytes };
    head = undefined;
    onAnswer(answer);
  };

  const take = (piece) => {
    bytes += piece.length;
    pieces?.push(copy(piece));
  };

  /** Takes the head, if it is complete. Returns what follows it. */
  const takeHead = (data) => {
    const end = data.indexOf(headEnd);
    if (end < 0) {
      rest = Buffer.from(data);
      return undefined;
    }
    head = data.latin1Slice(0, end);
    pieces = isKept(head) ? [] : undefined;
    bytes = 0;
    const length = /\r\ncontent-length: (\d+)/i.exec(head);
    isChunked = !length;
    if (isChunked && !/\r\ntransfer-encoding: chunked/i.test(head))
      throw new Error(`An answer without a length: ${head}`);
    missing = length ? Number(length[1]) : 0;
    return data.subarray(end + 4);
  };

  /** Takes bytes of the chunks. Returns what is left. */
  const takeChunks = (data) => {
    while (data.length > 0) {
      if (missing > 0) {
        // The last two bytes of a chunk are a line end, which is not part of the body.
        const piece = data.subarray(0, Math.min(missing, data.length));
        const body = piece.subarray(0, Math.max(0, Math.min(piece.length, missing - 2)));
        if (body.length > 0) take(body);
        missing -= piece.length;
        data = data.subarray(piece.length);
        continue;
      }
      const end = data.indexOf(lineEnd);
      if (end < 0) break;
      const size = Number.parseInt(data.latin1Slice(0, end), 16);
      if (size === 0) {
        if (data.length < end + 4) break;
        finish();
        return data.subarray(end + 4);
      }
      missing = size + 2;
      data = data.subarray(end + 2);
    }
    rest = Buffer.from(data);
    return undefined;
  };

  return (chunk) => {
    let data = rest && rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    rest = undefined;
    while (data && data.length > 0) {
      if (head === undefined) {
        data = takeHead(data);
        if (!data) return;
        if (!isChunked && missing === 0) {
          finish();
          continue;
        }
      }
      if (isChunked) {
        data = takeChunks(data);
        continue;
      }
      const piece = data.subarray(0, missing);
      take(piece);
      missing -= piece.length;
      data = data.subarray(piece.length);
      if (missing === 0) finish();
    }
  };
}
