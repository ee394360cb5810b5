// A collection as answers show it (earlier-service 5.15).
import Type, { type Static } from "typebox";
import { Choice, Described, Id, ImageUrl, Named, Nullable, Timestamp } from "#platform/http/schemas.js";

/** The limit per user. */
export const maxCollections = 100;
/** The limit per collection. */
export const maxCollectedProjects = 1000;

export const CollectionVisibility = Choice(
  {
    public: "Shown on the profile of its owner",
    unlisted: "Seen by everyone with the link",
    private: "Seen by its owner only",
  },
  { description: "The visibility of the collection" },
);

export const Collection = Named(
  "Collection",
  {
    id: Described(Id, "Id of the collection"),
    userId: Described(Id, "Id of its owner"),
    name: Type.String({
      description: "Name of the collection",
    }),
    description: Nullable(Type.String(), "A description; null if there is none"),
    icon: Nullable(ImageUrl, "Address of its picture; null where there is none"),
    visibility: CollectionVisibility,
    dateCreated: Described(Timestamp, "When it was made"),
    dateUpdated: Described(Timestamp, "When it was last changed"),
    projects: Type.Array(Id, { description: "Ids of the projects that the caller may see, most downloaded first" }),
  },
  { description: "A list of projects that a user put together" },
);
export type Collection = Static<typeof Collection>;

export const CollectionOwner = Named(
  "CollectionOwner",
  {
    id: Described(Id, "Id of the user"),
    userName: Type.String({ description: "Username" }),
    avatar: Described(ImageUrl, "Address of the user's picture"),
  },
  { description: "The user whose collection it is" },
);
