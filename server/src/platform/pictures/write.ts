// Uploaded pictures: re-encoded, stored by content, named by owner. Used by every feature that has pictures.

import { newId } from "#lib/random.js";
import { createDigester } from "#platform/blobs/digest.js";
import { announceBlobs, BlobVanished, reserveBlob } from "#platform/blobs/rows.js";
import type { BlobDigest } from "#platform/blobs/store.js";
import type { Tx } from "#platform/changes/write.js";
import type { ImageOwner } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import type { ImageResult } from "#platform/images/tools.js";
import { type Said, say } from "#words/said.js";
import { findPayer, refuseOverQuota } from "./quota.js";

export interface Owner {
  kind: ImageOwner;
  id: string;
}

/** A re-encoded picture whose bytes are durable but not referenced yet. */
export interface StoredPicture {
  digest: BlobDigest;
  width: number;
  height: number;
  /** The end of the file name: "_128" for icons. */
  suffix: string;
}

const reasons: Record<Extract<ImageResult<unknown>, { ok: false }>["reason"], Said> = {
  unsupported: say.files.pictureType,
  tooManyPixels: say.files.tooManyPixels,
  broken: say.files.notDecoded,
  tooExpensive: say.files.slowPicture,
};

function usable<T>(result: ImageResult<T>): T {
  if (!result.ok) throw fail.imageUnusable(reasons[result.reason]);
  return result.value;
}

/** The storage of pictures, and the quota of an account. */
export type PictureStore = Pick<Resources, "blobs" | "config">;

/** Makes the bytes durable. Their row is written first: if nothing refers to the bytes, the sweep deletes them. */
async function keep({ db, blobs, clock }: Resources, bytes: Uint8Array): Promise<BlobDigest> {
  const digester = createDigester();
  digester.update(bytes);
  await announceBlobs(db, [digester.finish()], clock.now());
  return blobs.put(bytes);
}

export async function storeIcon(resources: Resources, bytes: Buffer): Promise<StoredPicture & { color: string }> {
  const { webp, color } = usable(await resources.images.icon(bytes));
  return { digest: await keep(resources, webp), width: 128, height: 128, suffix: "_128", color };
}

export async function storeBackground(resources: Resources, bytes: Buffer): Promise<StoredPicture> {
  const { webp, width, height } = usable(await resources.images.picture(bytes));
  return { digest: await keep(resources, webp), width, height, suffix: "" };
}

export interface StoredGalleryPicture {
  image: StoredPicture;
  thumbnail: StoredPicture;
}

export async function storeGalleryPicture(resources: Resources, bytes: Buffer): Promise<StoredGalleryPicture> {
  const { webp, width, height, thumbnail } = usable(await resources.images.picture(bytes));
  return {
    image: { digest: await keep(resources, webp), width, height, suffix: "" },
    thumbnail: {
      digest: await keep(resources, thumbnail.webp),
      width: thumbnail.width,
      height: thumbnail.height,
      suffix: "_420",
    },
  };
}

/**
 * Gives the stored picture to its owner, named by its own id or the given one; returns the image's id. Pictures are
 * small: their quota is checked without a lock and may be exceeded by concurrent uploads.
 */
export async function addPicture(
  tx: Tx,
  { blobs, config }: PictureStore,
  owner: Owner,
  picture: StoredPicture,
  name?: string,
): Promise<string> {
  const payer = await findPayer(tx.db, owner);
  if (payer !== undefined) await refuseOverQuota(tx.db, config.limits, payer, picture.digest.size);
  const id = newId(tx.random);
  const sha512 = await reserveBlob(tx.db, blobs, picture.digest, tx.now).catch((error) => {
    // Very rare: the same picture was being deleted by a sweep at this moment. The caller can retry.
    throw error instanceof BlobVanished ? fail.unavailable() : error;
  });
  await tx.db
    .insertInto("images")
    .values({
      id,
      owner_kind: owner.kind,
      owner_id: owner.id,
      file_name: `${name ?? id}${picture.suffix}.webp`,
      sha512,
      width: picture.width,
      height: picture.height,
      date_created: tx.now,
    })
    .execute();
  return id;
}

/** Removes a picture that is no longer shown; its bytes are deleted by the next sweep. */
export async function removePicture(tx: Tx, imageId: string | null): Promise<void> {
  if (imageId) await tx.db.deleteFrom("images").where("id", "=", imageId).execute();
}
