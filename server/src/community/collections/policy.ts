// Rules about who can see and edit a collection.
import { type RawBuilder, sql } from "kysely";
import type { Row } from "#platform/db/tables.js";
import { isStaff, type SignedIn, type Viewer } from "#platform/http/viewer.js";

/** The id of the built-in private collection of followed projects. */
export const followsId = "follows";

const isOwn = (viewer: Viewer): RawBuilder<boolean> =>
  viewer.kind === "anonymous" ? sql<boolean>`1 = 0` : sql<boolean>`collections.user_id = ${viewer.user.id}`;

/** Access by id. Only the owner can see a private collection: moderators cannot. */
export const collectionVisibleTo = (viewer: Viewer): RawBuilder<boolean> =>
  sql<boolean>`(collections.visibility <> 'private' or ${isOwn(viewer)})`;

/** Visibility in the list of a user's collections. */
export const collectionListedFor = (viewer: Viewer): RawBuilder<boolean> =>
  isStaff(viewer) ? collectionVisibleTo(viewer) : sql<boolean>`(collections.visibility = 'public' or ${isOwn(viewer)})`;

export const canEditCollection = (viewer: SignedIn, collection: Pick<Row<"collections">, "user_id">): boolean =>
  collection.user_id === viewer.user.id || isStaff(viewer);
