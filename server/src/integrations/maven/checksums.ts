// Checksums of stored files. Two of them are stored; the others are computed on demand by reading the file once, and
// cached: the bytes of a file never change.
import { createHash } from "node:crypto";
import type { FileEntry } from "#content/versions/entries.js";
import { Queue } from "#lib/queue.js";
import { slicesOf } from "#platform/blobs/digest.js";
import type { BlobStore } from "#platform/blobs/store.js";
import { fail } from "#platform/errors.js";
import type { ChecksumKind } from "./address.js";

type Made = Record<"md5" | "sha256", string>;

const mostRemembered = 20_000;
/** Reading whole files is expensive: one at a time, other requests wait. */
const turns = new Queue(1, 50);
const made = new Map<string, Promise<Made>>();

export async function checksumOf(blobs: BlobStore, file: FileEntry, kind: ChecksumKind): Promise<string> {
  if (kind === "sha1" || kind === "sha512") return file[kind];
  let sums = made.get(file.sha512);
  if (!sums) {
    sums = turns.run(() => makeChecksums(blobs, file.sha512));
    if (made.size >= mostRemembered) made.delete(made.keys().next().value!);
    made.set(file.sha512, sums);
    // A failure is not cached, so that the next request tries again.
    sums.catch(() => made.delete(file.sha512));
  }
  return (await sums)[kind];
}

async function makeChecksums(blobs: BlobStore, sha512: string): Promise<Made> {
  const blob = await blobs.open(sha512);
  if (!blob) throw fail.artifactNotFound();
  const [md5, sha256] = [createHash("md5"), createHash("sha256")];
  for await (const slice of slicesOf(blob.stream)) {
    md5.update(slice);
    sha256.update(slice);
  }
  return { md5: md5.digest("hex"), sha256: sha256.digest("hex") };
}
