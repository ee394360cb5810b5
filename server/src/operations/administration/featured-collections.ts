// The collections that moderators feature on the start page, in their order. Only the ids are stored: whether a collection
// can be shown is decided when it is read.

import { sql } from "kysely";
import { cachedValue } from "#platform/changes/cached-value.js";
import type { Tx } from "#platform/changes/write.js";
import { inList, lockSettings } from "#platform/db/dialect.js";
import type { Db } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import { storeValue } from "#platform/settings/store.js";
import { say } from "#words/said.js";

const name = "featured-collections";
/** Two rows of three on a wide screen. */
const mostFeatured = 6;

/** Also those that can no longer be shown. */
export const listFeaturedIds = cachedValue("featuredCollections", "setting", async (db) => {
  const value = await loadIds(db);
  return { value, bytes: 100 * value.length };
});

async function loadIds(db: Db): Promise<readonly string[]> {
  const row = await db.selectFrom("settings").select("value").where("name", "=", name).executeTakeFirst();
  return row ? (JSON.parse(row.value) as string[]) : [];
}

/** Becomes the first one, also if it was featured before. */
export async function featureCollection(tx: Tx, userId: string | null, id: string): Promise<void> {
  await lockSettings(tx.db);
  const before = await loadIds(tx.db);
  const owners = await findOwners(tx.db, [id, ...before]);
  if (!owners.has(id)) throw fail.collectionNotFound();
  const others = before.filter((each) => each !== id && owners.has(each));
  if (others.length >= mostFeatured) throw fail.limitReached(say.limits.featuredCollections(mostFeatured));
  await store(tx, userId, [id, ...others]);
  tx.audit("collection.feature", { kind: "collection", id }, { userId: owners.get(id)! });
}

export async function unfeatureCollection(tx: Tx, userId: string | null, id: string): Promise<void> {
  await lockSettings(tx.db);
  const before = await loadIds(tx.db);
  if (!before.includes(id)) return;
  const owners = await findOwners(tx.db, [id]);
  await store(
    tx,
    userId,
    before.filter((each) => each !== id),
  );
  tx.audit("collection.unfeature", { kind: "collection", id }, { userId: owners.get(id) ?? null });
}

/** The owners of those that are public. */
async function findOwners(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom("collections")
    .select(["id", "user_id"])
    .where(inList(db, sql.ref("id"), ids))
    .where("visibility", "=", "public")
    .execute();
  return new Map(rows.map((row) => [row.id, row.user_id]));
}

async function store(tx: Tx, userId: string | null, ids: readonly string[]): Promise<void> {
  await storeValue(tx, name, ids, userId);
  tx.changed("setting", name);
}
