// The logo of the site in its header.

import type { Config } from "#config/config.js";
import { reserveBlob } from "#platform/blobs/rows.js";
import type { BlobStore } from "#platform/blobs/store.js";
import type { Tx } from "#platform/changes/write.js";
import type { Db } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import type { StoredPicture } from "#platform/pictures/write.js";
import { say } from "#words/said.js";

const name = "logo";
/** Named like a setting, so that every server reads it again. */
const changeId = "MODSHELF_LOGO";

export async function findLogo(db: Db): Promise<Config["logo"]> {
  const row = await db.selectFrom("site_pictures").selectAll().where("name", "=", name).executeTakeFirst();
  return row && { sha512: Buffer.from(row.sha512).toString("hex"), width: row.width, height: row.height };
}

export async function saveLogo(tx: Tx, blobs: BlobStore, { digest, width, height }: StoredPicture): Promise<void> {
  const before = await findLogo(tx.db);
  const row = { name, sha512: await reserveBlob(tx.db, blobs, digest, tx.now), width, height, date_updated: tx.now };
  await tx.db
    .insertInto("site_pictures")
    .values(row)
    .onConflict((conflict) => conflict.column("name").doUpdateSet(row))
    .execute();
  tx.audit("setting.set", { kind: "setting", id: changeId }, { from: before?.sha512 ?? "", to: digest.sha512 });
  tx.changed("setting", changeId);
}

export async function removeLogo(tx: Tx): Promise<void> {
  const before = await findLogo(tx.db);
  if (!before) throw fail.wrongState(say.states.noLogo);
  await tx.db.deleteFrom("site_pictures").where("name", "=", name).execute();
  tx.audit("setting.set", { kind: "setting", id: changeId }, { from: before.sha512, to: "" });
  tx.changed("setting", changeId);
}
