// Recognises supported uploads by their first bytes. Declared types are ignored.

const png = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const jpeg = [0xff, 0xd8, 0xff];

/** True for bytes that begin like a PNG, JPEG, GIF or WebP; only decoding shows whether they are valid. */
export function isPictureLike(bytes: Uint8Array): boolean {
  return startsWith(bytes, png) || startsWith(bytes, jpeg) || isGifLike(bytes) || isWebpLike(bytes);
}

/** True for text that begins like an SVG, or like what may come before one. */
export const isVectorLike = (bytes: Uint8Array): boolean =>
  /^\uFEFF?\s*<(?:svg\s|\?xml\s|!--|!doctype svg\s)/i.test(Buffer.from(bytes.subarray(0, 200)).toString("utf8"));

function startsWith(bytes: Uint8Array, signature: readonly number[]): boolean {
  return signature.every((byte, index) => bytes[index] === byte);
}

function isGifLike(bytes: Uint8Array): boolean {
  const signature = toText(bytes, 0, 6);
  return signature === "GIF87a" || signature === "GIF89a";
}

function isWebpLike(bytes: Uint8Array): boolean {
  return toText(bytes, 0, 4) === "RIFF" && toText(bytes, 8, 12) === "WEBP";
}

function toText(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to));
}
