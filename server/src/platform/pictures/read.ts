// The URLs of pictures on the content host, and the lookup of their bytes.
import type { Db, ImageOwner } from "#platform/db/tables.js";

const base = (cdnUrl: string, kind: ImageOwner, id: string): string => `${cdnUrl}/cdn/data/${kind}/${id}`;

/** The URL of an uploaded picture, or of the generated default. */
export const pictureUrl = (cdnUrl: string, kind: ImageOwner, id: string, fileName: string | null): string =>
  `${base(cdnUrl, kind, id)}/${fileName ?? defaultPictureName}`;

export const defaultPictureName = "default.png";

export function findPicture(db: Db, kind: ImageOwner, ownerId: string, fileName: string) {
  return db
    .selectFrom("images")
    .select("sha512")
    .where("owner_kind", "=", kind)
    .where("owner_id", "=", ownerId)
    .where("file_name", "=", fileName)
    .executeTakeFirst();
}
