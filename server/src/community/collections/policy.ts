// Who sees and edits a collection.
import { type RawBuilder, sql } from "kysely";
import type { Row } from "#platform/db/tables.js";
import { isStaff, type SignedIn, type Viewer } from "#platform/http/viewer.js";

/** The id of the private collection that every user has without making it: what he follows. */
export const followsId = "follows";

const isOwn = (viewer: Viewer): RawBuilder<boolean> =>
  viewer.kind === "anonymous" ? sql<boolean>`1 = 0` : sql<boolean>`collections.user_id = ${viewer.user.id}`;

/** By its id. A private one is its owner's alone: moderators do not read it. */
export const collectionVisibleTo = (viewer: Viewer): RawBuilder<boolean> =>
  sql<boolean>`(collections.visibility <> 'private' or ${isOwn(viewer)})`;

/** In the list of a user's collections. */
export const collectionListedFor = (viewer: Viewer): RawBuilder<boolean> =>
  isStaff(viewer) ? collectionVisibleTo(viewer) : sql<boolean>`(collections.visibility = 'public' or ${isOwn(viewer)})`;

export const canEditCollection = (viewer: SignedIn, collection: Pick<Row<"collections">, "user_id">): boolean =>
  collection.user_id === viewer.user.id || isStaff(viewer);
