// A collection as answers show it (earlier-service 5.15).
import Type, { type Static } from "typebox";
import { Id, ImageUrl, Named, Nullable, Timestamp } from "../http/schemas.js";

/** Of a user. */
export const maxCollections = 100;
/** In a collection. */
export const maxCollectedProjects = 1000;

export const CollectionVisibility = Type.Enum(["public", "unlisted", "private"], {
  description: "public: on the profile of its owner; unlisted: for who knows its id; private: for its owner",
});

export const Collection = Named("Collection", {
  id: Id,
  userId: Id,
  name: Type.String(),
  description: Nullable(Type.String()),
  icon: Nullable(ImageUrl),
  visibility: CollectionVisibility,
  dateCreated: Timestamp,
  dateUpdated: Timestamp,
  projects: Type.Array(Id, { description: "Those that the caller may see, most downloaded first" }),
});
export type Collection = Static<typeof Collection>;

export const CollectionOwner = Named("CollectionOwner", { id: Id, userName: Type.String(), avatar: ImageUrl });
