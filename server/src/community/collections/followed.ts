// The built-in private collection of every user: the projects that they follow.

import { listFollowedIds } from "#community/follows/read.js";
import type { Db } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import { timestamp } from "#platform/http/schemas.js";
import { holdsAll, type SignedIn, type Viewer } from "#platform/http/viewer.js";
import { followsId } from "./policy.js";
import type { Collection } from "./shapes.js";

/** Reading it needs the scope user_read; without the scope it does not exist, as for other users. */
export function getFollower(viewer: Viewer): SignedIn {
  if (viewer.kind === "anonymous" || !holdsAll(viewer, ["user_read"])) throw fail.collectionNotFound();
  return viewer;
}

export async function getFollowedCollection(db: Db, viewer: SignedIn): Promise<Collection> {
  const userId = viewer.user.id;
  const dates = await db
    .selectFrom("users")
    .leftJoin("follows", "follows.user_id", "users.id")
    .select((select) => [
      "users.date_joined as created",
      select.fn.max<number | null>("follows.date_created").as("updated"),
    ])
    .where("users.id", "=", userId)
    .groupBy("users.id")
    .executeTakeFirst();
  if (!dates) throw fail.collectionNotFound();
  return {
    id: followsId,
    userId,
    name: "Followed projects",
    description: null,
    icon: null,
    visibility: "private",
    dateCreated: timestamp(dates.created),
    dateUpdated: timestamp(dates.updated ?? dates.created),
    projects: await listFollowedIds(db, viewer),
  };
}
