// The hashes of a look-up as the bytes that the client has sent. A look-up of a hundred hashes spends most of its time on
// them, and strings of each would double it.
import type { HashAlgorithm } from "#content/hashes/file-projects.js";
import type { FingerprintKey } from "#lib/fingerprint-key.js";
import { viewOf } from "#lib/view-of.js";
import { maxHashes } from "./contract.js";

export const widths: Record<HashAlgorithm, number> = { sha1: 40, sha512: 128 };
const hexForms: Record<HashAlgorithm, RegExp> = { sha1: /^[0-9a-f]{40}$/i, sha512: /^[0-9a-f]{128}$/i };

export interface SentHashes {
  /** Each hash is in quotes. */
  bytes: Buffer;
  /** The positions of the hashes, without their quotes. */
  at: readonly number[];
  /** Two numbers for each hash: high and low. */
  fingerprints: Uint32Array;
  /** Characters of each hash. */
  width: number;
}

export const hashText = ({ bytes, at, width }: SentHashes, index: number): string =>
  bytes.toString("latin1", at[index]!, at[index]! + width);

/** Whether two hashes were sent with the same characters. */
export function isSameHash({ bytes, at, width }: SentHashes, one: number, other: number): boolean {
  const [first, second] = [at[one]!, at[other]!];
  return bytes.compare(bytes, second, second + width, first, first + width) === 0;
}

/** Malformed hashes are left out. */
export function toSentHashes(key: FingerprintKey, algorithm: HashAlgorithm, hashes: readonly string[]): SentHashes {
  const width = widths[algorithm];
  const wellFormed = hashes.filter((hash) => hash.length === width && hexForms[algorithm].test(hash));
  const bytes = Buffer.from(wellFormed.map((hash) => `"${hash}"`).join(""), "latin1");
  const at = wellFormed.map((_, index) => index * (width + 2) + 1);
  return { bytes, at, width, fingerprints: readFingerprints(key, bytes, at, width)! };
}

/** Undefined if a hash is malformed. */
function readFingerprints(
  key: FingerprintKey,
  bytes: Buffer,
  at: readonly number[],
  width: number,
): Uint32Array | undefined {
  // An array of its own would be allocated outside of the heap, which takes longer.
  const memory = Buffer.allocUnsafe(8 * at.length);
  const fingerprints = new Uint32Array(memory.buffer, memory.byteOffset, 2 * at.length);
  const view = viewOf(bytes);
  for (let index = 0; index < at.length; index++) {
    if (!key.readHexBytes(view, at[index]!, width)) return undefined;
    fingerprints[2 * index] = key.high;
    fingerprints[2 * index + 1] = key.low;
  }
  return fingerprints;
}

const [quote, comma, colon, bracket, endBracket] = [0x22, 0x2c, 0x3a, 0x5b, 0x5d];
const listName = Buffer.from('"hashes"');

/**
 * Cuts the list of hashes out of a JSON body, so that the parser does not have to read it. The rest, a string with one
 * character for each byte, has a list with only the
 * mark, and is valid exactly if the body is. Marks are secrets, one for each width of hashes: if one is in the place of the
 * list after parsing, the hashes were there. Undefined if the list is unusual in any way, for example if a hash is malformed; then the parser must
 * read everything.
 */
export function cutHashes(
  key: FingerprintKey,
  marks: Readonly<Record<number, string>>,
  body: Buffer,
): { rest: string; mark: string; sent: SentHashes } | undefined {
  const nameAt = body.indexOf(listName);
  if (nameAt < 0) return undefined;
  let next = skipSpace(body, nameAt + listName.length);
  if (body[next] !== colon) return undefined;
  const begin = skipSpace(body, next + 1);
  if (body[begin] !== bracket) return undefined;
  next = skipSpace(body, begin + 1);
  const width = body[next + 1 + widths.sha1] === quote ? widths.sha1 : widths.sha512;
  const at: number[] = [];
  for (;;) {
    if (body[next] !== quote || body[next + width + 1] !== quote || at.length === maxHashes) return undefined;
    at.push(next + 1);
    next = skipSpace(body, next + width + 2);
    if (body[next] === endBracket) break;
    if (body[next] !== comma) return undefined;
    next = skipSpace(body, next + 1);
  }
  const fingerprints = readFingerprints(key, body, at, width);
  if (!fingerprints) return undefined;
  const mark = marks[width]!;
  const rest = `${body.toString("latin1", 0, begin)}["${mark}"]${body.toString("latin1", next + 1)}`;
  return { rest, mark, sent: { bytes: body, at, width, fingerprints } };
}

function skipSpace(body: Buffer, from: number): number {
  let at = from;
  while (body[at] === 0x20 || body[at] === 0x0a || body[at] === 0x0d || body[at] === 0x09) at++;
  return at;
}
