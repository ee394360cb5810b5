// Base62 for ids and tokens: digits, upper case, lower case, in ASCII order.

export const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** The bytes as one big-endian number in base62, padded on the left to `width` characters. */
export function toBase62(bytes: Uint8Array, width: number): string {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  let text = "";
  while (value > 0n) {
    text = base62[Number(value % 62n)] + text;
    value /= 62n;
  }
  return text.padStart(width, "0");
}
