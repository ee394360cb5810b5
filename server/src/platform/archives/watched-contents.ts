// Looks for known contents among all files of an archive. The list holds only the first bytes of each hash, which keeps
// it small enough to send with every archive; matches are reported with their full hash, and the caller decides.
import { createHash, type Hash } from "node:crypto";

/** The first `prefixBytes` of each hash, concatenated. */
export interface WatchList {
  sha1: Uint8Array;
  sha512: Uint8Array;
}

export interface FoundContent {
  /** `libs/a.jar`, or for one inside that: `libs/a.jar!/b.class`. */
  path: string;
  algorithm: keyof WatchList;
  /** In hexadecimal. */
  hash: string;
}

export interface Watch {
  readonly found: FoundContent[];
  begin(): ContentWatch;
}

export interface ContentWatch {
  update(piece: Uint8Array): void;
  end(path: string): void;
}

export const prefixBytes = 8;
/** One match is enough to refuse a file; a few more make the message useful. */
const maxFound = 16;
const algorithms = ["sha1", "sha512"] as const;

/** Undefined if there is nothing to look for: then nothing is hashed. */
export function createWatch(list: WatchList | undefined): Watch | undefined {
  if (!list) return undefined;
  const known = new Map(algorithms.map((algorithm) => [algorithm, toPrefixes(list[algorithm])]));
  const wanted = algorithms.filter((algorithm) => known.get(algorithm)!.size > 0);
  if (wanted.length === 0) return undefined;
  const found: FoundContent[] = [];
  return {
    found,
    begin() {
      let hashes: Hash[] | undefined;
      return {
        update(piece) {
          if (piece.length === 0) return;
          hashes ??= wanted.map((algorithm) => createHash(algorithm));
          for (const hash of hashes) hash.update(piece);
        },
        end(path) {
          // Empty files are in every archive, so they are never reported.
          for (const [at, hash] of hashes?.entries() ?? []) {
            const hex = hash.digest("hex");
            const isKnown = known.get(wanted[at]!)!.has(hex.slice(0, prefixBytes * 2));
            if (isKnown && found.length < maxFound) found.push({ path, algorithm: wanted[at]!, hash: hex });
          }
        },
      };
    },
  };
}

function toPrefixes(bytes: Uint8Array): Set<string> {
  const text = Buffer.from(bytes).toString("hex");
  const prefixes = new Set<string>();
  for (let at = 0; at < text.length; at += prefixBytes * 2) prefixes.add(text.slice(at, at + prefixBytes * 2));
  return prefixes;
}
