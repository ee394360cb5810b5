// Checksums of stored files. Two of them are stored; the others are made when somebody asks, by reading the file once,
// and remembered: the bytes behind an address never change.
import { createHash } from "node:crypto";
import type { FileEntry } from "#content/catalog/version-entries.js";
import { Queue } from "#lib/queue.js";
import { slicesOf } from "#platform/blobs/digest.js";
import type { BlobStore } from "#platform/blobs/store.js";
import { fail } from "#platform/errors.js";
import type { ChecksumKind } from "./address.js";

type Made = Record<"md5" | "sha256", string>;

const mostRemembered = 20_000;
/** Reading whole files is the dearest thing here: one at a time, and who asks for another file waits. */
const turns = new Queue(1, 50);
const made = new Map<string, Promise<Made>>();

export async function checksumOf(blobs: BlobStore, file: FileEntry, kind: ChecksumKind): Promise<string> {
  if (kind === "sha1" || kind === "sha512") return file[kind];
  let sums = made.get(file.sha512);
  if (!sums) {
    sums = turns.run(() => makeChecksums(blobs, file.sha512));
    if (made.size >= mostRemembered) made.delete(made.keys().next().value!);
    made.set(file.sha512, sums);
    // What went wrong is tried again by the next who asks.
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
