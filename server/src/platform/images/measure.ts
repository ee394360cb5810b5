// The size of a picture from its first bytes, without decoding it: a WebP, or an SVG that was cleaned (vector.ts).

/** In CSS pixels. */
export interface Size {
  width: number;
  height: number;
}

/** The first bytes that are needed. */
export const headBytes = 2048;

/** Undefined if it has no size of its own. */
export const measure = (head: Buffer): Size | undefined =>
  head.subarray(0, 4).equals(riff) ? measureWebp(head) : measureVector(head.toString("utf8"));

const riff = Buffer.from("RIFF");

/** There are three kinds: lossy, lossless, and those with more parts, such as animations. */
function measureWebp(head: Buffer): Size | undefined {
  if (head.length < 30) return undefined;
  const kind = head.toString("latin1", 12, 16);
  if (kind === "VP8 ") return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff };
  if (kind === "VP8X") return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 };
  if (kind !== "VP8L") return undefined;
  const bits = head.readUInt32LE(21);
  return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
}

/** Other units, and sizes in a style, are left to the browser. */
function measureVector(text: string): Size | undefined {
  const tag = text.slice(0, text.indexOf(">"));
  const width = Number(/\swidth="(\d{1,4}(?:\.\d{1,4})?)(?:px)?"/.exec(tag)?.[1] ?? 0);
  const height = Number(/\sheight="(\d{1,4}(?:\.\d{1,4})?)(?:px)?"/.exec(tag)?.[1] ?? 0);
  const isStyled = /\sstyle="[^"]*(?:width|height)/.test(tag);
  return width > 0 && height > 0 && !isStyled ? { width, height } : undefined;
}
