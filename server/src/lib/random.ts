// Random bytes and the identifiers made from them, passed in like the clock.
import { randomBytes } from "node:crypto";
import { base62 } from "./base62.js";

export interface Random {
  bytes(count: number): Buffer;
}

export const systemRandom: Random = { bytes: (count) => randomBytes(count) };

const idLength = 8;
// 248 is the largest multiple of 62 below 256: larger bytes are thrown away so that every character is equally likely.
const fairBelow = 248;

/** Eight base62 characters with an upper-case letter, so that an id can never be read as a slug (decisions §2). */
export function newId(random: Random): string {
  for (;;) {
    let id = "";
    while (id.length < idLength) {
      for (const byte of random.bytes(16)) {
        if (byte < fairBelow && id.length < idLength) id += base62[byte % 62];
      }
    }
    if (/[A-Z]/.test(id)) return id;
  }
}
