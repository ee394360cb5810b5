// Uploaded pictures: re-encoded, stored by content, named by owner. Used by every feature that has a picture.

import { newId } from "#lib/random.js";
import { createDigester } from "#platform/blobs/digest.js";
import { announceBlobs, BlobVanished, reserveBlob } from "#platform/blobs/rows.js";
import type { BlobDigest } from "#platform/blobs/store.js";
import type { Tx } from "#platform/changes/write.js";
import type { ImageOwner } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import type { ImageResult } from "#platform/images/tools.js";
import { findPayer, refuseOverQuota } from "./quota.js";

export interface Owner {
  kind: ImageOwner;
  id: string;
}

/** A re-encoded picture whose bytes are durable but not yet referred to. */
export interface StoredPicture {
  digest: BlobDigest;
  width: number;
  height: number;
  /** Ends the file's name: "_128" for icons. */
  suffix: string;
}

const reasons: Record<Extract<ImageResult<unknown>, { ok: false }>["reason"], string> = {
  unsupported: "it must be PNG, JPEG, GIF or WebP",
  tooManyPixels: "it has more than 25 million pixels",
  broken: "it cannot be decoded",
  tooExpensive: "it takes too long to decode; try a simpler one",
};

function usable<T>(result: ImageResult<T>): T {
  if (!result.ok) throw fail.imageUnusable(reasons[result.reason]);
  return result.value;
}

/** Where pictures are kept, and how many bytes of them an account may have. */
export type PictureRoom = Pick<Resources, "blobs" | "config">;

/** Durable when this is over. A row is there before: if nobody comes to need the bytes, they are swept. */
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
 * Names the stored picture for its owner, after its own id or the given one; returns the image's id. Pictures are small: their
 * quota is checked without a lock, and may be passed by as many as are added at the same moment.
 */
export async function addPicture(
  tx: Tx,
  { blobs, config }: PictureRoom,
  owner: Owner,
  picture: StoredPicture,
  name?: string,
): Promise<string> {
  const payer = await findPayer(tx.db, owner);
  if (payer !== undefined) await refuseOverQuota(tx.db, config.limits, payer, picture.digest.size);
  const id = newId(tx.random);
  const sha512 = await reserveBlob(tx.db, blobs, picture.digest, tx.now).catch((error) => {
    // Rare beyond measure: the very same picture was being swept. The caller may simply try again.
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

/** Forgets a picture that nothing shows any more; its bytes go with the next sweep. */
export async function removePicture(tx: Tx, imageId: string | null): Promise<void> {
  if (imageId) await tx.db.deleteFrom("images").where("id", "=", imageId).execute();
}
