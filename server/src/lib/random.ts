// Random bytes and the identifiers made from them. The source is passed in, like the clock.
import { randomFillSync } from "node:crypto";
import { base62 } from "./base62.js";

export interface Random {
  bytes(count: number): Buffer;
}

/** A system call costs the same for 16 bytes as for thousands, and every request needs a few. */
const supply = Buffer.alloc(4096);
let used = supply.length;

export const systemRandom: Random = {
  bytes(count) {
    if (count > supply.length) return randomFillSync(Buffer.alloc(count));
    if (used + count > supply.length) {
      randomFillSync(supply);
      used = 0;
    }
    const bytes = Buffer.from(supply.subarray(used, used + count));
    // Bytes that were handed out must not stay in memory.
    supply.fill(0, used, used + count);
    used += count;
    return bytes;
  },
};

const idLength = 8;
// 248 is the largest multiple of 62 below 256: larger bytes are discarded so that every character is equally likely.
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
